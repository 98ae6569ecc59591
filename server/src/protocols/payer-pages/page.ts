/**
 * The layout of every page. Style and script are inline and allowed by their hashes, so that injected markup cannot run. Chapter 30 §7.9.
 */
import { hash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { style } from './style.ts'
import type { Wording } from './texts.ts'

export interface Page {
  readonly status: number
  readonly wording: Wording
  readonly title: string
  readonly content: Html
  readonly script?: string
  /** The origin that its frame may show, besides our own. */
  readonly frames?: string
  /** The final destination of its form. */
  readonly leadsTo?: string | null
}

/**
 * The headers of every answer: the address contains the key of a payment and must not be cached or passed on. A host that is served by http
 * must not set HSTS. Chapter 30 §7.9.
 */
export const commonHeaders = (plainHttp: boolean): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  ...(plainHttp ? {} : { 'strict-transport-security': 'max-age=31536000' }),
})

export const isPlainHttp = (publicUrl: string): boolean => publicUrl.startsWith('http:')

export function renderPage(page: Page): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const { wording, title, content, script } = page
  const { tag, direction } = wording.language
  const { markup } = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${rawMarkup(style)}</style>
</head>
<body>
<main>
${content}
</main>
${script === undefined ? '' : html`<script>${rawMarkup(script)}</script>\n`}</body>
</html>
`
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': tag,
      'content-security-policy': policy(page),
    },
    body: markup,
  }
}

/**
 * No `frame-ancestors`, because merchants embed these pages in their own.
 *
 * Browsers apply `form-action` also to redirects after a form was submitted, and the addresses of merchants and issuers are not known in
 * advance. Therefore every https address is allowed, and http only if the form's destination uses it.
 */
function policy({ script, frames, leadsTo }: Pick<Page, 'script' | 'frames' | 'leadsTo'>): string {
  const forms = leadsTo === undefined ? "'none'" : `'self' https:${leadsTo?.startsWith('http:') ? ' http:' : ''}`
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    ...(frames === undefined ? [] : [`frame-src 'self' ${frames}`]),
    `form-action ${forms}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only for our own style and scripts, which contain no external text. */
const rawMarkup = (markup: string): Html => ({ markup })
