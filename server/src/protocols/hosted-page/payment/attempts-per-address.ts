/** Limits the declined attempts per hour from one network address at one merchant, over all sessions and processes. */
export interface AttemptsPerAddress {
  /**
   * Counts an attempt as declined before its outcome is known, because attempts that are made together must not all pass the limit. The
   * caller releases it when it was not declined.
   */
  take(payer: AddressAtMerchant, most: number): Promise<CountedAttempt>
  /** Counts a decline that became known after its attempt was released. */
  count(payer: AddressAtMerchant): Promise<void>
}

interface AddressAtMerchant {
  readonly merchantId: string
  readonly address: string
}

type CountedAttempt =
  | { readonly allowed: true; release(): Promise<void> }
  | { readonly allowed: false; readonly retryAfterSeconds: number }
