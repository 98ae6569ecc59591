/** Limits and lists as typed texts and as values of the service. */
interface Limit {
  readonly amountMinor: string | null
  readonly count: number | null
}

export const limitTexts = ({ amountMinor, count }: Limit): { readonly amount: string; readonly count: string } => ({
  amount: amountMinor ?? '',
  count: count === null ? '' : String(count),
})

export const limitFrom = (amount: string, count: string): Limit => ({
  amountMinor: amount.trim() === '' ? null : amount.trim(),
  count: count.trim() === '' ? null : Number(count),
})

/** Codes separated by commas or spaces. */
export const listFrom = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')
