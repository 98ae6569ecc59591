/** What is paid for, and how much. */
export interface OrderData {
  readonly id: string
  readonly description: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  /** The payer decides how much; the amount is then nothing until the money came. */
  readonly openAmount?: boolean
  /** Already part of the amount. Chapter 20 §12.2. */
  readonly commissionMinor?: bigint
}
