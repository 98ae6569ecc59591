/**
 * How far the checks of a request came, so that a refusal can be explained to the merchant's developer. See decisions/requests#refused-requests.
 *
 * A request that is accepted pays only for a few assignments. A refusal is recorded if its key belongs to a merchant, except for those that
 * say nothing about the request: too high a rate, and a gateway without capacity.
 */

import { limits } from '#domain/limits.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { CheckStep } from '#domain/request-checks.ts'
import type { HashExplanation } from '#domain/signature/hash-explanation.ts'
import { isUuid } from '#domain/uuid.ts'
import type { RefusedError } from '../../../contracts/refused-error.ts'
import type { RefusedRequest } from '../../../contracts/refused-requests.ts'
import { maskCardNumbers } from '../../../observe/mask.ts'
import type { ValueTree } from '../bodies/value-tree.ts'
import type { Kit } from '../dialect.ts'
import { objectIn, textIn } from '../values/sent.ts'

export interface CheckTrace {
  /** The check that runs now. */
  step: CheckStep
  tree: ValueTree | null
  protocol: Protocol | null
  action: string | null
  /** Set when the hash or the signature was found to be wrong. */
  hash: HashExplanation | null
}

export const beginTrace = (): CheckTrace => ({ step: 'body', tree: null, protocol: null, action: null, hash: null })

interface TracedRequest {
  readonly kit: Pick<Kit, 'configuration' | 'refusedRequests' | 'clock'>
  /** The parameter with the merchant's key, or the merchant of a session. */
  readonly caller: string | { readonly merchant: Merchant; readonly mode: Mode }
  readonly requestId: string
}

export function recordRefusal(traced: TracedRequest, trace: CheckTrace, error: RefusedError): void {
  const { kit, caller, requestId } = traced
  const { refusal, violations } = error
  const { tree, step, protocol, action, hash } = trace
  if (tree === null || refusal.http === 429 || refusal.http >= 500) return
  const known = typeof caller === 'string' ? kit.configuration.byKey(textIn(tree, caller)?.toLowerCase() ?? '') : caller
  if (!known) return
  const { http, code, message } = refusal
  kit.refusedRequests.add({
    merchantId: known.merchant.id,
    mode: known.mode,
    requestId,
    protocol,
    action,
    step,
    at: kit.clock.now(),
    ...namedIn(tree),
    refusal: { http, code, message, violations, hash },
  })
}

const orderNames = ['order_id', 'order_number']
const paymentNames = ['trans_id', 'payment_id']

/** Returns what the request names, as far as it can be stored. A merchant may send a card number where none belongs. */
function namedIn(tree: ValueTree): Pick<RefusedRequest, 'orderId' | 'paymentId'> {
  const first = (names: readonly string[]) => names.map((name) => textIn(tree, name)).find((text) => text !== undefined)
  const order = first(orderNames) ?? textIn(objectIn(tree, 'order'), 'number')
  const payment = first(paymentNames)
  return {
    orderId: order === undefined ? null : maskCardNumbers(order.replaceAll('\0', '').slice(0, limits.length.orderId)),
    paymentId: payment !== undefined && isUuid(payment) ? payment.toLowerCase() : null,
  }
}
