/** The shop's front page, its page with hosted fields, and its messages. */
import { escapeHtml } from '../kit/html.ts'
import type { Reply } from '../kit/reply.ts'
import type { Account } from './gateway.ts'
import { page } from './page.ts'
import { requestView } from './request-view.ts'
import type { SignedRequest } from './signed-request.ts'
import { type WayToPay, ways } from './ways.ts'

/** `acquirer` is the one that the visitor has chosen; empty for the sandbox acquirer. `requestOf` gives the request of a way to pay. */
export function frontPage(
  accounts: readonly Account[],
  acquirer: string,
  requestOf: (way: WayToPay, account: Account) => SignedRequest,
): Reply {
  const account = accounts.find((one) => one.acquirer === acquirer) ?? accounts[0] ?? null
  const groups = ['Hosted page', 'Your own page'] as const
  const sections = groups.map(
    (group) =>
      `<h3>${group}</h3>\n<ul class="ways">\n${ways
        .filter((way) => way.group === group && isOffered(way, account))
        .map((way) => wayItem(way, account?.acquirer ?? '', account && requestOf(way, account)))
        .join('\n')}\n</ul>`,
  )
  const waiting =
    account === null ? '<p class="notice">The gateway is not ready yet. Reload this page in a moment.</p>' : ''
  const content = `<div class="columns">
<section aria-labelledby="pay">
${shoe}
<h1>Running shoes</h1>
<p class="price">49.90 EUR</p>
${waiting}
${accounts.length > 1 ? acquirerChoice(accounts, account) : ''}
<h2 id="pay">Choose a payment method</h2>
${sections.join('\n')}
</section>
<div>
<section aria-labelledby="cards" class="panel">
<h2 id="cards">Test cards</h2>
<p>Number <code>4111 1111 1111 1111</code>, any three-digit security code. The expiry date decides the outcome:</p>
<dl class="cards">
${testCards.map(([expiry, outcome]) => `<div><dt><code>${expiry}</code></dt><dd>${outcome}</dd></div>`).join('\n')}
</dl>
</section>
<section aria-labelledby="callbacks" class="panel">
<h2 id="callbacks">Callbacks</h2>
<p id="none">No callbacks yet. Callbacks to this shop appear here, with their signatures verified.</p>
<ol id="list" aria-live="polite" aria-relevant="additions"></ol>
</section>
</div>
</div>
<script src="/shop/shop.js" type="module"></script>`
  return page(200, 'Demo shop', content, account)
}

export function fieldsPage(account: Account | null): Reply {
  if (account === null)
    return messagePage(503, 'Not ready', 'The gateway is not ready yet. Reload this page in a moment.')
  const content = `<section class="narrow panel">
<h1>Running shoes</h1>
<p class="price">49.90 EUR</p>
<p>This page belongs to the shop. The card fields are frames of the gateway: the shop never sees the card data.</p>
<form id="pay">
<p class="field"><span class="label" data-field="card">Card number</span><span class="frame" id="card"></span></p>
<div class="pair">
<p class="field"><span class="label" data-field="expiry">Expiry date</span><span class="frame" id="expiry"></span></p>
<p class="field"><span class="label" data-field="cvv">Security code</span><span class="frame" id="cvv"></span></p>
</div>
<p class="field"><label class="label" for="name">Name on the card</label><input id="name" autocomplete="cc-name" value="Jane Roe"></p>
<p id="notice" role="status"></p>
<button type="submit" class="primary">Pay 49.90 EUR</button>
</form>
<p><a href="/shop">Back to the shop</a></p>
</section>
<script src="${escapeHtml(account.baseUrl)}/sdk/hosted-fields.js"></script>
<script src="/shop/fields.js" type="module"></script>`
  return page(200, 'Pay with hosted fields', content, account)
}

export function messagePage(status: number, title: string, text: string): Reply {
  const content = `<section class="narrow panel">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a class="primary" href="/shop">Back to the shop</a></p>
</section>`
  return page(status, title, content, null)
}

/** A stand-in for an acquirer takes cards, and nothing that only the sandbox simulates. */
const cardWays: ReadonlySet<string> = new Set(['card', '3ds', 'saved', 'hold', 'subscription'])

const isOffered = ({ id }: WayToPay, account: Account | null): boolean => !account?.acquirer || cardWays.has(id)

function acquirerChoice(accounts: readonly Account[], chosen: Account | null): string {
  const options = accounts.map(({ acquirer }) => {
    const isChosen = acquirer === chosen?.acquirer ? ' selected' : ''
    return `<option value="${escapeHtml(acquirer)}"${isChosen}>${escapeHtml(acquirer || 'sandbox')}</option>`
  })
  return `<form class="field" action="/shop"><label class="label" for="acquirer">Pay over the acquirer</label>
<span class="pair choice"><select id="acquirer" name="acquirer">${options.join('')}</select> <button type="submit" class="second">Choose</button></span></form>`
}

function wayItem({ id, title, hint, request }: WayToPay, acquirer: string, signed: SignedRequest | null): string {
  const inside = `<strong>${escapeHtml(title)}</strong> <span>${escapeHtml(hint)}</span>`
  const button =
    request === null
      ? `<a class="way" href="/shop/${id}">${inside}</a>`
      : `<form method="post" action="/shop/pay/${id}${acquirer && `?acquirer=${encodeURIComponent(acquirer)}`}"><button type="submit" class="way">${inside}</button></form>`
  return `<li>${button}${signed ? requestView(signed) : ''}</li>`
}

// biome-ignore format: a table is read in columns.
const testCards = [
  // expiry     outcome
  ['01/38',    'success'],
  ['02/38',    'declined'],
  ['05/38',    '3-D Secure, then success'],
  ['06/38',    '3-D Secure, then declined'],
  ['12/38',    'redirect, then success'],
] as const

const shoe = `<svg class="product" viewBox="0 0 240 120" role="img" aria-label="A running shoe"><path class="body" d="M18 84c6-26 8-44 8-56 10 8 22 10 36 4 10 22 40 34 84 38 36 4 68 6 74 22 2 6 0 12-4 12H24c-6 0-8-8-6-20z"/><path class="sole" d="M14 96h210v8c0 6-4 8-10 8H26c-8 0-12-6-12-16z"/><path class="lace" d="m70 54 16-14m2 24 16-14m2 24 16-13"/></svg>`
