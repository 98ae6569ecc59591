/** What the shop's customers see, and below it what its owner sees. */
import type { Answer } from '../../client/typescript/src/index.ts'
import { allOrders, type Order } from './orders.ts'

const escapeHtml = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const list = <One>(all: readonly One[], write: (one: One) => string): string => all.map(write).join('')

const page = (title: string, content: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root { color-scheme: light dark; font: 16px/1.5 system-ui } body { max-width: 38rem; margin: auto; padding: 1rem }
form, label { display: block; margin: .75rem 0 } input, button { font: inherit; padding: .5rem; max-width: 100% }
label input { display: block; width: 100%; box-sizing: border-box } .frame { border: 1px solid; height: 2.75rem }
li { overflow-wrap: anywhere }</style>
<main><h1>${title}</h1>${content}</main></html>`

const button = (path: string, title: string, number = ''): string =>
  `<form method="post" action="${path}"><input type="hidden" name="number" value="${number}"><button>${title}</button></form>`

export const messagePage = (message: string): string =>
  page('Shoes', `<p role="alert">${escapeHtml(message)}</p><a href="/">Back to the shop</a>`)

export const homePage = (): string =>
  page(
    'Shoes',
    `<p>A pair of shoes, 10.00 EUR.</p>
${button('/hosted-page', 'Pay on the hosted page')}
<p><a href="/fields">Pay with hosted fields</a></p><p><a href="/card">Pay from server to server</a></p>
${button('/subscription', 'Subscribe: a new pair every month')}
<h2>Orders</h2><ul>${list(allOrders(), ({ number, state }) => `<li><a href="/order?number=${number}">${number}</a>: ${escapeHtml(state)}`)}</ul>`,
  )

export const orderPage = ({ number, state, chain }: Order, seen: string): string =>
  page(
    'Your order',
    `<p>Order ${number} is <strong>${escapeHtml(seen)}</strong>.</p>
${state === 'settled' ? button('/refund', 'Refund', number) : ''}${chain ? button('/charge', 'Charge the next month', number) : ''}
<a href="/">Back to the shop</a>`,
  )

const input = (name: string, title: string, value: string): string =>
  `<label>${title}<input name="${name}" value="${value}" required></label>`

export const cardPage = (): string =>
  page(
    'Your card',
    `<form method="post">${input('card', 'Card number', '4111 1111 1111 1111')}${input('expiry', 'Expiry date', '01/38')}
${input('code', 'Security code', '123')}${input('first_name', 'First name', 'John')}${input('last_name', 'Last name', 'Doe')}
${input('email', 'E-mail', 'doe@example.com')}${input('phone', 'Phone', '199999999')}<button>Pay 10.00 EUR</button></form>`,
  )

/** Sends the browser to the bank, by the method and with the parameters of the answer. */
export const redirectPage = ({ redirect_url, redirect_method, redirect_params }: Answer): string =>
  page(
    'One moment',
    `<form id="go" method="${redirect_method}" action="${escapeHtml(redirect_url)}">
${list(Object.entries(redirect_params ?? {}), ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)}
<button>Continue to your bank</button></form><script>document.getElementById('go').submit()</script>`,
  )

export const fieldsPage = (baseUrl: string, number: string, clientToken: string): string =>
  page(
    'Your card',
    `<form id="pay">${input('name', 'Name on the card', 'John Doe')}
Card number <div class="frame" id="card"></div>Expiry date <div class="frame" id="expiry"></div>Security code <div class="frame" id="cvv"></div>
<p role="alert" id="message"></p><button>Pay 10.00 EUR</button></form>
<script src="${baseUrl}/sdk/hosted-fields.js"></script><script>
const fields = new HostedFields(), message = document.getElementById('message')
fields.init({ sessionToken: '${clientToken}', fields: { card: { id: 'card' }, expiry: { id: 'expiry' }, cvv: { id: 'cvv' } } })
document.getElementById('pay').onsubmit = async (event) => {
  event.preventDefault()
  const collected = await fields.collectIframesData()
  if (collected.result === 'error') return (message.textContent = collected.message)
  const body = new URLSearchParams({ number: '${number}', name: event.target.elements.name.value })
  const reply = await fetch('/fields', { method: 'POST', body })
  const answer = reply.ok ? await reply.json() : { message: 'This did not work. Please try again.' }
  if (answer.next) location.assign(answer.next)
  else message.textContent = answer.message
}</script>`,
  )
