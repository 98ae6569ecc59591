/** The request with which a protocol begins a payment. */
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { RequestTexts } from '#domain/payment/facts.ts'
import type { FirstCommand } from '#domain/payment/rules.ts'
import type { Secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import type { JsonObject, ScheduleRequest } from '../../contracts/records.ts'
import type { CheckoutAttempt } from './checkout-attempt.ts'
import type { OrderData } from './order-data.ts'
import type { PaymentMethod } from './payment-method.ts'

/** A charge on a chain has a request of its own, without a payer and a payment method. */
export type FirstAction = Exclude<FirstCommand, 'RECURRING_SALE' | 'RECURRING_DEBIT'>

export interface FirstStepRequest extends RequestTexts {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly protocol: Protocol
  readonly mapping: ProtocolMapping
  readonly action: FirstAction
  readonly auth: boolean
  readonly channel: string | null
  readonly order: OrderData
  readonly paymentMethod: PaymentMethod
  /** The recipient of a transfer. */
  readonly payeeCard: Secret<string> | null
  readonly saveCard: boolean
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly payerIp: string | null
  readonly language: string | undefined
  readonly callbackUrl: string | null
  /** Where the payer's browser is sent after the payment; without it no payer step is possible. */
  readonly payerReturn: { readonly url: string; readonly target: string | null } | null
  readonly payerPresent: boolean
  readonly threeDs: ExternalThreeDs | null
  readonly recurringInit: boolean
  readonly schedule: ScheduleRequest | null
  readonly parameters: JsonObject | null
  readonly customData: JsonObject | null
  readonly useId: string | null
  /** Lets support find the request of a refused token. */
  readonly requestId?: string | undefined
  /** Only for payments of Checkout. */
  readonly checkout?: CheckoutAttempt
}
