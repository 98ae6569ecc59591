/** The commission on debits as lines of text: `EUR 0.30 1.5` is the currency, a fixed amount and a percentage. */
type Commission = Readonly<Record<string, { readonly fixed: string; readonly percent: string }>>

export const commissionText = (commission: Commission): string =>
  Object.entries(commission)
    .map(([currency, { fixed, percent }]) => `${currency} ${fixed} ${percent}`)
    .join('\n')

export const commissionFrom = (text: string): Record<string, { fixed: string; percent: string }> =>
  Object.fromEntries(
    linesOf(text).map((line) => {
      const [currency = '', fixed = '', percent = ''] = line.split(/\s+/)
      return [currency.toUpperCase(), { fixed, percent }]
    }),
  )

/** Null if every line is valid. */
export function commissionFault(text: string): string | null {
  const wrong = linesOf(text).find((line) => !/^[A-Za-z]{3,12}\s+\d+(\.\d+)?\s+\d+(\.\d+)?$/.test(line))
  return wrong === undefined
    ? null
    : `"${wrong}" is not valid. Enter a currency, a fixed amount and a percentage, such as EUR 0.30 1.5.`
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
