/** Risk lists and velocity in a replay of a draft: what it would have done with past payments. Chapter 70 §7. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DatabaseError } from 'pg'
import { replayRisk } from '#server/panel/setup/replayed-risk.ts'
import { replayStep } from '#server/panel/setup/routing-replay.ts'
import { listStoredPayments } from '#server/store/payments/stored-payments.ts'
import { openAccount } from '../../account.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { publishRules } from '../../rules.ts'
import { openShop, type RequestFields, type Shop } from '../../shop.ts'

let shop: Shop
let owner: PanelClient
let merchant: string
let set: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
})
after(() => shop[Symbol.asyncDispose]())

async function openMerchant(): Promise<void> {
  merchant = await openAccount(shop, { mids: [{}, {}] })
  set = await merchantId(shop, merchant)
}

const pay = async (over: RequestFields = {}): Promise<string> => (await shop.sale(over, { merchant })).body.trans_id

const rule = (condition: object, action: object = { kind: 'decline', reason: 'No' }) => ({
  name: 'risk',
  conditions: [condition],
  action,
})
const onList = { kind: 'risk-list', lists: ['block'] }
const velocity = (per: string, more: object = {}) => ({
  kind: 'velocity',
  per,
  windowMinutes: 60,
  currency: null,
  moreThan: '2',
  ...more,
})

interface Step {
  readonly total: number
  readonly lists: string | null
  readonly countsVelocity: boolean
  readonly changed: readonly {
    readonly paymentId: string
    readonly byTheDraft: boolean
    readonly effects: readonly { readonly action: string; readonly applies: boolean }[]
  }[]
}

async function replay(rules: readonly object[], more: object = {}): Promise<Step> {
  const { http, body, text } = await owner.post('/routing/replay', { ruleSet: set, rules, days: 7, ...more })
  assert.equal(http, 200, text)
  return body
}

const idsOf = ({ changed }: Step): readonly string[] => changed.map(({ paymentId }) => paymentId).toSorted()
const effectsOf = ({ changed }: Step): readonly string[] =>
  changed.flatMap(({ effects }) => effects.map(({ action, applies }) => `${action} ${applies}`))

async function listed(kind: string, more: object): Promise<void> {
  const body = { merchantId: set, list: 'block', kind, reason: 'fraud', ...more }
  const { http, text } = await owner.post('/risk-entries', body)
  assert.equal(http, 200, text)
}

describe('lists in a replay', () => {
  test('are those of the time of each payment, or those of now if that is asked for', async () => {
    await openMerchant()
    const early = await pay({ payer_email: 'bad@example.com' })
    await shop.advance(60_000)
    await listed('email', { value: 'bad@example.com' })
    await shop.advance(60_000)
    const late = await pay({ payer_email: 'BAD@example.com' })
    await pay({ payer_email: 'good@example.com' })
    const then = await replay([rule(onList)])
    assert.deepEqual([then.total, then.lists, then.countsVelocity], [3, 'then', false])
    assert.deepEqual(idsOf(then), [late])
    assert.deepEqual(effectsOf(then), ['decline true'])
    const now = await replay([rule(onList)], { lists: 'now' })
    assert.deepEqual([now.lists, idsOf(now)], ['now', [early, late].toSorted()])
    assert.equal((await replay([rule({ kind: 'currency', values: ['USD'] })])).lists, null)
  })

  test('know cards, addresses in ranges, eight digits of a card and expiries', async () => {
    await openMerchant()
    const card = await pay({ card_number: '5555555555554444' })
    const ip = await pay({ payer_ip: '203.0.113.77' })
    const plain = await pay({ payer_ip: '203.0.113.200' })
    const payment = { merchantId: set, paymentId: card }
    await listed('card', { payment })
    await listed('ip', { value: '203.0.113.64/26' })
    assert.deepEqual(idsOf(await replay([rule(onList)], { lists: 'now' })), [card, ip].toSorted())
    const expiresAt = new Date(shop.base.clock.now().getTime() + 3_600_000).toISOString()
    await listed('bin', { value: '41111111', expiresAt })
    assert.ok(idsOf(await replay([rule(onList)], { lists: 'now' })).includes(plain))
    await shop.advance(3_600_001)
    assert.ok(!idsOf(await replay([rule(onList)], { lists: 'now' })).includes(plain))
  })
})

describe('velocity in a replay', () => {
  // biome-ignore format: a table is read in columns.
  const subjects: readonly (readonly [per: string, same: RequestFields, other: RequestFields])[] = [
    ['email',  { payer_email: 'often@example.com' },        { payer_email: 'once@example.com' }],
    ['ip',     { payer_ip: '198.51.100.20' },               { payer_ip: '198.51.100.21' }],
    ['device', { 'custom_data[device_id]': 'often' },       { 'custom_data[device_id]': 'once' }],
    ['card',   { card_number: '5555555555554444' },         { card_number: '4000000000000002' }],
  ]
  for (const [per, same, other] of subjects) {
    test(`of one ${per} declines the payments that the rule declined when it was in force`, async () => {
      await openMerchant()
      await publishRules(shop, merchant, rule(velocity(per)))
      const results: string[] = []
      const ids: string[] = []
      for (const over of [same, other, same, { ...same, card_exp_year: '2037' }, same]) {
        const { body } = await shop.sale(over, { merchant })
        results.push(body.result)
        ids.push(body.trans_id)
      }
      assert.deepEqual(results.slice(3), ['DECLINED', 'DECLINED'])
      await publishRules(shop, merchant)
      const step = await replay([rule(velocity(per))])
      assert.equal(step.countsVelocity, true)
      assert.deepEqual(idsOf(step), ids.slice(3).toSorted())
      assert.ok(step.changed.every(({ byTheDraft }) => byTheDraft))
    })
  }

  test('adds up amounts of its currency, forgets payments outside its window and counts other merchants in rules for all', async () => {
    await openMerchant()
    const payer = { payer_email: 'sum@example.com' }
    await pay({ ...payer, order_amount: '30.00' })
    await pay({ ...payer, order_amount: '900.00', order_currency: 'USD' })
    const third = await pay({ ...payer, order_amount: '30.00' })
    const sum = rule(velocity('email', { currency: 'EUR', moreThan: '5000' }))
    assert.deepEqual(idsOf(await replay([sum])), [third])
    await shop.advance(3_600_001)
    const late = await pay({ ...payer, order_amount: '30.00' })
    assert.ok(!idsOf(await replay([sum])).includes(late))

    const first = await pay({ payer_email: 'both@example.com' })
    await openMerchant()
    const second = await pay({ payer_email: 'both@example.com' })
    const two = rule(velocity('email', { moreThan: '1' }))
    assert.deepEqual(idsOf(await replay([two])), [], 'a rule of one merchant counts its own payments')
    const all = idsOf(await replay([two], { ruleSet: 'global' }))
    assert.deepEqual([all.includes(second), all.includes(first)], [true, false])
  })
})

test('each action is told apart: what the draft would do, and what it would no longer do', async () => {
  await openMerchant()
  await listed('email', { value: 'acts@example.com' })
  const paid = await pay({ payer_email: 'acts@example.com' })
  const actions: readonly (readonly [object, string])[] = [
    [{ kind: 'require-3ds' }, '3ds true'],
    [{ kind: 'review', reason: 'Look' }, 'review true'],
    [{ kind: 'exclude', mids: [`${merchant}-2`] }, 'exclude true'],
  ]
  for (const [action, effect] of actions) {
    const step = await replay([rule(onList, action)])
    assert.deepEqual([idsOf(step), effectsOf(step)], [[paid], [effect]])
  }
  const elsewhere = await replay([rule(onList, { kind: 'exclude', mids: [`${merchant}-1`] })])
  assert.deepEqual(effectsOf(elsewhere), ['route true', 'exclude true'])
  await publishRules(shop, merchant, rule(onList, { kind: 'require-3ds' }))
  assert.deepEqual(effectsOf(await replay([])), ['3ds false'])
})

describe('a replay that is too much work', () => {
  test('of windows with too many payments refuses with what to do', async () => {
    await openMerchant()
    for (let times = 0; times < 3; times += 1) await pay()
    const { pool, vault, clock } = shop.base
    const range = { merchantId: set, since: new Date(0), before: null, limit: 10 }
    const payments = (await listStoredPayments(pool, range)).map(({ payment }) => payment)
    const condition = {
      kind: 'velocity',
      not: false,
      per: 'ip',
      windowMinutes: 60,
      currency: null,
      moreThan: '1',
    } as const
    const action = { kind: 'require-3ds' } as const
    const rules = [{ name: 'r', enabled: true, conditions: [condition], action, maximumAttempts: null, final: false }]
    const question = { payments, sets: [{ merchantId: set, version: 1, rules }], lists: 'then' } as const
    const look = (mostEarlier: number) => replayRisk({ on: pool, vault, now: clock.now(), mostEarlier }, question)
    assert.equal((await look(3)).size, 3)
    await assert.rejects(look(2), /hold more than 2 payments\. Shorten the windows/)
  })

  test('for the database ends with a sentence', async () => {
    await openMerchant()
    const cancelled = Object.assign(new DatabaseError('cancelled', 9, 'error'), { code: '57014' })
    const context = {
      ...shop.base,
      configuration: shop.service.configuration,
      reports: { read: () => Promise.reject(cancelled) },
      operations: { simulate: () => Promise.reject(cancelled), replay: () => [] },
    }
    const step = replayStep(context, { ruleSet: set, rules: [rule(onList)], days: 7, before: null, lists: 'then' })
    await assert.rejects(step, /The replay took too long\. Choose fewer days/)
  })
})

test('nothing of a card or a payer is shown, and nothing is counted by a replay', async () => {
  await openMerchant()
  await pay({ card_number: '5555555555554444', payer_email: 'hidden@example.com' })
  const { rows: before } = await shop.base.pool.query('select count(*)::int as n from risk_velocity')
  const ask = { ruleSet: set, rules: [rule(velocity('card', { moreThan: '0' }))], days: 7 }
  const { text, body } = await owner.post('/routing/replay', ask)
  assert.equal(body.changed.length, 1)
  assert.ok(!/5555555555554444|hidden@example|[0-9a-f]{64}/.test(text))
  const { rows: afterwards } = await shop.base.pool.query('select count(*)::int as n from risk_velocity')
  assert.deepEqual(afterwards, before)
})
