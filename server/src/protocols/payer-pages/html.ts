/** Markup that only `html` can create, so that every text in it is escaped. */
export interface Html {
  readonly markup: string
}

/** A template whose values are texts, which are escaped, or markup created by `html`. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
}

/** A text with `{names}`, whose values keep their own writing direction. */
export function fillMarkup(text: string, values: Readonly<Record<string, string>>): Html {
  const parts = text.split(/\{(\w+)\}/)
  const pieces = parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<bdi>${values[part] ?? ''}</bdi>`))
  return html`${pieces}`
}

const isList = (value: Html | readonly Html[]): value is readonly Html[] => Array.isArray(value)

function markupOf(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return isList(value) ? value.map(({ markup }) => markup).join('') : value.markup
}
