/** The card networks for which companies limit the documents of disputes otherwise than for the rest. */
export type LimitedBrand = 'mastercard' | 'discover' | 'diners'

// biome-ignore format: a table is read in columns.
const brands: readonly (readonly [LimitedBrand, RegExp])[] = [
  [ 'mastercard', /^(?:5[1-5]|2[2-7])/ ],
  [ 'discover',   /^(?:6011|64|65)/    ],
  [ 'diners',     /^3[0689]/           ],
]

/** Null for every other one, and without a number. */
export const brandOf = (number: string): LimitedBrand | null =>
  brands.find(([, sign]) => sign.test(number))?.[0] ?? null
