/**
 * The hosted page as the server sends it: a skeleton that says what is coming, and the script that draws the rest. Chapter 30 §7.2.
 *
 * Nothing of the payment is in it. The script reads the session's token from the address, and asks for the rest.
 */
import { type Language, languages } from '#domain/language.ts'
import type { WebFile, WebFiles } from '../assets/web-files.ts'
import { type Html, html } from '../page/html.ts'
import { pageTexts } from './texts.ts'

export interface Shell {
  readonly language: Language
  readonly title: string
  readonly pinned: boolean
  readonly test: boolean
}

export function shellHtml({ language, title, pinned, test }: Shell, files: WebFiles): string {
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
${styleOf(files.named('checkout.css'), pinned)}${scriptOf(files.named('checkout.js'), pinned)}</head>
<body>
<noscript><p>${noScript}</p></noscript>
<div id="checkout" data-language="${code}" data-languages="${languageFiles(files)}" data-test="${String(test)}" aria-busy="true"></div>
</body>
</html>
`
  return markup
}

/** The texts of one language are loaded at a time; the page knows where the others are. */
const languageFiles = (files: WebFiles): string =>
  JSON.stringify(
    Object.fromEntries(
      languages.flatMap(({ code }) => {
        const file = files.named(`language.${code}.json`)
        return file ? [[code, file.path]] : []
      }),
    ),
  )

export const styleOf = (file: WebFile | null, pinned: boolean): Html | '' =>
  file ? html`<link rel="stylesheet" href="${file.path}"${pin(file, pinned)}>\n` : ''

export const scriptOf = (file: WebFile | null, pinned: boolean): Html | '' =>
  file ? html`<script type="module" src="${file.path}"${pin(file, pinned)}></script>\n` : ''

const pin = ({ integrity }: WebFile, pinned: boolean): Html =>
  pinned ? html` integrity="${integrity}" crossorigin="anonymous"` : html``
