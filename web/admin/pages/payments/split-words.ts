/** Splits the text of the search box into words: named ones, quoted ones, and what belongs together without quotes. */
import { isoExponents } from '#domain/money/currencies.ts'

interface SearchWord {
  /** The name before a colon, such as `order`; null if the form of the value decides. */
  readonly name: string | null
  readonly value: string
  /** The text that was typed for it. */
  readonly source: string
}

const namedOrPlain = /([a-z]+):(?:"([^"]*)"?|(\S*))|"([^"]*)"?|\S+/giu

export function wordsIn(typed: string, isNumber: (text: string) => boolean): readonly SearchWord[] {
  const words = [...typed.matchAll(namedOrPlain)].map(([source, name, quoted, bare, alone]): SearchWord => {
    // A colon also occurs in an IPv6 address, whose first part may be letters only.
    if (name !== undefined && !/^[0-9a-f:.]+$/i.test(source))
      return { name, value: (quoted ?? bare ?? '').trim(), source }
    return { name: null, value: (alone ?? source).trim(), source }
  })
  return joinWords(words, isNumber)
}

/** A masked card, a grouped number, an amount with its currency and a name of several words may contain spaces. */
function joinWords(words: readonly SearchWord[], isNumber: (text: string) => boolean): readonly SearchWord[] {
  const result: SearchWord[] = []
  for (const word of words) {
    const last = result.at(-1)
    const both = last && last.name === null && word.name === null ? `${last.value} ${word.value}` : null
    if (last !== undefined && both !== null && isOneWord(last.value, word.value, isNumber)) {
      const value = isCard(last.value, word.value) ? both.replaceAll(' ', '') : both
      result.splice(-1, 1, { name: null, value: withStars(value), source: `${last.source} ${word.source}` })
    } else result.push(word)
  }
  return result
}

function isOneWord(one: string, next: string, isNumber: (text: string) => boolean): boolean {
  if (isCard(one, next)) return true
  if (isNumber(one) && /^\d{3}(?:[.,]\d+)?$/.test(next) && isNumber(`${one} ${next}`)) return true
  if ((isNumber(one) && isCurrency(next)) || (isCurrency(one) && isNumber(next))) return true
  return isName(one) && isName(next) && !isCurrency(next)
}

const isCurrency = (word: string): boolean => isoExponents.has(word.toUpperCase()) && word.length === 3
const isName = (text: string): boolean => /^[\p{L}\p{M}'’.\- ]+$/u.test(text) && !/^[xX*•…]+$/.test(text)

/** Parts of `411111 ****** 1111`, of `4111 11•• •••• 1111` and of `•••• 1111`; also six digits and four digits. */
const isCard = (one: string, next: string): boolean =>
  (/[*•…]$/.test(one) && /^[*•…]*(?:\d{4})?$/.test(next)) ||
  (/^\d{4}$/.test(one) && /^\d{2}[*•…x]+$/i.test(next)) ||
  (/^\d{6}$/.test(one) && /^[*•…]+(?:\d{4})?$|^\d{4}$/.test(next))

/** Six digits and four digits without stars between them would read as one number. */
const withStars = (value: string): string => value.replace(/^(\d{6})(\d{4})$/, '$1******$2')
