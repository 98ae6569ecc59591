/** `@gatehouse/checkout-sdk`: the classes of the service's scripts, as a module with types. Chapter 30 §9.4. */
export {
  type FieldError,
  type FieldInput,
  type FieldListeners,
  type FieldName,
  type FieldPlace,
  type FieldStyle,
  HostedFields,
  type HostedFieldsConfig,
  type HostedFieldsOptions,
  type SubmitResult,
} from './hosted-fields.ts'
export { PaySession } from './pay-session.ts'
export type {
  BillingAddress,
  CardToken,
  Country,
  CustomerInfo,
  ErrorEvent,
  InputValidationEvent,
  MessageEvent,
  OrderInfo,
  PaySessionOptions,
  PayState,
  SuccessEvent,
  WalletButtonOptions,
  WalletCode,
} from './pay-session-types.ts'
