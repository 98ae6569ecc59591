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
  /** The token of a session of hosted fields. */
  readonly token?: string
  readonly status?: string
  readonly result?: string
  readonly reason?: string
  readonly [field: string]: Json | undefined
}
