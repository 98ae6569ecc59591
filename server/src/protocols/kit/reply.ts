/** What goes back to the merchant: a status and the exact bytes, which an idempotency key may keep. */
export interface Reply {
  readonly http: number
  readonly body: string
  /** Of the body, where it is not JSON. */
  readonly type?: string
}
