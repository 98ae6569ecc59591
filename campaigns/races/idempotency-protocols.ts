/** The same key, and the same order, many times at once on S2S APM and Checkout: one effect, and every answer equal to the first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { apmFollowUp, apmSale } from '../stage/apm-requests.ts'
import { openSession, refundOnCheckout } from '../stage/checkout-requests.ts'
import type { Fields, Reply } from '../stage/merchant.ts'
import type { Stage } from '../stage/stage.ts'

type Send = (url: string, headers: Fields) => Promise<Reply>

export async function repeatOnApmAndCheckout(stage: Stage, name: string, copies: number): Promise<readonly string[]> {
  const [one] = stage.apis
  if (!one) throw new Error('The stage has no gateway.')
  const { merchant } = stage

  const sale = await sendCopies(stage, `apm-${name}`, copies, (url, headers) =>
    apmSale(stage, url, `apm-${name}`, { headers }),
  )
  const apmId = idIn(sale.text, 'trans_id')
  const apmRefund = await sendCopies(stage, `apm-refund-${name}`, copies, (url, headers) =>
    apmFollowUp(stage, url, { action: 'CREDITVOID', transId: apmId, over: { amount: '3.00' }, headers }),
  )

  const fields = await openSession(merchant, one.url, { number: `session-${name}`, amount: '10.00', currency: 'EUR' })
  await fields.enterCard(one.url)
  const paid = await sendCopies(stage, `checkout-${name}`, copies, (url, headers) => fields.process(url, headers))
  const checkoutId = idIn(paid.text, 'public_id')
  const refunded = await sendCopies(stage, `checkout-refund-${name}`, copies, (url, headers) =>
    refundOnCheckout(merchant, url, { payment_id: checkoutId, amount: '3.00' }, headers),
  )

  return [
    ...[sale, apmRefund, paid, refunded].flatMap(({ faults }) => faults),
    ...(await findUnexpectedEffects(stage, apmId, 'sale 1000, refund 300')),
    ...(await findUnexpectedEffects(stage, checkoutId, 'sale 1000, refund 300')),
  ]
}

async function sendCopies(stage: Stage, key: string, copies: number, send: Send) {
  const urlOf = (index: number): string => stage.apis[index % stage.apis.length]?.url ?? ''
  const headers = { 'idempotency-key': key }
  const replies = await Promise.all(Array.from({ length: copies }, (_, index) => send(urlOf(index), headers)))
  const late = await send(urlOf(0), headers)
  // Requests that arrive while the first is in progress get a conflict.
  const answers = [...replies, late].filter((reply) => !(reply.answered && reply.http === 409))
  const texts = new Set(answers.map((reply) => (reply.answered ? `${reply.http} ${reply.text}` : reply.reason)))
  const [text = ''] = texts
  const faults =
    texts.size === 1 && text.startsWith('200') ? [] : [`${key}: ${[...texts].slice(0, 3).join(' | ') || 'no answer'}`]
  return { text, faults }
}

function idIn(text: string, name: string): string {
  return new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? ''
}

async function findUnexpectedEffects(
  { acquirer }: Stage,
  paymentId: string,
  wanted: string,
): Promise<readonly string[]> {
  const effects = (await acquirer.ledger()).filter(({ payment_id }) => payment_id === paymentId)
  const ledger = effects.map(({ type, amount }) => `${type} ${amount}`).join(', ')
  return ledger === wanted ? [] : [`Payment ${paymentId}: the acquirer executed ${ledger || 'nothing'}, not ${wanted}`]
}

/** A merchant who rejects duplicate orders sends an order many times at once, without a key, on both S2S protocols. */
export async function repeatOrders(stage: Stage, name: string, copies: number): Promise<readonly string[]> {
  const { merchant, pool } = stage
  const [card, apm] = [`order-card-${name}`, `order-apm-${name}`]
  const urlOf = (index: number): string => stage.apis[index % stage.apis.length]?.url ?? ''
  const sends = Array.from({ length: copies }, (_, index) => urlOf(index))
  const onCard = await Promise.all(sends.map((url) => merchant.sale(url, card)))
  const onApm = await Promise.all(sends.map((url) => apmSale(stage, url, apm)))
  const { rows } = await pool.query<{ order_id: string; paid: number }>(
    "select order_id, count(*) filter (where status = 'SETTLED')::int as paid from payments where order_id = any($1) group by 1",
    [[card, apm]],
  )
  const successes = (replies: readonly Reply[]): number =>
    replies.filter((reply) => reply.answered && reply.body.result === 'SUCCESS').length
  return [
    ...[card, apm].flatMap((order) => {
      const paid = rows.find(({ order_id }) => order_id === order)?.paid ?? 0
      return paid === 1 ? [] : [`Order ${order} was paid ${paid} times`]
    }),
    ...[successes(onCard), successes(onApm)].flatMap((count) =>
      count === 1 ? [] : [`${count} requests of one order were answered with success`],
    ),
  ]
}

/** Every process is notified of a changed mapping. */
export async function refuseSameOrders({ pool }: Stage): Promise<void> {
  await pool.query(`update protocol_mappings set options = options || '{"rejectDuplicateOrders": true}'`)
  await sleep(noticedWithinMs)
}

const noticedWithinMs = 2_000
