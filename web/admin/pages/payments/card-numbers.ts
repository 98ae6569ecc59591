/** Recognises card numbers in typed text, because the text of a search becomes part of the page's address. */
import { luhnValid } from '#domain/card.ts'

/** Also grouped by spaces or hyphens, as cards show them. A text after `order:` or `ref:` is what its name says. */
export function hasCardNumber(typed: string): boolean {
  const unnamed = typed.replaceAll(/\b(?:order|ref):(?:"[^"]*"|\S*)/gi, ' ')
  const numbers = [...unnamed.matchAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g)]
  return numbers.some(([text]) => luhnValid(text.replaceAll(/\D/g, '')))
}
