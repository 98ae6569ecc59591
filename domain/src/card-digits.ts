/** Masks card numbers among digits as people and forms write them: in one run, or in groups with separators between. */
import { luhnValid, maskCard } from './card.ts'

// Lengths of a card number (Chapter 10 §2).
export const fewestCardDigits = 12
const mostCardDigits = 19

const separator = '(?:[ +-]|%20)'
const separators = new RegExp(`(${separator})`)

/** The pattern of digits and groups of digits that `maskCardDigits` takes. */
export const groupedDigits = `[0-9]+(?:${separator}[0-9]+)*`

/** Leaves runs of 20 digits and more alone: the reference of a settled payment has 23, and part of it often has a right check digit. */
export function maskCardDigits(run: string): string {
  return run.length < fewestCardDigits ? run : maskGroups(run.split(separators))
}

/**
 * `parts` alternates groups of digits and separators. A code or a date may follow a card number after a space, so every run of whole groups
 * is tried, the longest first.
 */
function maskGroups(parts: readonly string[]): string {
  let text = ''
  let at = 0
  while (at < parts.length) {
    const end = at % 2 === 0 ? endOfCardNumber(parts, at) : null
    text += end === null ? parts[at] : maskCard(digitsOf(parts, at, end))
    at = end ?? at + 1
  }
  return text
}

function endOfCardNumber(parts: readonly string[], from: number): number | null {
  for (let to = Math.min(parts.length, from + 2 * mostCardDigits - 1); to > from; to -= 2) {
    const digits = digitsOf(parts, from, to)
    if (digits.length < fewestCardDigits) return null
    if (digits.length <= mostCardDigits && luhnValid(digits)) return to
  }
  return null
}

function digitsOf(parts: readonly string[], from: number, to: number): string {
  return parts
    .slice(from, to)
    .filter((_, at) => at % 2 === 0)
    .join('')
}
