/**
 * The pages on which a payer acts: in the payer's language, usable by keyboard and on small phones, and without external resources. They
 * work without scripts, so that a test client can do what a browser does.
 */
import { hash } from 'node:crypto'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { escapeHtml, headOf } from './html.ts'
import { directionOf } from './language.ts'
import { type MoneyTexts, moneyTexts } from './money-texts.ts'
import { type Language, type PayerTexts, payerTexts } from './payer-texts.ts'
import type { Reply } from './reply.ts'

export interface PaymentShown {
  /** Empty if unknown. */
  readonly merchant: string
  /** Null if the payer chooses the amount. */
  readonly amountMinor: bigint | null
  readonly currency: string
  /** Masked; empty if there is none. */
  readonly card: string
  /** The address and network of a crypto payment. */
  readonly address?: string
  readonly network?: string
  /** The reference with which a voucher is paid. */
  readonly reference?: string
}

export interface Form {
  /** Null: the page's own address. */
  readonly action: string | null
  readonly method: 'get' | 'post'
  readonly fields: Readonly<Record<string, string>>
  /** The initial amount of the amount field; absent if no amount is asked. */
  readonly amount?: string
  readonly buttons: readonly Button[]
}

interface Button {
  readonly text: 'approve' | 'decline' | 'leave' | 'paid' | 'expired'
  /** The name of the field that the button adds to the form. */
  readonly name?: string
}

/** Asks the payer. A button with a `name` adds the field `name` with its `text` as value. */
export function askPayer(language: Language, payment: PaymentShown, forms: readonly Form[]): Reply {
  const texts = { ...payerTexts[language], ...moneyTexts[language] }
  const rows = [
    [texts.merchant, payment.merchant],
    [texts.amount, amountOf(payment)],
    [texts.card, payment.card],
    [texts.address, payment.address ?? ''],
    [texts.network, payment.network ?? ''],
    [texts.reference, payment.reference ?? ''],
  ] as const
  const list = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`)
  return page(200, language, `<dl>\n${list.join('\n')}\n</dl>\n${forms.map((form) => formOf(form, texts)).join('\n')}`)
}

/** Tells the payer that nothing more happens here. */
export function tellPayer(status: number, language: Language, text: 'left' | 'invalid'): Reply {
  return page(status, language, `<p role="status">${escapeHtml(payerTexts[language][text])}</p>`)
}

function page(status: number, language: Language, content: string): Reply {
  const { title, notice } = payerTexts[language]
  const body = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
${headOf(title, `<style>${style}</style>`)}
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
<p class="notice">${escapeHtml(notice)}</p>
</main>
</body>
</html>
`
  return { status, body, headers: { ...headers, 'content-language': language } }
}

function formOf({ action, method, fields, amount, buttons }: Form, texts: PayerTexts & MoneyTexts): string {
  const to = action === null ? '' : ` action="${escapeHtml(action)}"`
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const field =
    amount === undefined
      ? []
      : [
          `<label>${escapeHtml(texts.amount)} <input name="amount" inputmode="decimal" autocomplete="off" value="${escapeHtml(amount)}"></label>`,
        ]
  const shown = buttons.map(({ text, name }) => {
    const field = name === undefined ? '' : ` name="${escapeHtml(name)}" value="${text}"`
    return `<button class="${text}"${field}>${escapeHtml(texts[text])}</button>`
  })
  return `<form method="${method}"${to}>\n${[...hidden, ...field, ...shown].join('\n')}\n</form>`
}

function amountOf({ amountMinor, currency }: PaymentShown): string {
  if (amountMinor === null) return currency
  const known = exponentOf(currency, cryptoExponents) !== undefined
  return `${known ? formatAmount(amountMinor, currency) : amountMinor} ${currency}`
}

const style = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --ground: #f1f3f6; --line: #d5d9e0; --quiet: #565d69; --accent: #1d5bb8; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ebee; --paper: #1e2126; --ground: #121417; --line: #3c414a; --quiet: #aab1bc; --accent: #8ab4f8; --on-accent: #0e2240 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; background: var(--paper); border: 1px solid var(--line) }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25 }
dl { margin: 0 0 1.5rem }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
form { margin: 0 0 .75rem }
button { display: block; width: 100%; min-height: 2.75rem; margin: 0 0 .75rem; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .375rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer }
label { display: block; margin: 0 0 .75rem; color: var(--quiet) }
input:not([type=hidden]) { display: block; width: 100%; min-height: 2.75rem; padding: .5rem; border: 1px solid var(--line); border-radius: .375rem; background: transparent; color: var(--ink); font: inherit }
button.approve, button.paid { background: var(--accent); color: var(--on-accent) }
button.leave { border-color: transparent }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.notice { margin: 0; color: var(--quiet); font-size: .875rem }
@media (min-width: 30rem) { main { margin: 3rem auto; padding: 2rem; border-radius: .75rem } }
`

const headers = {
  // `form-action` allows every website: browsers apply it to redirects as well, and the form redirects to the merchant, whose address is
  // unknown here. No `frame-ancestors`: a merchant may show the page in a frame.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action http: https:; base-uri 'none'`,
  'cache-control': 'no-store',
  // The address of the page contains the key to its payment.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
