/**
 * The page on which a payer answers a challenge. Chapter 10 §12, "3DS page".
 *
 * The answer goes only to the address named by the authentication, because a page that posts anywhere could be abused by third parties.
 * Only the post to that address decides; the page itself records nothing.
 */
import { isObject } from '#domain/json.ts'
import { languageFor } from '../kit/language.ts'
import { askPayer, tellPayer } from '../kit/payer-page.ts'
import type { Reply } from '../kit/reply.ts'
import type { Call } from '../kit/routes.ts'
import type { AccessControl } from './access-control.ts'
import { type Authentication, allowsFrame } from './authentication.ts'

export async function showChallenge(accessControl: AccessControl, { body, languages }: Call): Promise<Reply> {
  const found = findChallenged(accessControl, body)
  if (!found) return tellPayer(400, languageFor(languages), 'invalid')

  const { amount, currency, merchantName, card, notificationURL, paymentId, language: wish } = found.record
  const language = languageFor(wish)
  const reply = askPayer(language, { merchant: merchantName, amountMinor: BigInt(amount), currency, card }, [
    {
      action: notificationURL,
      method: 'post',
      fields: { MD: paymentId },
      buttons: [
        { text: 'approve', name: 'PaRes' },
        { text: 'decline', name: 'PaRes' },
      ],
    },
    // Relative, because the page may be served under any address.
    { action: 'acs/left', method: 'get', fields: { language }, buttons: [{ text: 'leave' }] },
  ])
  return allowsFrame(found) ? reply : { ...reply, headers: { ...reply.headers, 'x-frame-options': 'DENY' } }
}

export async function showLeft({ query }: Call): Promise<Reply> {
  return tellPayer(200, languageFor(query.get('language') ?? undefined), 'left')
}

/** The authentication of the challenge, if the form carries it unaltered. */
function findChallenged(accessControl: AccessControl, body: unknown): Authentication | undefined {
  const { PaReq = '', MD, TermUrl }: Form = isForm(body) ? body : {}
  const creq = readCreq(PaReq)
  if (!creq) return undefined
  const authentication = accessControl.find(creq.threeDSServerTransID)
  if (authentication?.record.transStatus !== 'C') return undefined
  const { acsTransID, paymentId, notificationURL } = authentication.record
  const unaltered = creq.acsTransID === acsTransID && MD === paymentId && TermUrl === notificationURL
  return unaltered ? authentication : undefined
}

interface Form {
  readonly PaReq?: string
  readonly MD?: string
  readonly TermUrl?: string
}

const isForm = (body: unknown): body is Form =>
  typeof body === 'object' &&
  body !== null &&
  Object.values(body).every((value) => value === undefined || typeof value === 'string')

function readCreq(text: string): { readonly threeDSServerTransID: string; readonly acsTransID: string } | undefined {
  try {
    const creq: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!isObject(creq)) return undefined
    const { threeDSServerTransID, acsTransID } = creq
    if (typeof threeDSServerTransID !== 'string' || typeof acsTransID !== 'string') return undefined
    return { threeDSServerTransID, acsTransID }
  } catch {
    return undefined
  }
}
