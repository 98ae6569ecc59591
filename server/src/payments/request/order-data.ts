/** The order of a payment and its amount. */
export interface OrderData {
  readonly id: string
  readonly description: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  /** The payer chooses the amount, which is zero until the money has arrived. */
  readonly openAmount?: boolean
  /** Already part of the amount. Chapter 20 §12.2. */
  readonly commissionMinor?: bigint
}
