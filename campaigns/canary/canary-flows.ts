/** Every way in which card data reaches the gateway, well-formed or not. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fields } from '../stage/merchant.ts'
import { only, type Stage } from '../stage/stage.ts'
import type { Canary } from './canary.ts'

interface Flow {
  readonly name: string
  /** A card of the sandbox that is approved; without it the canary's own number, which is declined. */
  readonly card?: { readonly number: string; readonly expiry: readonly [month: string, year: string] }
  send(sending: Sending): Promise<string>
}

interface Sending {
  readonly stage: Stage
  readonly url: string
  readonly orderId: string
  /** The request's id in the log. */
  readonly requestId: string
  readonly canary: Canary
  /** Number, expiry and code as parameters. */
  readonly card: Fields
}

const visa = '4601541833776519'

// biome-ignore format: a table is read in columns.
export const flows: readonly Flow[] = [
  // name                          card                                                        how it is sent
  { name: 'declined SALE',                                                                     send: (sending) => sale(sending) },
  { name: 'declined AUTH',                                                                     send: (sending) => sale(sending, { action: 'AUTH' }) },
  { name: 'approved SALE',         card: { number: visa, expiry: ['01', '2038'] },             send: (sending) => sale(sending) },
  { name: 'saved card',            card: { number: visa, expiry: ['01', '2038'] },             send: saveAndPayAgain },
  { name: 'lost reply',            card: { number: visa, expiry: ['06', '2039'] },             send: (sending) => sale(sending) },
  { name: 'acquirer away',                                                                     send: whileAway },
  { name: 'wrong hash',                                                                        send: (sending) => sale(sending, { hash: '0'.repeat(32) }) },
  { name: 'missing parameters',                                                                send: (sending) => sale(sending, { order_id: '', payer_email: 'nobody' }) },
  { name: 'number in groups',                                                                  send: (sending) => sale(sending, { card_number: groupDigits(sending) }) },
  { name: 'card out of date',                                                                  send: (sending) => sale(sending, { card_exp_year: '2020' }) },
  { name: 'unknown action',                                                                    send: (sending) => sale(sending, { action: 'SELL' }) },
  { name: 'unknown merchant',                                                                  send: (sending) => sale(sending, { client_key: '00000000-0000-4000-8000-000000000000' }) },
  { name: 'too large',                                                                         send: (sending) => sale(sending, { order_description: 'x'.repeat(300_000) }) },
  { name: 'multipart',                                                                         send: (sending) => post(sending, multipart(sending), { 'content-type': 'multipart/form-data; boundary=b' }) },
  { name: 'broken multipart',                                                                  send: (sending) => post(sending, multipart(sending).slice(0, -40), { 'content-type': 'multipart/form-data; boundary=b' }) },
  { name: 'JSON',                                                                              send: (sending) => post(sending, JSON.stringify(parameters(sending)), { 'content-type': 'application/json' }) },
  { name: 'in the query',                                                                      send: (sending) => post(sending, '', form, `/post?${encodeForm(sending)}`) },
  { name: 'in the path',                                                                       send: (sending) => post(sending, '', form, `/post/${sending.canary.pan}`) },
  { name: 'as the request id',                                                                 send: (sending) => post(sending, encodeForm(sending), { ...form, 'x-request-id': sending.canary.pan }) },
  { name: 'cut off',                                                                           send: cutOff },
]

const form: Fields = { 'content-type': 'application/x-www-form-urlencoded' }

const parameters = ({ stage, orderId, card }: Sending, over: Fields = {}): Fields => ({
  ...stage.merchant.saleFields(orderId, card),
  ...over,
})

const encodeForm = (sending: Sending): string => new URLSearchParams(parameters(sending)).toString()

const groupDigits = ({ canary }: Sending): string => canary.pan.replace(/(.{4})(?=.)/g, '$1 ')

async function sale(sending: Sending, over: Fields = {}): Promise<string> {
  return post(sending, new URLSearchParams(parameters(sending, over)).toString(), form)
}

async function post(sending: Sending, body: string, headers: Fields, path = '/post'): Promise<string> {
  const { stage, url, requestId } = sending
  const reply = await stage.merchant.raw(url, { path, body, headers: { 'x-request-id': requestId, ...headers } })
  return reply.answered ? reply.text : reply.reason
}

/** The card pays and is saved, then pays again by its token with a security code. */
async function saveAndPayAgain(sending: Sending): Promise<string> {
  const { stage, url, orderId, requestId, card, canary } = sending
  const named = { 'x-request-id': requestId }
  const first = await stage.merchant.sale(url, orderId, { ...card, req_token: 'Y' }, named)
  const token = first.answered ? first.body.card_token : undefined
  if (!token) throw new Error(`The card was not saved: ${JSON.stringify(first)}`)
  const fields = { card_token: token, card_cvv2: canary.code }
  const again = await stage.merchant.sale(url, `${orderId}-again`, fields, named)
  return first.answered && again.answered ? first.text + again.text : ''
}

async function whileAway(sending: Sending): Promise<string> {
  await sending.stage.acquirer.setFaults({ down: true })
  try {
    return await sale(sending)
  } finally {
    await sending.stage.acquirer.clearFaults()
  }
}

function multipart(sending: Sending): string {
  const parts = Object.entries(parameters(sending)).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--b--\r\n`
}

/** The client disconnects in the middle of the body. */
async function cutOff({ url, ...sending }: Sending): Promise<string> {
  const { hostname, port } = new URL(url)
  const body = encodeForm({ url, ...sending })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const head = [
    'POST /post HTTP/1.1',
    `host: ${hostname}`,
    `content-type: ${form['content-type']}`,
    `content-length: ${body.length + 100}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await sleep(50)
  socket.destroy()
  return ''
}

/** Sends a canary through a flow; returns the answer. */
export async function sendCanary(stage: Stage, flow: Flow, canary: Canary, names: OrderNames): Promise<string> {
  const [month, year] = flow.card?.expiry ?? ['01', '2038']
  const number = flow.card?.number ?? canary.pan
  const card = { card_number: number, card_exp_month: month, card_exp_year: year, card_cvv2: canary.code }
  return flow.send({ stage, url: only(stage.apis).url, ...names, canary: { ...canary, pan: number }, card })
}

type OrderNames = Pick<Sending, 'orderId' | 'requestId'>
