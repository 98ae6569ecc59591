/** PayPal's own test values: names on the card that are rejected, and cards whose payer is authenticated. */

/** By the processor response code. */
export const rejections: ReadonlyMap<string, string> = new Map([
  ['CCREJECT-REFUSED', '0500'],
  ['CCREJECT-SF', '9500'],
  ['CCREJECT-EC', '5400'],
  ['CCREJECT-IRC', '5180'],
  ['CCREJECT-IF', '5120'],
  ['CCREJECT-LS', '9520'],
  ['CCREJECT-IA', '1330'],
  ['CCREJECT-BANK_ERROR', '5100'],
  ['CCREJECT-CVV_F', '00N7'],
])

/** The issuer of these wants to see the payer, also where SCA_WHEN_REQUIRED was asked for. */
export const challengedNumbers: ReadonlySet<string> = new Set(['4868719166101368', '5329879735316929'])

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|2)/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^3/, 'DINERS'],
  [/^6/, 'DISCOVER'],
]

export const brandOf = (number: string): string => brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'UNKNOWN'
