/** Texts with holes: `Pay {amount}`. */

export type Values = Readonly<Record<string, string>>

/** A hole without a value stays, so that parts of a text can be filled one after the other. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? hole) : hole,
  )
}

/** The form of a text for a number, by the rules of the language; every text has `other`. */
export function pluralOf(forms: Values, count: number, tag: string): string {
  return forms[new Intl.PluralRules(tag).select(count)] ?? forms['other'] ?? ''
}

/** A text cut at its holes: texts at even places, names of holes at odd ones. */
export const cutAtHoles = (text: string): readonly string[] => text.split(/\{(\w+)\}/)
