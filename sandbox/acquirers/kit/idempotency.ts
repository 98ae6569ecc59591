/** Executes a request once: the same request under the same idempotency key gets the first answer again. */
import { createHmac } from 'node:crypto'
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Books, Line } from './books.ts'
import { type Faults, isExecuted, replyOf } from './faults.ts'

/** What a request did, not written yet. */
export interface Execution<Item> {
  readonly reply: Reply
  readonly line?: Omit<Line<Item>, 'reply'>
  /** Refused before anything was done: the answer is not stored, and the key stays free. */
  readonly isRefused?: true
}

export interface IdempotentRequest {
  readonly call: Call
  /** With the account in it: keys of several accounts may be the same. Null where the client sent none. */
  readonly key: string | null
  /** Minor units; chooses a fault. */
  readonly amount?: string | undefined
  /** False where the acquirer does not look whether the request is the same; by default it does. */
  readonly isCompared?: boolean
}

/** `other-request`: the key was used for a different request. `execute` must not wait for anything. */
export async function executeOnce<Item>(
  { books, faults }: { readonly books: Books<Item>; readonly faults: Faults },
  { call, key, amount, isCompared = true }: IdempotentRequest,
  execute: () => Execution<Item>,
): Promise<Reply | 'other-request'> {
  // Without the salt the journal would allow guesses of the card number that was sent.
  const fingerprint = createHmac('sha256', books.salt).update(call.bytes).digest('base64url')
  const known = key === null ? undefined : books.replyTo(key)
  if (known) {
    await books.sync()
    return !isCompared || known.fingerprint === fingerprint ? known : 'other-request'
  }
  const name = key ?? fingerprint
  const fault = books.hasMetFault(name) ? null : faults.next(call, amount)
  const met = fault ? { faulted: name } : {}
  if (fault && !isExecuted(fault)) {
    books.write(met)
    await books.sync()
    return replyOf(fault)
  }
  const { reply, line = {}, isRefused } = execute()
  const { status, body, headers } = reply
  const stored = { fingerprint, status, body, ...(headers && { headers }) }
  books.write({ ...line, ...met, ...(key !== null && !isRefused && { reply: { key, ...stored } }) })
  await books.sync()
  return fault ? replyOf(fault) : reply
}
