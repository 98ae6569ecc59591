/** RECURRING_SALE and RECURRING_DEBIT: the merchant charges a chain. Chapter 10 §7.6. */
import { errors } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { settleAttempt } from '../attempt/cascade.ts'
import { type ChainCharge, type ChainCheckout, prepareDraftOnChain } from '../attempt/chain-charge.ts'
import type { DraftedPayment } from '../attempt/draft.ts'
import { refuseDuplicate } from '../attempt/duplicate-order.ts'
import { withSealedAddress } from '../attempt/sealed-address.ts'
import { charge } from '../exchange/charge.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { isLimitClash } from '../routing/limit-usage.ts'
import { placePayment } from '../routing/placement.ts'

export type RecurringRequest = Omit<ChainCharge, 'aloneInOrder' | 'source' | 'plan' | 'checkout'> & {
  readonly mapping: ProtocolMapping
  readonly checkout?: Omit<ChainCheckout, 'chainSchedule'>
}

export async function chargeChain(deps: Deps, request: RecurringRequest): Promise<PaymentWithTransaction> {
  const { merchant, mapping, order, chain } = request
  await refuseDuplicate(deps, { mapping, merchant, order, mode: chain.first.mode })
  const aloneInOrder = mapping.rejectDuplicateOrders
  const { checkout, ...plain } = await withSealedAddress(deps, request)
  const { chosen, draftAt, data } = await prepareDraftOnChain(deps, {
    ...plain,
    ...(checkout ? { checkout: { ...checkout, chainSchedule: await findScheduleId(deps, request) } } : {}),
    aloneInOrder,
    source: 'recurring',
    plan: null,
  })
  const intent = await placePayment(chosen, null, (placement) => open(deps, draftAt(placement)))
  const outcome = await charge(deps, intent, data)
  return settleAttempt(deps, intent, outcome, data)
}

async function open(deps: Deps, { payment, transaction, limits }: DraftedPayment): Promise<Intent | LimitClash> {
  const departure = await prepareDeparture(deps, transaction.midId)
  const written = await deps.payments.open({ payment, card: null, transaction, sending: departure, limits })
  if (written === 'opened') return { payment, transaction, departure }
  if (isLimitClash(written)) return written
  throw new RefusedError(written === 'idempotency-clash' ? errors.duplicateRequest : errors.previousPaymentOpen)
}

const findScheduleId = async (deps: Deps, { chain: { record } }: RecurringRequest): Promise<string | null> =>
  (await deps.plans.findOfChain(record.merchantId, record.id))?.scheduleId ?? null
