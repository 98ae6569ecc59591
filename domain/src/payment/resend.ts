/**
 * The acquirer says that it never heard of a transaction. What follows from that, in one table. Chapter 10 §6.2, decision 0051.
 *
 * "Never heard of it" says something about this moment only: the request may be in a queue, on a slow line, or in the memory of a
 * process that was paused. Sending it again is safe where the acquirer makes one effect of all requests under one idempotency key.
 * Anywhere else it would be a second effect, so that the command ends as not executed once the first request cannot be executed any
 * more, and is watched for some days in case it was.
 */

export interface UnknownRequest {
  /** Whether any process may have put the request on the wire. An intent can be written for another process to send. */
  readonly wasSent: boolean
  /** The acquirer has answered something about it before, so that its word now contradicts its own. */
  readonly wasAcknowledged: boolean
  /** By the database's clock: the wire's own limit and the acquirer's longest queue are not over yet. */
  readonly mayStillExecute: boolean
  /** Whether what is sent now under the transaction's idempotency key and what was sent before have one effect. */
  readonly keyHonoured: boolean
}

export type AfterUnknownRequest =
  /** It may be sent, if what it is made of is still there and it is still wanted. */
  | 'send'
  /** Nothing follows yet; the question is asked again. */
  | 'ask-again'
  /** It ends as not executed, and is watched. */
  | 'give-up'

export function decideAfterUnknownRequest(facts: UnknownRequest): AfterUnknownRequest {
  if (facts.wasAcknowledged) return 'ask-again'
  if (!facts.wasSent || facts.keyHonoured) return 'send'
  return facts.mayStillExecute ? 'ask-again' : 'give-up'
}

/**
 * The same where it may not be sent whatever the acquirer grants: the payer has left, the proof of his authentication is gone, the
 * acquirer has overtaken it.
 */
export function unlessSent(facts: UnknownRequest): 'drop' | 'ask-again' | 'give-up' {
  if (facts.wasAcknowledged) return 'ask-again'
  // What never left cannot be executed, and needs no watching.
  if (!facts.wasSent) return 'drop'
  return facts.mayStillExecute ? 'ask-again' : 'give-up'
}

/** Whether a key that was first sent so long ago still stands for one effect. */
export const isKeyHonoured = (key: { readonly validForMs: number } | null, sentMsAgo: number): boolean =>
  key !== null && sentMsAgo < key.validForMs
