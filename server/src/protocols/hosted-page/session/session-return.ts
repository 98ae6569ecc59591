/** Where a session's payer goes next, and in which window, by the session's present state. Chapter 30 §6. */
import { isAttemptOpen, type SessionState } from '#domain/checkout/session.ts'
import { returnOutcomeOf } from '#domain/signature/payer-return.ts'
import type { Configuration } from '../../../contracts/ports.ts'
import type { Operations } from '../../../payments/index.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import {
  linkTarget,
  type ReturnFacts,
  type ReturnReason,
  returnAddress,
  returnParameters,
} from '../../checkout/return-parameters.ts'

export interface SessionReturnParts {
  readonly configuration: Pick<Configuration, 'readSecrets'>
  readonly operations: Pick<Operations, 'facts'>
}

type ReturnContext = Pick<SessionContext, 'session' | 'mapping' | 'payments'>

/** The window of a navigation that leaves the page. */
export interface Redirect {
  readonly url: string
  readonly target: string
  /** True if the payer must press a button first: in a frame, or for a new window. */
  readonly continue: boolean
}

/** Where the page goes without a press; null if the state does not end the visit, or the merchant named no address. */
export function redirectOfState(parts: SessionReturnParts, context: SessionContext): Promise<Redirect | null> {
  const why = reasonFor(context.state)
  return why === null ? Promise.resolve(null) : redirectFor(parts, context, why)
}

function reasonFor(state: SessionState): ReturnReason | null {
  if (isAttemptOpen(state)) return 'error'
  switch (state) {
    case 'complete':
      return 'success'
    case 'limit':
      return 'cancel'
    case 'expired':
      return 'expiry'
    default:
      return null
  }
}

export async function redirectFor(
  parts: SessionReturnParts,
  context: ReturnContext,
  why: ReturnReason,
): Promise<Redirect | null> {
  const url = await composeAddress(parts, context, why)
  return url === null ? null : redirectTo(parts, context, url)
}

export function redirectTo(parts: SessionReturnParts, context: ReturnContext, url: string): Redirect {
  const target = linkTarget(context.session, newestFacts(parts, context))
  return { url, target, continue: target !== '_self' }
}

export const composeAddress = async (
  parts: SessionReturnParts,
  context: ReturnContext,
  why: ReturnReason,
): Promise<string | null> => returnAddress(await returnFacts(parts, context), why)

export const composeParameters = async (
  parts: SessionReturnParts,
  context: ReturnContext,
): Promise<Readonly<Record<string, string>>> => returnParameters(await returnFacts(parts, context))

async function returnFacts(parts: SessionReturnParts, context: ReturnContext): Promise<ReturnFacts> {
  const { session, mapping, payments } = context
  const { password } = await parts.configuration.readSecrets(session.merchantId)
  const key = { password: password.reveal(), digest: mapping.digest }
  const outcome = returnOutcomeOf(payments[0] ?? null)
  return { session, payment: newestFacts(parts, context), outcome, mapping, key }
}

const newestFacts = (
  { operations }: SessionReturnParts,
  { payments: [payment] }: ReturnContext,
): ReturnFacts['payment'] => (payment ? operations.facts({ payment }) : null)
