/** Which commands a payment allows now, by the same rules that decide the command itself. Chapter 10 §6. */
import { chargeback, decide } from '#domain/payment/decide.ts'
import { type Command, noBrandLimits } from '#domain/payment/rules.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { today } from '../../payments/exchange/today.ts'
import type { PanelContext } from '../panel-context.ts'
import { isWithinLimit } from './refund-limit.ts'

export interface AllowedCommands {
  readonly capture: boolean
  /** Only up to the refund limit. */
  readonly void: boolean
  /** Also releases a hold. */
  readonly refund: boolean
  /** The card network's retry budget is checked at the retry itself. */
  readonly retry: boolean
  readonly chargeback: boolean
  /** Whether part of the amount may be captured, or refunded. */
  readonly partialCapture: boolean
  readonly partialRefund: boolean
  /** The total of refunds that needs no second person; null for any amount. */
  readonly refundLimitMinor: bigint | null
}

export function findAllowedCommands(context: PanelContext, payment: PaymentRecord): AllowedCommands {
  const { configuration, refundLimits, acquirers } = context
  const mid = payment.midId === null ? null : configuration.mid(payment.midId)
  const day = today(context, mid)
  const hasVoid = mid === null || acquirers.connector(mid.connector)?.operations.has('void') === true
  const brand = payment.facts.brand ?? noBrandLimits
  const allows = (command: Command, amountMinor?: bigint): boolean =>
    payment.midId !== null && decide(payment, command, { amountMinor, today: day, brand }).allowed
  const dispute = chargeback(payment, payment.capturedMinor - payment.chargedBackMinor, day)
  return {
    capture: allows('CAPTURE'),
    void: hasVoid && allows('VOID') && isWithinLimit(context, payment.currency, payment.capturedMinor),
    refund: allows('CREDITVOID'),
    retry: allows('RETRY'),
    chargeback: dispute?.kind === 'ok',
    partialCapture: allows('CAPTURE', 1n),
    partialRefund: allows('CREDITVOID', 1n),
    refundLimitMinor: refundLimits.of(payment.currency, configuration.cryptoCurrencies()),
  }
}
