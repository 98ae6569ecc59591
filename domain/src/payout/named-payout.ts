/** Which payout of an acquirer a line of the bank belongs to. */
import type { BankLine } from './camt053.ts'

export interface AnnouncedSum {
  readonly midId: string
  /** The acquirer's reference. */
  readonly payout: string
  readonly currency: string
  readonly netMinor: bigint
}

/**
 * What in a line may be the reference of a payout: its words, and every two that follow each other, since some references have a space
 * ("batch 7").
 */
export function payoutNames({ text, endToEndId }: Pick<BankLine, 'text' | 'endToEndId'>): readonly string[] {
  const words = text
    .split(/[^\p{L}\p{N}._/-]+/u)
    .map((word) => word.replace(/^[._/-]+|[._/-]+$/g, ''))
    .filter((word) => word !== '')
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  return [...new Set([...(endToEndId === null ? [] : [endToEndId]), ...words, ...pairs])]
}

/** A shorter reference may be any number in a text, so that the line has to be of its exact sum. */
const tellingLength = 6

/**
 * The announced sum that the line pays: the one of its exact amount, else of its currency, else any that it names, so that another amount or
 * currency shows as a difference. Null if it remains open which.
 */
export function payoutOf(
  { currency, amountMinor }: Pick<BankLine, 'currency' | 'amountMinor'>,
  named: readonly AnnouncedSum[],
): AnnouncedSum | null {
  const exact = named.filter((one) => one.currency === currency && one.netMinor === amountMinor)
  const telling = named.filter(({ payout }) => payout.length >= tellingLength)
  const sameCurrency = telling.filter((one) => one.currency === currency)
  const found = [exact, sameCurrency, telling].find((group) => group.length > 0) ?? []
  const [first] = found
  return first && found.every(({ midId, payout }) => midId === first.midId && payout === first.payout) ? first : null
}
