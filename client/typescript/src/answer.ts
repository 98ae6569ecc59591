/** Answers of the service. Further fields are listed per action in the reference, and the mapping may add some. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export type Result = 'SUCCESS' | 'DECLINED' | 'REDIRECT' | 'ACCEPTED' | 'UNDEFINED' | 'WAITING' | 'INIT'

export type Status =
  | 'PREPARE'
  | '3DS'
  | 'REDIRECT'
  | 'PENDING'
  | 'SETTLED'
  | 'REVERSAL'
  | 'REFUND'
  | 'VOID'
  | 'CHARGEBACK'
  | 'DECLINED'

export interface Answer {
  readonly action?: string
  /** `UNDEFINED` is no decline: the outcome follows by callback. */
  readonly result?: Result
  readonly status?: Status
  readonly order_id?: string
  readonly trans_id?: string
  readonly decline_reason?: string
  /** Where to send the payer's browser if `result` is `REDIRECT`, with these parameters by this method. */
  readonly redirect_url?: string
  readonly redirect_method?: 'GET' | 'POST'
  readonly redirect_params?: Json
  readonly card_token?: string
  readonly recurring_token?: string
  readonly schedule_id?: string
  readonly [field: string]: Json | undefined
}

export interface CheckoutAnswer {
  readonly payment_id?: string
  /** The hosted page of a session. */
  readonly redirect_url?: string
  /** The token of a session of hosted fields, for your server. */
  readonly token?: string
  /** For the page with the fields: it can only collect the card. */
  readonly client_token?: string
  readonly status?: string
  readonly result?: string
  readonly reason?: string
  readonly [field: string]: Json | undefined
}

/** Of a payment with hosted fields. */
export interface FieldsAnswer {
  /** `success`, `decline`, `redirect`, or `waiting` and `undefined`: the outcome follows by callback. */
  readonly result?: string
  /** What the session has: compare it with your order. */
  readonly order_amount?: string
  readonly order_currency?: string
  /** The payment's identifier, `payment_id` of other calls. */
  readonly public_id?: string
  /** Where to send the payer's browser by GET; after `success` with these parameters in the query. */
  readonly redirect_url?: string
  readonly return_url_query_params?: Json
  /** For the payer, in the selected language. */
  readonly decline_message?: string
  readonly [field: string]: Json | undefined
}
