/**
 * One idempotency key, many requests: concurrently through two processes, on S2S CARD, S2S APM and Checkout, with another body, and after a
 * process died with the first one. One effect, and every answer identical to the byte. Chapter 10 §1.4. And one order, many requests, of a
 * merchant who rejects duplicate orders.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { crashFlag, type Point, points } from '../crash/crash-plan.ts'
import { audit } from '../stage/audit.ts'
import type { Fields, Reply } from '../stage/merchant.ts'
import type { Program } from '../stage/program.ts'
import { isQuiet, openStage, type Stage, until } from '../stage/stage.ts'
import { refuseSameOrders, repeatOnApmAndCheckout, repeatOrders } from './idempotency-protocols.ts'

export const idempotency: Campaign = {
  name: 'idempotency',
  asserts:
    'the same key ×100 in parallel has one effect and one answer; another body 409; after a crash the original answer.',
  sizes: { keys: 20, copies: 100, crashes: points.length, lapse: 1 },
  quick: { keys: 1, copies: 30, lapse: 0 },
  run,
  plantedFault: {
    what: 'the index that allows one payment per order is not used',
    seenIn: 'orders not paid exactly once',
    patches: [
      {
        file: 'server/src/store/payments/payment-rows.ts',
        find: '(payment) => payment.aloneInOrder]',
        replace: '() => false]',
      },
    ],
  },
}

const settleWithinMs = 60_000

async function run(terms: Terms): Promise<Findings> {
  await using stage = await openStage({ apis: 2, workers: 1, database: terms.database, sharedAuthority: true })
  const faults: string[] = []
  let requests = 0
  for (let key = 0; key < sizeOf(terms, 'keys'); key += 1) {
    faults.push(...(await repeatOnCard(stage, `copies-${key}`, sizeOf(terms, 'copies'))))
    faults.push(...(await repeatOnApmAndCheckout(stage, `copies-${key}`, sizeOf(terms, 'copies'))))
    requests += 6 * sizeOf(terms, 'copies')
  }
  const crashFaults = await crashes(stage, someOf(points, sizeOf(terms, 'crashes')), sizeOf(terms, 'lapse') > 0)
  await refuseSameOrders(stage)
  const orders = sizeOf(terms, 'keys')
  const orderFaults: string[] = []
  for (let order = 0; order < orders; order += 1) {
    orderFaults.push(...(await repeatOrders(stage, `once-${order}`, sizeOf(terms, 'copies'))))
  }
  await until(() => isQuiet(stage), settleWithinMs)
  return joinFindings(
    {
      figures: [
        { name: 'requests with a used key', value: requests },
        { name: 'answers or effects that differ', value: faults.length, must: 0 },
        { name: 'crashes with a key', value: sizeOf(terms, 'crashes') },
        { name: 'wrong after a crash', value: crashFaults.length, must: 0 },
        { name: 'requests of an order to be paid once', value: 2 * orders * sizeOf(terms, 'copies') },
        { name: 'orders not paid exactly once', value: orderFaults.length, must: 0 },
      ],
      faults: [...faults, ...crashFaults, ...orderFaults],
    },
    auditFigures(await audit(stage)),
  )
}

/** A sale and a partial refund of it, each sent many times at once under one key. */
async function repeatOnCard(stage: Stage, name: string, copies: number): Promise<readonly string[]> {
  const { merchant } = stage
  const sale = merchant.saleFields(name)
  const paid = await sendCopies(stage, sale, `sale-${name}`, copies)
  const transId = paid.answer?.answered ? (paid.answer.body.trans_id ?? '') : ''
  const refund = merchant.followUpFields('CREDITVOID', transId, { amount: '3.00' })
  const refunded = await sendCopies(stage, refund, `refund-${name}`, copies)

  const effects = (await stage.acquirer.ledger()).filter(({ payment_id }) => payment_id === transId)
  const ledger = effects.map(({ type, amount }) => `${type} ${amount}`).join(', ')
  return [
    ...paid.faults,
    ...refunded.faults,
    ...(await checkOtherBodyRefused(stage, { ...sale, order_description: 'Boots' }, `sale-${name}`)),
    ...(ledger === 'sale 1000, refund 300' ? [] : [`${name}: the acquirer executed ${ledger || 'nothing'}`]),
  ]
}

interface CopiesResult {
  readonly answer: Reply | undefined
  readonly faults: readonly string[]
}

