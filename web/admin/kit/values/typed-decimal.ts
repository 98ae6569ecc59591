/** Reads a number as its user writes it: with the separators and digits of the locale, or plainly with a point. */

/** With a decimal point and without grouping; null if the text is no number without a sign. */
export function decimalOf(typed: string, locale?: string): string | null {
  const { group, decimal } = separatorsOf(locale)
  const text = latinDigits(typed.trim(), locale)
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('’', "'")
  const groups = String.raw`\d{1,3}(?:${group}\d{2,3})*${group}\d{3}`
  const forms = [
    new RegExp(String.raw`^(${groups}|\d+)(?:${decimal}(\d+))?$`),
    // The decimal separator of another locale, where it cannot be a group: 12,34 or 12.3.
    /^(\d+)[.,](\d+)$/,
    // Spaces group digits in every locale.
    /^(\d{1,3}(?: \d{3})+)(?:[.,](\d+))?$/,
  ]
  for (const form of forms) {
    const [, whole, fraction] = form.exec(text) ?? []
    if (whole === undefined) continue
    const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
    return fraction === undefined ? digits : `${digits}.${fraction}`
  }
  return null
}

interface Separators {
  /** As parts of a regular expression. */
  readonly group: string
  readonly decimal: string
}

function separatorsOf(locale: string | undefined): Separators {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234567.5)
  const partOf = (type: Intl.NumberFormatPartTypes, otherwise: string): string =>
    parts.find((part) => part.type === type)?.value ?? otherwise
  return { group: patternOf(partOf('group', ',')), decimal: patternOf(partOf('decimal', '.')) }
}

function patternOf(mark: string): string {
  if (/\s/.test(mark)) return ' '
  return mark === '’' ? "'" : `\\${mark}`
}

/** The decimal separator of the locale. */
export const decimalMark = (locale?: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** The digits of a text in those of the locale, so that no number mixes two kinds. */
export function localeDigits(text: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false })
  return text.replaceAll(/\d/g, (digit) => format.format(Number(digit)))
}

/** Digits of the locale as 0–9; a user may also type these. */
function latinDigits(text: string, locale: string | undefined): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false })
  const digits = new Map(Array.from({ length: 10 }, (_, digit) => [format.format(digit), String(digit)]))
  return Array.from(text, (sign) => digits.get(sign) ?? sign).join('')
}
