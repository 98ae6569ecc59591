/**
 * Answers to merchants that the sandbox loses on purpose, so that a merchant can test it: chapter 10 §12, expiry 07/2039.
 *
 * The sandbox acquirer asks for it in its reply to the charge. The connector finds the merchant's request by its asynchronous context:
 * no outcome, record or protocol carries a flag that only the sandbox needs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

interface MerchantRequest {
  isAnswerLost: boolean
}

/** Set only around merchants' requests of an instance with a sandbox; see `protocols/sandbox/lost-answers.ts`. */
export const merchantRequests = new AsyncLocalStorage<MerchantRequest>()

/** Does nothing where no merchant waits for an answer: in a worker, or on the hosted page. */
export function loseAnswer(): void {
  const request = merchantRequests.getStore()
  if (request) request.isAnswerLost = true
}
