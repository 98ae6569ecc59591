/** The answer to the merchant: a status and the exact bytes, which an idempotency key may store. */
export interface Reply {
  readonly http: number
  readonly body: string
  /** The content type, if it is not JSON. */
  readonly type?: string
}
