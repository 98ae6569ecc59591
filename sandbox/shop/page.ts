/** The frame of the shop's pages. They allow scripts and frames from the gateway only, as a careful merchant's pages would. */
import { escapeHtml, headOf } from '../kit/html.ts'
import type { Reply } from '../kit/reply.ts'
import type { Account } from './gateway.ts'

export function page(status: number, title: string, content: string, account: Account | null): Reply {
  const body = `<!doctype html>
<html lang="en">
${headOf(title, '<link rel="icon" href="data:,">\n<link rel="stylesheet" href="/shop/style.css">')}
<body>
<header><p><a href="/shop">Demo shop</a></p> <p class="quiet">A sandbox merchant. No money moves.</p>
<nav aria-label="Elsewhere">${panelLink(account)} <a href="/shop/docs/checkout.md">Checkout docs</a> <a href="/shop/docs/hosted-fields.md">Fields docs</a> <a href="/shop/docs/checkout-sdk.md">SDK docs</a></nav></header>
<main>
${content}
</main>
</body>
</html>
`
  return { status, body, headers: headersFor(account) }
}

const panelLink = (account: Account | null): string =>
  account === null ? '' : `<a href="${escapeHtml(account.baseUrl)}/admin">Admin panel</a>`

/**
 * The form redirects to the gateway, and from there to the host of the merchant's own form, which the gateway chooses. Browsers check every
 * address on the way against `form-action`.
 */
function headersFor(account: Account | null): Readonly<Record<string, string>> {
  const gateway = account === null ? '' : ` ${new URL(account.baseUrl).origin}`
  const policy = [
    "default-src 'none'",
    `script-src 'self'${gateway}`,
    "style-src 'self'",
    "connect-src 'self'",
    `frame-src${gateway || " 'none'"}`,
    "form-action 'self' http: https:",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
