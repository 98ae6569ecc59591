/** Which credential is wrong, by Adyen's answer to a harmless question. */
import { z } from 'zod'
import type { CredentialsCheck } from '../connector.ts'
import type { WireReply } from '../wire.ts'

const errorSchema = z.object({ errorCode: z.string() })

export function toCheck(reply: WireReply): CredentialsCheck {
  const { status } = reply
  const { errorCode } = errorSchema.safeParse(reply.json()).data ?? {}
  if (status === 200) return { kind: 'accepted' }
  if (status === 401) return refuse('api_key', 'Adyen does not know the API key.')
  if (status === 403 && errorCode === '901')
    return refuse('merchant_account', 'The merchant account does not exist or is not that of the API key.')
  if (status === 403) return refuse('api_key', 'The API key lacks the roles for payments.')
  return { kind: 'no-answer', text: `Adyen answered ${status}.` }
}

const refuse = (field: string, text: string): CredentialsCheck => ({ kind: 'refused', field, text })
