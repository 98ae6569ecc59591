/** Amounts as Adyen counts them. Its list of currency codes names the four that differ from ISO 4217. */
import { acquirerAmounts } from '../amounts.ts'

export const adyenAmounts = acquirerAmounts({ CLP: 2, CVE: 0, IDR: 0, ISK: 2 })
