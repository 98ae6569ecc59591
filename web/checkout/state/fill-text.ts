/** Texts with placeholders: `Pay {amount}`. */

export type Values = Readonly<Record<string, string>>

/** A placeholder without a value stays, so that a text can be filled in several steps. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? hole) : hole,
  )
}

/** The plural form for a number, by the rules of the language; every text has `other`. */
export function pluralOf(forms: Values, count: number, tag: string): string {
  return forms[new Intl.PluralRules(tag).select(count)] ?? forms['other'] ?? ''
}

/** A text split at its placeholders: texts at even indexes, placeholder names at odd ones. */
export const cutAtHoles = (text: string): readonly string[] => text.split(/\{(\w+)\}/)
