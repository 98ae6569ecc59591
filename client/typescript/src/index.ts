/** Client library of Gatehouse for Node, Deno, Bun and workers: Web Crypto and fetch, no dependency. */
export type { Answer, CheckoutAnswer, FieldsAnswer, Json, Result, Status } from './answer.ts'
export {
  agreesWith,
  type Callback,
  type CallbackOptions,
  checkCallback,
  type ExpectedOrder,
  type ReceivedCallback,
  type Receiver,
  type Verdicts,
  verifyCallback,
} from './callback.ts'
export { BusyError, CallbackError, RefusedError, UnknownOutcomeError, type Violation } from './errors.ts'
export type { FeedEvent } from './events.ts'
export { type Digest, type FormulaName, hashOf } from './formulas.ts'
export { type CallOptions, Gatehouse, type GatehouseOptions } from './gatehouse.ts'
export type { KnownPayment } from './known-payment.ts'
export type { ApmParameters, CardParameters, CheckoutParameters, FieldsParameters } from './parameters-generated.ts'
export { type PayerReturn, type ReturnedOrder, type ReturnOutcome, verifyReturn } from './payer-return.ts'
