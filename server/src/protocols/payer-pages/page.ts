/**
 * The frame of every page. Nothing on it comes from elsewhere: style and script are inside and named by their hashes, so that
 * nothing that slipped into the markup could run. Chapter 30 §7.9.
 */
import { hash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { style } from './style.ts'
import type { Speech } from './texts.ts'

export interface Page {
  readonly status: number
  readonly speech: Speech
  readonly title: string
  readonly content: Html
  readonly script?: string
  /** Where its form leads in the end. */
  readonly leadsTo?: string | null
}

/**
 * What every answer of these addresses carries: the address holds the key of a payment, and must not be kept or passed on. A host
 * that is reached by http must not tell a browser to stay away from it. Chapter 30 §7.9.
 */
export const commonHeaders = (plainHttp: boolean): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  ...(plainHttp ? {} : { 'strict-transport-security': 'max-age=31536000' }),
})

export const isPlainHttp = (publicUrl: string): boolean => publicUrl.startsWith('http:')

export function renderPage({ speech, title, content, script, leadsTo }: Page): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const { tag, direction } = speech.language
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
      'content-security-policy': policy(script, leadsTo),
    },
    body: markup,
  }
}

/**
 * No `frame-ancestors`: merchants show these pages inside their own.
 *
 * Browsers hold `form-action` against every address that the answer of a form redirects to as well, at the merchant's and at the issuer's
 * where nobody knows them beforehand. Hence any address by https, and by http only where the way leads there.
 */
function policy(script: string | undefined, leadsTo: string | null | undefined): string {
  const forms = leadsTo === undefined ? "'none'" : `'self' https:${leadsTo?.startsWith('http:') ? ' http:' : ''}`
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `form-action ${forms}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only for our own style and scripts, which contain no external text. */
const rawMarkup = (markup: string): Html => ({ markup })
