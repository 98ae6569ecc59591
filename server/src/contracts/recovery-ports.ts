/** What other parts need to know about recovery after the database was restored. */

/** After a restore, an instance takes no payments and does no due work until it has queried its acquirers. */
export interface Recovery {
  readonly active: boolean
  /** When the last recovery ended; null if there was none. */
  readonly recoveredAt: Date | null
}

/** The restored record, as recovery reads it. */
export interface RestoredRecord {
  openTransactions(): AsyncIterable<{
    readonly merchantId: string
    readonly paymentId: string
    readonly id: string
  }>
  listDuePlans(now: Date): Promise<readonly { readonly merchantId: string; readonly chainId: string }[]>
  /** Those transactions of these payments that the restored record contains. */
  findKnown(paymentIds: readonly string[]): Promise<readonly { readonly id: string; readonly state: string }[]>
}
