/**
 * The one place where a failed exchange becomes a value.
 *
 * A timeout is never a decline: whatever may have reached the acquirer is `unknown`, and only what certainly did not is
 * `not-executed`. A bug in a connector is reported and counts as `unknown` too, because it may have struck after the send.
 */
import type { AcquirerAccount, Answer, CredentialsCheck, Outcome } from './connector.ts'
import { refusedSend } from './outcome.ts'
import { WireFault } from './wire-fault.ts'

type OnFault = (fault: unknown) => void

/** `not-offered`: the acquirer has no harmless question that needs the credentials. */
export type CredentialsResult = CredentialsCheck | { readonly kind: 'not-offered' }

/** For everything that asks the acquirer to do something. Never rejects. */
export async function exchange(
  call: () => Promise<Outcome>,
  onFault: OnFault,
  onUnreachable: OnFault,
): Promise<Outcome> {
  try {
    return await call()
  } catch (fault) {
    if (!(fault instanceof WireFault) || fault.sent) return unknown(fault, onFault)
    if (fault.isBug) onFault(fault)
    else onUnreachable(fault)
    // The merchant is shown this reason, and the wire's own words name hosts and ports of ours.
    return refusedSend('The acquirer could not be reached')
  }
}

/** For `undo`. Whatever did not reach the acquirer has reversed nothing, so that the transaction stays unknown. */
export async function askUndo(call: () => Promise<Outcome>, onFault: OnFault): Promise<Outcome> {
  try {
    return await call()
  } catch (fault) {
    return unknown(fault, onFault)
  }
}

/** For `status`. A question that did not arrive says nothing about the transaction, so it leaves it unknown. */
export async function enquire(call: () => Promise<Answer>, onFault: OnFault): Promise<Answer> {
  try {
    return await call()
  } catch (fault) {
    return unknown(fault, onFault)
  }
}

/** For `events` and `effects`. What could not be read now is read next time, so that a failure is simply no report. */
export async function listen<Report>(
  call: () => Promise<Report> | undefined,
  onFault: OnFault,
  onUnreachable: OnFault,
): Promise<Report | null> {
  try {
    return (await call()) ?? null
  } catch (fault) {
    if (fault instanceof WireFault && !fault.isBug) onUnreachable(fault)
    else onFault(fault)
    return null
  }
}

/** For `check`. An operator asks, so that the wire's own words are shown. Chapter 60 §6. */
export async function checkCredentials({ check }: Pick<AcquirerAccount, 'check'>): Promise<CredentialsResult> {
  if (!check) return { kind: 'not-offered' }
  try {
    return await check(null)
  } catch (fault) {
    if (!(fault instanceof WireFault) || fault.isBug) throw fault
    return { kind: 'no-answer', text: fault.message }
  }
}

function unknown(fault: unknown, onFault: OnFault): Outcome {
  if (fault instanceof WireFault && !fault.isBug) return { result: 'unknown', reason: fault.message, facts: {} }
  onFault(fault)
  // The text of a stranger's error may quote the request, and this reason is stored.
  return { result: 'unknown', reason: 'The connector failed.', facts: {} }
}
