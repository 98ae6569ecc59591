/** RECURRING_SALE and RECURRING_DEBIT: the merchant charges a chain. Chapter 10 §7.6. */
import { errors } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import { RefusedError } from '../refused-error.ts'
import { type ChainCharge, type ChainCheckout, draftOnChain } from './chain-charge.ts'
import { charge } from './charge.ts'
import type { Deps } from './deps.ts'
import { refuseDuplicate } from './duplicate-order.ts'
import { type Performed, settle } from './perform.ts'
import { askIfForgotten } from './transaction.ts'

export type RecurringRequest = Omit<ChainCharge, 'aloneInOrder' | 'source' | 'plan' | 'checkout'> & {
  readonly mapping: ProtocolMapping
  readonly checkout?: Omit<ChainCheckout, 'chainSchedule'>
}

export async function chargeChain(deps: Deps, request: RecurringRequest): Promise<Performed> {
  const { merchant, mapping, order, chain } = request
  await refuseDuplicate(deps, { mapping, merchant, order, side: chain.first.test ? 'test' : 'live' })
  const aloneInOrder = mapping.rejectDuplicateOrders
  const { checkout, ...plain } = request
  const { drafted, data } = await draftOnChain(deps, {
    ...plain,
    ...(checkout ? { checkout: { ...checkout, chainSchedule: await scheduleOf(deps, request) } } : {}),
    aloneInOrder,
    source: 'recurring',
    plan: null,
  })

  const { payment, transaction } = drafted
  const askAt = askIfForgotten(transaction.createdAt)
  const opening = { payment, card: null, transaction, sentBy: deps.processNumber, askAt }
  const written = await deps.payments.open(opening)
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  if (written !== 'opened') throw new RefusedError(errors.previousPaymentOpen)
  return settle(deps, payment, transaction, await charge(deps, payment, transaction, data))
}

const scheduleOf = async (deps: Deps, { chain: { record } }: RecurringRequest): Promise<string | null> =>
  (await deps.subscriptions.ofChain(record.merchantId, record.id))?.scheduleId ?? null
