/** A card number while it is typed: digits in groups as on the card. Chapter 30 §7.1. */
import { type CardNetwork, networkOf } from '#domain/card.ts'

const longestCardNumber = 19

/** The longest number of networks whose cards all have fewer digits than the standard allows. */
const longestOfNetwork: Partial<Readonly<Record<CardNetwork, number>>> = {
  mastercard: 16,
  amex: 15,
  rupay: 16,
  elo: 16,
  troy: 16,
  uzcard: 16,
  humo: 16,
}

export const digitsOf = (text: string): string => text.replace(/\p{Nd}|./gsu, (sign) => westernDigit(sign))

/** Keyboards of some languages produce other digits than 0 to 9. */
function westernDigit(sign: string): string {
  if (/^[0-9]$/.test(sign)) return sign
  const code = sign.codePointAt(0) ?? 0
  const zero = [0x0660, 0x06f0, 0xff10].find((first) => code >= first && code <= first + 9)
  return zero === undefined ? '' : String(code - zero)
}

export function groupCardNumber(text: string): string {
  const typed = digitsOf(text)
  const network = networkOf(typed)
  const digits = typed.slice(0, (network && longestOfNetwork[network]) ?? longestCardNumber)
  const groups: string[] = []
  let from = 0
  for (const length of groupsOf(digits)) {
    if (from >= digits.length) break
    groups.push(digits.slice(from, from + length))
    from += length
  }
  return groups.join(' ')
}

/** Null until the digits determine the network. */
export function networkWhileTyping(text: string): CardNetwork | null {
  const digits = digitsOf(text)
  return digits === '' ? null : (networkOf(digits) ?? null)
}

/** Most cards of a network have this many digits: a shorter number is probably not complete. */
export function usualLength(network: CardNetwork | undefined): number {
  if (network === 'dinersclub') return 14
  return network === 'amex' ? 15 : 16
}

/** Amex has a security code of four digits. */
export const codeLength = (network: string | null): number => (network === 'amex' ? 4 : 3)

function groupsOf(digits: string): readonly number[] {
  const network = networkOf(digits)
  if (network === 'amex') return [4, 6, 5]
  if (network === 'dinersclub' && digits.length <= 14) return [4, 6, 4]
  return [4, 4, 4, 4, 3]
}
