/** Markup that came about by `html` and by nothing else; every text that went into it was escaped. */
export interface Html {
  readonly markup: string
}

/** A template whose values are texts, shown as they are, or markup made here before. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
}

/** A text with `{names}` in it, where what stands for a name keeps its own direction of writing. */
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
