/** The types of `PaySession`: its options, its events, and the arguments of its functions. Chapter 30 §9. */

export interface PaySessionOptions {
  /** The `name` of the form element; `paymentForm` by default. */
  readonly formName?: string
  /** Report every input while it is typed, not only on submit. */
  readonly validateOnInput?: boolean
  /** Outside the service's own pages: the session token. */
  readonly token?: string
  /** Outside the service's own pages: address of the service. */
  readonly baseUrl?: string
}

export interface BillingAddress {
  readonly address: string
  readonly city: string
  readonly country: string
  readonly phone: string
  readonly state: string
  readonly zip: string
}

export interface OrderInfo {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly description: string
}

export interface CustomerInfo {
  readonly name: string
  readonly email: string
  readonly birth_date: string
}

export interface CardToken {
  readonly token: string
  readonly last: string
  /** Two digits. */
  readonly month: string
  /** Four digits. */
  readonly year: string
  readonly brand: string
  readonly cardholder_name: string
}

export interface Country {
  /** Two letters. */
  readonly value: string
  /** Its name. */
  readonly text: string
  /** Null if no state is asked for. */
  readonly regions: readonly { readonly value: string; readonly text: string }[] | null
}

export type WalletCode = 'walletapay' | 'walletbpay'

/** The style of wallet B's button, in the wallet provider's terms. */
export interface WalletButtonOptions {
  readonly buttonColor?: string
  readonly buttonType?: string
  readonly buttonRadius?: number
  readonly buttonLocale?: string
  readonly buttonSizeMode?: string
}

/** Empty before a payment. */
export type PayState = 'complete' | 'redirect' | 'waiting' | 'decline' | ''

export interface SuccessEvent {
  readonly successUrl: string
}

export interface MessageEvent {
  readonly message: string
}

export interface InputValidationEvent {
  readonly result: 'error' | 'success'
  readonly inputId: string
}

export interface ErrorEvent {
  /** The service's error code; `unsupported` if the function is not available here. */
  readonly code: number | 'unsupported'
  readonly message: string
  /** The rows of the service's answer. */
  readonly errors: readonly unknown[]
}
