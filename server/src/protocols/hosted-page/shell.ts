/**
 * The HTML of the hosted page: a skeleton, and the script that renders the rest. Chapter 30 §7.2.
 *
 * It contains no payment data. The script reads the session's token from the address and requests the session. The template is included, so
 * that the layout does not shift when the session arrives; a preview includes its whole session and sends no request.
 */
import { type BrandTemplate, ownTemplate } from '#domain/checkout/branding.ts'
import type { Mode } from '#domain/merchant.ts'
import { type Language, languages } from '#domain/place/language.ts'
import type { WebFile, WebFiles } from '../assets/web-files.ts'
import { type Html, html } from '../payer-pages/html.ts'
import { pageTexts } from './texts.ts'

interface Shell {
  readonly language: Language
  readonly title: string
  readonly pinned: boolean
  readonly mode: Mode
  /** The number of wallet buttons that the page will show if the browser has the wallets. */
  readonly wallets?: number
  readonly template?: BrandTemplate | undefined
  /** The sample session of a preview. */
  readonly preview?: object
}

export function shellHtml(
  { language, title, pinned, mode, template = ownTemplate, wallets = 0, preview }: Shell,
  files: WebFiles,
): string {
  const { tag, direction, code } = language
  const { noScript } = pageTexts(code)
  const { markup } = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
${styleOf(files.find('checkout.css'), pinned)}${scriptOf(files.find('checkout.js'), pinned)}${textsOf(files.find(`language.${code}.json`))}</head>
<body data-template="${template}">
<noscript><p>${noScript}</p></noscript>
<div id="checkout" data-language="${code}" data-languages="${languageFiles(files)}" data-test="${String(mode === 'test')}" data-wallets="${String(wallets)}"${previewOf(preview)} aria-busy="true"></div>
</body>
</html>
`
  return markup
}

const previewOf = (session: object | undefined): Html =>
  session ? html` data-preview="${JSON.stringify(session)}"` : html``

/** The addresses of all languages' texts; the page loads one of them. */
const languageFiles = (files: WebFiles): string =>
  JSON.stringify(
    Object.fromEntries(
      languages.flatMap(({ code }) => {
        const file = files.find(`language.${code}.json`)
        return file ? [[code, file.path]] : []
      }),
    ),
  )

/** Preloaded, because the script requests the texts only after it has loaded itself, which takes long on a slow connection. */
const textsOf = (file: WebFile | null): Html =>
  file ? html`<link rel="preload" as="fetch" href="${file.path}" crossorigin="anonymous">\n` : html``

export const styleOf = (file: WebFile | null, pinned: boolean): Html | '' =>
  file ? html`<link rel="stylesheet" href="${file.path}"${pin(file, pinned)}>\n` : ''

export const scriptOf = (file: WebFile | null, pinned: boolean): Html | '' =>
  file ? html`<script type="module" src="${file.path}"${pin(file, pinned)}></script>\n` : ''

const pin = ({ integrity }: WebFile, pinned: boolean): Html =>
  pinned ? html` integrity="${integrity}" crossorigin="anonymous"` : html``
