/**
 * Amounts as Checkout.com counts them ("Format the amount value", November 2025): three lists, and two decimals for every currency that is
 * on none of them. Amounts with three decimals end in 0, and none has more than nine digits.
 */
import { isoExponents } from '#domain/money/currencies.ts'
import { type AcquirerAmounts, acquirerAmounts } from '../amounts.ts'

const withoutDecimals = 'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VUV VND XAF XOF XPF'.split(' ')
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const usual = 2

const decimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...isoExponents.keys()].map((currency) => [currency, usual])),
  ...Object.fromEntries(withoutDecimals.map((currency) => [currency, 0])),
  ...Object.fromEntries(withThree.map((currency) => [currency, 3])),
}

// Those of CLP always end in 00, since it has no decimals with us.
const multiples: Readonly<Record<string, bigint>> = Object.fromEntries(withThree.map((currency) => [currency, 10n]))

const exact = acquirerAmounts(decimals, multiples)
const largest = 999_999_999n

export const checkoutAmounts: AcquirerAmounts = {
  ...exact,
  toAcquirer: (amountMinor, currency) => {
    const amount = exact.toAcquirer(amountMinor, currency)
    return amount !== null && amount <= largest ? amount : null
  },
}