/** Requests that arrive while the first is in progress get a conflict; all others get its answer, then and later. */
async function sendCopies(
  { apis, merchant }: Stage,
  fields: Fields,
  key: string,
  copies: number,
): Promise<CopiesResult> {
  const headers = { 'idempotency-key': key }
  const urlOf = (index: number): string => apis[index % apis.length]?.url ?? ''
  const replies = await Promise.all(
    Array.from({ length: copies }, (_, index) => merchant.post(urlOf(index), fields, headers)),
  )
  const late = await Promise.all(apis.map(({ url }) => merchant.post(url, fields, headers)))

  const answers = [...replies, ...late].filter((reply) => !isStillRunning(reply))
  const texts = new Set(answers.map((reply) => (reply.answered ? `${reply.http} ${reply.text}` : reply.reason)))
  const lateOnes = late.filter((reply) => isStillRunning(reply)).length
  const [answer] = answers
  return {
    answer,
    faults: [
      ...(texts.size === 1 ? [] : [`${key}: ${texts.size} different answers: ${[...texts].slice(0, 3).join(' | ')}`]),
      ...(answer?.answered && answer.http === 200 ? [] : [`${key}: not answered with 200`]),
      ...(lateOnes === 0 ? [] : [`${key}: reported as running after its end`]),
    ],
  }
}

const isStillRunning = (reply: Reply): boolean =>
  reply.answered && reply.http === 409 && reply.body.error_message === 'Duplicate request.'

async function checkOtherBodyRefused(stage: Stage, fields: Fields, key: string): Promise<readonly string[]> {
  const reply = await stage.merchant.post(apiOf(stage).url, fields, { 'idempotency-key': key })
  const refused = reply.answered && reply.http === 409 && reply.body.error_code === 100000
  return refused ? [] : [`${key} with another body was not refused: ${JSON.stringify(reply)}`]
}

/** This many of them, at equal distances. */
const someOf = <T>(list: readonly T[], count: number): readonly T[] =>
  Array.from({ length: count }, (_, index) => list[Math.floor(((index + 0.5) * list.length) / count)]).filter(
    (one) => one !== undefined,
  )

interface Cut {
  readonly fields: Fields
  readonly key: string
  readonly orderId: string
}

/** The lease of a key runs on the database's clock, which cannot be moved: it is awaited, or removed by hand. */
async function crashes(stage: Stage, at: readonly Point[], waits: boolean): Promise<readonly string[]> {
  const api = apiOf(stage)
  const flags = at.map((point) => [crashFlag('SALE', point)])
  await api.stop()
  await api.start(flags[0])
  const cuts: Cut[] = []
  for (const [index, point] of at.entries()) {
    cuts.push(await cutAt(stage, api, point))
    // The process that is started after a crash already has the hook of the next one.
    await api.start(flags[index + 1])
  }
  if (!waits) await stage.pool.query('update idempotency_keys set lease_until = null where http_status is null')
  const faults = await Promise.all(cuts.map((cut) => repeatRequest(stage, cut)))
  return faults.flat()
}

async function cutAt({ merchant }: Stage, api: Program, point: Point): Promise<Cut> {
  const orderId = `cut-${point}`
  const cut = { fields: merchant.saleFields(orderId), key: `key-${point}`, orderId }
  const reply = await merchant.post(api.url, cut.fields, { 'idempotency-key': cut.key })
  if (reply.answered) throw new Error(`The gateway did not die at ${point}.`)
  await api.exited
  return cut
}

/** One of the two, which is killed. */
function apiOf({ apis }: Stage): Program {
  const [api] = apis
  if (!api) throw new Error('The stage has no gateway.')
  return api
}

const freeWithinMs = 120_000
const repeatPauseMs = 250

/** The merchant repeats until the key is free, and then always gets the same answer about the payment. */
async function repeatRequest(stage: Stage, { fields, key, orderId }: Cut): Promise<readonly string[]> {
  const { merchant, pool } = stage
  const headers = { 'idempotency-key': key }
  const { url } = apiOf(stage)
  const begun = performance.now()
  let reply = await merchant.post(url, fields, headers)
  while (isStillRunning(reply) && performance.now() - begun < freeWithinMs) {
    await sleep(repeatPauseMs)
    reply = await merchant.post(url, fields, headers)
  }
  const again = await merchant.post(url, fields, headers)
  const { rows } = await pool.query<{ id: string }>('select id from payments where order_id = $1', [orderId])
  const same = reply.answered && again.answered && reply.text === again.text
  const right = reply.answered && reply.body.status === 'SETTLED' && reply.body.trans_id === rows[0]?.id
  return [
    ...(same ? [] : [`${key}: two answers: ${JSON.stringify(reply)} and ${JSON.stringify(again)}`]),
    ...(right ? [] : [`${key}: not the original answer: ${JSON.stringify(reply)}`]),
    ...(rows.length === 1 ? [] : [`${key}: ${rows.length} payments`]),
  ]
}
