/** Risk lists and velocity as conditions of rules. Chapter 70 §7. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sentencesOf } from '#domain/routing/explanation.ts'
import { openAccount } from '../../account.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { publishRules } from '../../rules.ts'
import { openShop, type RequestFields, type Shop } from '../../shop.ts'

let shop: Shop
let owner: PanelClient
before(async () => {
  shop = await openShop({ DATABASE_POOL: '16' })
  owner = await panelOf(shop)
})
after(() => shop[Symbol.asyncDispose]())

const blocked = {
  name: 'blocked',
  conditions: [{ kind: 'risk-list', lists: ['block'] }],
  action: { kind: 'decline', reason: 'Not accepted' },
}

async function listed(kind: string, value: string, more: object = {}): Promise<void> {
  const body = { merchantId: null, list: 'block', kind, value, reason: 'fraud', ...more }
  const { http, text } = await owner.post('/risk-entries', body)
  assert.equal(http, 200, text)
}

const result = async (merchant: string, over: RequestFields = {}): Promise<string> =>
  (await shop.sale(over, { merchant })).body.result

// biome-ignore format: a table is read in columns.
const kinds: readonly (readonly [kind: string, entry: string, matching: RequestFields, other: RequestFields])[] = [
  ['bin',          '378282',            { card_number: '378282246310005', card_cvv2: '0000' }, {}],
  ['email',        'Bad@example.net',   { payer_email: 'bad@EXAMPLE.net' },                   { payer_email: 'good@example.net' }],
  ['email-domain', 'bad.example',       { payer_email: 'a@bad.example' },                     { payer_email: 'a@notbad.example' }],
  ['ip',           '203.0.113.64/26',   { payer_ip: '203.0.113.100' },                        { payer_ip: '203.0.113.32' }],
  ['ip',           '198.51.100.7',      { payer_ip: '198.51.100.7' },                         { payer_ip: '198.51.100.8' }],
  ['country',      'kp',                { payer_country: 'KP' },                              { payer_country: 'FR' }],
  ['phone',        '+1 555 0100',       { payer_phone: '15550100' },                          { payer_phone: '15550101' }],
  ['device',       'd-1',               { 'custom_data[device_id]': 'd-1' },                  { 'custom_data[device_id]': 'd-2' }],
  ['customer',     'c-1',               { 'custom_data[customer_id]': 'c-1' },                { 'custom_data[customer_id]': 'c-2' }],
]

describe('a risk list', () => {
  for (const [kind, entry, matching, other] of kinds) {
    test(`names payments by ${kind} ${entry}`, async () => {
      const merchant = await openAccount(shop)
      await publishRules(shop, merchant, blocked)
      assert.equal(await result(merchant, matching), 'SUCCESS')
      await listed(kind, entry)
      assert.deepEqual([await result(merchant, matching), await result(merchant, other)], ['DECLINED', 'SUCCESS'])
    })
  }

  test('names a card by a payment, whatever its expiry and merchant', async () => {
    const [one, other] = [await openAccount(shop), await openAccount(shop)]
    for (const merchant of [one, other]) await publishRules(shop, merchant, blocked)
    const card = { card_number: '5555555555554444' }
    const { body } = await shop.sale(card, { merchant: one })
    const payment = { merchantId: await merchantId(shop, one), paymentId: body.trans_id }
    const entry = { merchantId: null, list: 'block', kind: 'card', payment, reason: 'stolen' }
    assert.equal((await owner.post('/risk-entries', entry)).http, 200)
    assert.equal(await result(one, card), 'DECLINED')
    assert.equal(await result(other, { ...card, card_exp_year: '2037' }), 'DECLINED')
    assert.equal(await result(other), 'SUCCESS')
  })

  test('of one merchant does not name payments of another, and an entry ends with its time', async () => {
    const [one, other] = [await openAccount(shop), await openAccount(shop)]
    for (const merchant of [one, other]) await publishRules(shop, merchant, blocked)
    const expiresAt = new Date(shop.base.clock.now().getTime() + 3_600_000).toISOString()
    await listed('email', 'short@example.com', { merchantId: await merchantId(shop, one), expiresAt })
    const payer = { payer_email: 'short@example.com' }
    assert.deepEqual([await result(one, payer), await result(other, payer)], ['DECLINED', 'SUCCESS'])
    await shop.advance(3_600_001)
    assert.equal(await result(one, payer), 'SUCCESS')
  })

  test('of exceptions stands above another one, and the explanation names entry and reason but no data', async () => {
    const merchant = await openAccount(shop)
    const allowed = {
      name: 'known payers',
      conditions: [{ kind: 'risk-list', lists: ['allow'] }],
      action: { kind: 'skip-3ds' },
      final: true,
    }
    await publishRules(shop, merchant, allowed, blocked)
    await listed('ip', '192.0.2.0/24')
    await listed('email', 'vip@example.com', { list: 'allow', reason: 'partner' })
    const from = { payer_ip: '192.0.2.9' }
    assert.equal(await result(merchant, { ...from, payer_email: 'vip@example.com' }), 'SUCCESS')
    const { body } = await shop.sale(from, { merchant })
    const { rows } = await shop.base.pool.query('select routing from payments where id = $1', [body.trans_id])
    const said = sentencesOf(rows[0].routing).join('\n')
    assert.match(said, /found the payer’s IP address on the block list \(fraud\)/)
    assert.ok(!said.includes('192.0.2.9'))
  })

  test('is imported whole or not at all, exported in the same form, and an entry is removed once', async () => {
    const send = (text: string) => owner.post('/risk-entries/import', { content: Buffer.from(text).toString('base64') })
    const heading = 'merchant,list,kind,value,reason,expires'
    const bad = await send(
      `${heading}\ndemo,block,bin,999999,test,\nnobody,block,bin,1,test,\n,block,ip,300.1.1.1,test,\n`,
    )
    assert.deepEqual(bad.body.faults, [
      { line: 3, text: 'There is no merchant "nobody".' },
      { line: 4, text: 'The value must be an IP address, or a range such as 203.0.113.0/24.' },
    ])
    assert.deepEqual((await owner.get('/risk-entries?value=999999')).body.entries, [])
    const good = `${heading}\r\ndemo,block,bin,999999,"a, b",2099-01-31T00:00:00.000Z\r\n`
    assert.deepEqual((await send(good)).body, { added: 1, changed: 0, faults: [], faultCount: 0 })
    assert.deepEqual((await send(good)).body, { added: 0, changed: 1, faults: [], faultCount: 0 })
    assert.ok((await owner.get('/risk-entries/export')).text.includes(good.split('\r\n')[1] ?? '?'))
    const [entry] = (await owner.get('/risk-entries?value=999999')).body.entries
    const remove = () => owner.send('DELETE', `/risk-entries/${entry.id}`)
    assert.deepEqual([(await remove()).http, (await remove()).http], [200, 404])
  })
})

const velocity = (more: object) => ({
  name: 'too many',
  conditions: [{ kind: 'velocity', per: 'email', windowMinutes: 60, moreThan: '3', ...more }],
  action: { kind: 'decline', reason: 'Too many payments' },
})

const crowd = async (merchant: string, count: number, over: RequestFields = {}) => {
  const answers = await Promise.all(Array.from({ length: count }, () => result(merchant, over)))
  return Object.fromEntries([...Map.groupBy(answers, (one) => one)].map(([one, all]) => [one, all.length]))
}

describe('velocity', () => {
  test('of 40 payments at once admits exactly as many as the rule allows, and more after its window', async () => {
    const merchant = await openAccount(shop)
    await publishRules(shop, merchant, velocity({}))
    const payer = { payer_email: 'crowd@example.com' }
    assert.deepEqual(await crowd(merchant, 40, payer), { SUCCESS: 3, DECLINED: 37 })
    assert.equal(await result(merchant, { payer_email: 'other@example.com' }), 'SUCCESS')
    await shop.advance(3_600_001)
    assert.equal(await result(merchant, payer), 'SUCCESS')
  })

  test('adds up amounts of its currency only', async () => {
    const merchant = await openAccount(shop)
    await publishRules(shop, merchant, velocity({ per: 'card', currency: 'EUR', moreThan: '2500' }))
    const dollars = { order_amount: '90.00', order_currency: 'USD' }
    assert.equal(await result(merchant, dollars), 'SUCCESS')
    assert.deepEqual([await result(merchant), await result(merchant)], ['SUCCESS', 'SUCCESS'])
    assert.equal(await result(merchant), 'DECLINED')
    assert.equal(await result(merchant, dollars), 'DECLINED')
  })

  test('of a rule for all merchants counts the payments of all', async () => {
    const [one, other] = [await openAccount(shop), await openAccount(shop)]
    await publishRules(shop, null, velocity({ per: 'ip', moreThan: '1' }))
    try {
      const from = { payer_ip: '192.0.2.200' }
      assert.deepEqual([await result(one, from), await result(other, from)], ['SUCCESS', 'DECLINED'])
    } finally {
      await publishRules(shop, null)
    }
  })

  test('is read but not counted by a simulation, and a merchant without such rules counts nothing', async () => {
    const merchant = await openAccount(shop)
    const count = async () => (await shop.base.pool.query('select count(*)::int as n from risk_velocity')).rows[0].n
    const before = await count()
    assert.equal(await result(merchant, { payer_email: 'quiet@example.com' }), 'SUCCESS')
    assert.equal(await count(), before)
    await publishRules(shop, merchant, velocity({ moreThan: '1' }))
    const payment = {
      merchantId: await merchantId(shop, merchant),
      currency: 'EUR',
      amountMinor: '1000',
      bin: '411111',
      payerEmail: 'quiet@example.com',
    }
    const simulated = async () => (await owner.post('/routing/simulate', { payment })).body.result
    assert.deepEqual([await simulated(), await simulated()], ['routed', 'routed'])
    assert.equal(await result(merchant, { payer_email: 'quiet@example.com' }), 'SUCCESS')
    assert.equal(await simulated(), 'declined')
  })
})
