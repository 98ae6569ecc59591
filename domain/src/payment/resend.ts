/**
 * The next step when the acquirer answers that it does not know a transaction. Chapter 10 §6.2, decisions/certainty#sending-again.
 *
 * That answer is true at this moment only: the request may still be in a queue, on a slow line, or in the memory of a paused process.
 * Sending it again is safe if the acquirer executes all requests under one idempotency key only once. Otherwise it might execute
 * twice, so the command ends as not executed as soon as the first request can no longer be executed, and is watched for some days in
 * case it was executed after all.
 */

export interface UnknownRequest {
  /** Whether any process may have put the request on the wire. An intent can be written for another process to send. */
  readonly wasSent: boolean
  /** The acquirer has answered about it before, so its present answer contradicts an earlier one. */
  readonly wasAcknowledged: boolean
  /** By the database's clock: the wire's time limit plus the acquirer's longest queue has not passed yet. */
  readonly mayStillExecute: boolean
  /** Whether the acquirer treats a request sent now as a repetition of the earlier one, by the transaction's idempotency key. */
  readonly keyHonoured: boolean
}

export type AfterUnknownRequest =
  /** It may be sent, if its data still exists and the command is still wanted. */
  | 'send'
  /** Nothing changes yet; the acquirer is asked again. */
  | 'ask-again'
  /** It is written off: it ends as not executed, and is watched. */
  | 'write-off'

export function decideAfterUnknownRequest(facts: UnknownRequest): AfterUnknownRequest {
  if (facts.wasAcknowledged) return 'ask-again'
  if (!facts.wasSent || facts.keyHonoured) return 'send'
  return facts.mayStillExecute ? 'ask-again' : 'write-off'
}

/**
 * The same for a request that must not be sent again, even if the acquirer honours the key: the payer has left, the proof of
 * authentication is gone, or the acquirer has overtaken it.
 */
export function unlessSent(facts: UnknownRequest): 'drop' | 'ask-again' | 'write-off' {
  if (facts.wasAcknowledged) return 'ask-again'
  // A request that was never sent cannot be executed and needs no watching.
  if (!facts.wasSent) return 'drop'
  return facts.mayStillExecute ? 'ask-again' : 'write-off'
}

type AfterNoAnswer =
  /** Sent for the first time, or repeated under its key: then the acquirer answers with the first result. */
  | 'send'
  /** Never sent, and no longer wanted. */
  | 'drop'
  /** Reversed by our own id of it, until the acquirer acknowledges. */
  | 'undo'
  /** Nothing to do but to wait for the acquirer's notification. */
  | 'wait'

/**
 * What to do about a request whose acquirer cannot be asked. Chapter 60 §3. `canBeSent`: its data still exists and the command is still
 * wanted. It is not reversed while it may still be executed: a reversal that overtakes its request has nothing to reverse.
 */
export function decideWithoutAnswer(
  facts: UnknownRequest,
  { canBeSent, canBeUndone }: { readonly canBeSent: boolean; readonly canBeUndone: boolean },
): AfterNoAnswer {
  if (!facts.wasSent) return canBeSent ? 'send' : 'drop'
  // The acquirer has taken it and says the outcome later. A repetition would return the same.
  if (facts.wasAcknowledged) return 'wait'
  if (canBeSent && facts.keyHonoured) return 'send'
  return canBeUndone && !facts.mayStillExecute ? 'undo' : 'wait'
}

interface KeyValidity {
  readonly validForMs: number
  /** Where captures, refunds and reversals differ from charges. */
  readonly followUpsValidForMs?: number
}

/** True if the acquirer still honours a key that was first sent this long ago. */
export const isKeyHonoured = (key: KeyValidity | null, sentMsAgo: number, isFollowUp = false): boolean =>
  key !== null && sentMsAgo < ((isFollowUp ? key.followUpsValidForMs : undefined) ?? key.validForMs)
