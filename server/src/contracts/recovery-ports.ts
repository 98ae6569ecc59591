/** What other parts know of an instance's recovery after its database was restored. */

/** After its database was restored an instance takes no payments and does no due work until its acquirers were asked. */
export interface Recovery {
  readonly active: boolean
  /** When the last recovery ended; null where there never was one. */
  readonly recoveredAt: Date | null
}

/** Our record as an instance in recovery reads it. */
export interface RestoredRecord {
  openTransactions(): AsyncIterable<{
    readonly merchantId: string
    readonly paymentId: string
    readonly id: string
  }>
  duePlans(now: Date): Promise<readonly { readonly merchantId: string; readonly chainId: string }[]>
  /** The transactions of these payments. */
  known(paymentIds: readonly string[]): Promise<readonly { readonly id: string; readonly state: string }[]>
}
