/** GET /hosted-fields/{card|expiry|cvv}: a frame with exactly one input and its label. Chapter 30 §8.3. */
import { type Language, languageOf, languages } from '#domain/place/language.ts'
import type { WebFiles } from '../../assets/web-files.ts'
import { html } from '../../payer-pages/html.ts'
import { policyHeaders } from '../policy.ts'
import { scriptOf, styleOf } from '../shell.ts'
import { type PageTexts, pageTexts } from '../texts.ts'

// biome-ignore format: a table is read in columns.
const frames = {
  // frame     label         autocomplete  longest
  card:      [ 'cardNumber', 'cc-number',  23 ],
  expiry:    [ 'expiry',     'cc-exp',     7  ],
  cvv:       [ 'code',       'cc-csc',     4  ],
} as const satisfies Record<string, readonly [keyof PageTexts, string, number]>

type FrameName = keyof typeof frames

export const isFrame = (name: string): name is FrameName => Object.hasOwn(frames, name)

interface Frame {
  readonly name: FrameName
  readonly language: string | null
  /** Origins that may embed it. */
  readonly embedders: string
  readonly plainHttp: boolean
}

/** The session's token reaches the frame by message and never appears in its address. */
export function framePage(
  { name, language: wanted, embedders, plainHttp }: Frame,
  files: WebFiles,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const language = languageNamed(wanted)
  const [label, autocomplete, longest] = frames[name]
  const text = pageTexts(language.code)[label]
  const { markup } = html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text}</title>
${styleOf(files.find('field.css'), true)}${scriptOf(files.find('field.js'), true)}</head>
<body>
<label for="field">${text}</label>
<input id="field" name="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${String(longest)}" dir="ltr" spellcheck="false">
</body>
</html>
`
  const headers = policyHeaders({ embedders, plainHttp, trustedTypes: true })
  return { headers: { ...headers, 'content-language': language.tag }, body: markup }
}

function languageNamed(wanted: string | null): Language {
  const code = languageOf(wanted ?? undefined)
  const language = languages.find((one) => one.code === code)
  if (!language) throw new Error('Every code has its language.')
  return language
}
