/** What became of a payment, and what the shop can do about it next. */
import { escapeHtml } from '../kit/html.ts'
import type { Reply } from '../kit/reply.ts'
import type { Account } from './gateway.ts'
import type { Order } from './orders.ts'
import { page } from './page.ts'
import { requestView } from './request-view.ts'
import { type FollowUp, followUpRequest } from './signed-request.ts'

export interface ShownPayment {
  readonly account: Account | null
  readonly order: Order | null
  readonly paymentId: string
  /** The status from the gateway; empty if it could not be read. */
  readonly status: string
  /** Whether the address of a return had a valid hash; null if the payer did not come by one. */
  readonly verified: boolean | null
}

/** `notice` is the result of the last press. */
export function paymentPage(title: string, payment: ShownPayment, notice = ''): Reply {
  const { order, status, verified, account } = payment
  const rows = [
    ['Order', order?.number ?? 'unknown'],
    ['Amount', order ? `${order.amount} ${order.currency}` : ''],
    ['Status from the gateway', status === '' ? 'none' : status],
    ['Hash of this address', verified === null ? '' : verified ? 'verified' : 'not verified'],
  ].filter(([, value]) => value !== '')
  const list = rows.map(([name = '', value = '']) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
  const content = `<section class="narrow panel">
<h1>${escapeHtml(title)}</h1>
${notice && `<p class="notice" role="status">${escapeHtml(notice)}</p>`}
<dl>
${list.join('\n')}
</dl>
${followUps(payment)}
<p>Only the callback confirms a payment, not this return page. The shop’s start page lists callbacks.</p>
<p><a class="primary" href="/shop">Back to the shop</a></p>
</section>`
  return page(200, title, content, account)
}

/** A hold can be captured, a settled payment refunded. */
function followUps({ account, order, paymentId, status }: ShownPayment): string {
  const kind = kinds[status]
  if (!account || !order || !kind) return ''
  const [title, hint] = texts[kind]
  return `<form method="post" action="/shop/${kind}">
<input type="hidden" name="payment_id" value="${escapeHtml(paymentId)}">
<input type="hidden" name="order_id" value="${escapeHtml(order.number)}">
<button type="submit" class="way"><strong>${title} ${escapeHtml(`${order.amount} ${order.currency}`)}</strong> <span>${hint}</span></button>
</form>
${requestView(followUpRequest(account, kind, paymentId, order))}`
}

const kinds: Readonly<Record<string, FollowUp>> = { pending: 'capture', settled: 'refund' }

const texts: Readonly<Record<FollowUp, readonly [string, string]>> = {
  capture: ['Capture', 'Takes the money that was authorised.'],
  refund: ['Refund', 'Gives the money back to the payer.'],
}
