/** Limits of MIDs and mappings over a day, a week and a month. Chapter 50 §1, §3; chapter 10 §10.3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDays, dayIn, weekdayOf } from '#domain/schedule/day.ts'
import { type AccountMid, openAccount } from '../../account.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const today = (): string => dayIn(shop.base.clock.now(), 'UTC')

/** Noon of a future day, far from every cut-off in UTC. */
const moveTo = async (day: string, time = '12:00'): Promise<void> =>
  shop.advance(new Date(`${day}T${time}:00Z`).getTime() - shop.base.clock.now().getTime())

const nextMonday = (): string => addDays(today(), 8 - weekdayOf(today()))
const nextMonth = (): string => {
  const [year = 0, month = 0] = today().split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

/** The result of a SALE of 10.00: SUCCESS or the code of the refusal. */
async function outcome(merchant: string, over = {}): Promise<string | number> {
  const { body } = await shop.sale(over, { merchant })
  return body.result === 'ERROR' ? body.error_code : body.result
}

const twice = { amounts: {}, count: 2 }
const twenty = { amounts: { EUR: 2000n }, count: null }

// biome-ignore format: a table is read in columns.
const limits: readonly (readonly [title: string, mid: AccountMid, code: number])[] = [
  ['the day limit of a MID, by amount',         { dayLimit: twenty },               204007],
  ['the day limit of a MID, by count',          { dayLimit: twice },                204007],
  ['the month limit of a MID, by amount',       { monthLimit: twenty },             204014],
  ['the month limit of a MID, by count',        { monthLimit: twice },              204014],
  ['the day limit of a mapping, by amount',     { mapping: { dayLimit: twenty } },  204008],
  ['the day limit of a mapping, by count',      { mapping: { dayLimit: twice } },   204008],
  ['the week limit of a mapping, by amount',    { mapping: { weekLimit: twenty } }, 204015],
  ['the week limit of a mapping, by count',     { mapping: { weekLimit: twice } },  204015],
]

for (const [title, mid, code] of limits) {
  test(`${title}, is used up to the last unit and not beyond`, async () => {
    const merchant = await openAccount(shop, { mids: [mid] })
    assert.deepEqual([await outcome(merchant), await outcome(merchant)], ['SUCCESS', 'SUCCESS'])
    assert.equal(await outcome(merchant, { order_amount: '0.01' }), code)
  })
}

const yen = { order_amount: '6000', order_currency: 'JPY' }
const dinars = { order_amount: '1.000', order_currency: 'KWD' }

test('an amount limit adds up the payments of its own currency only', async () => {
  const merchant = await openAccount(shop, {
    mids: [{ dayLimit: { amounts: { EUR: 2000n, KWD: 1500n }, count: null } }],
  })
  assert.deepEqual(
    [await outcome(merchant), await outcome(merchant), await outcome(merchant, yen)],
    Array(3).fill('SUCCESS'),
  )
  assert.equal(await outcome(merchant, { order_amount: '0.01' }), 204007)
  assert.deepEqual([await outcome(merchant, dinars), await outcome(merchant, dinars)], ['SUCCESS', 204007])
  assert.equal(await outcome(merchant, { order_amount: '500.00', order_currency: 'USD' }), 'SUCCESS')
})

test('a limit by count counts payments of every currency', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: { amounts: { EUR: 2000n }, count: 2 } }] })
  assert.deepEqual([await outcome(merchant), await outcome(merchant, yen)], ['SUCCESS', 'SUCCESS'])
  assert.equal(await outcome(merchant, dinars), 204007)
})

test('an amount limit that is set in the middle of a day counts the earlier payments of its currency', async () => {
  const merchant = await openAccount(shop, { mids: [{}] })
  assert.deepEqual([await outcome(merchant), await outcome(merchant, yen)], ['SUCCESS', 'SUCCESS'])
  await shop.configure('update mids set day_limit_amounts = $2 where name = $1', [
    `${merchant}-1`,
    { EUR: '1999', JPY: '12000' },
  ])
  assert.deepEqual([await outcome(merchant), await outcome(merchant, { order_amount: '9.99' })], [204007, 'SUCCESS'])
  assert.deepEqual([await outcome(merchant, yen), await outcome(merchant, yen)], ['SUCCESS', 204007])
})

test('if a MID’s limit is used up, the next MID is tried', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: { amounts: {}, count: 1 } }, {}] })
  assert.deepEqual([await outcome(merchant), await outcome(merchant)], ['SUCCESS', 'SUCCESS'])
  const { rows } = await shop.base.pool.query(
    'select mids.name from payments join mids on mids.id = mid_id where mids.name like $1 order by payments.id',
    [`${merchant}-%`],
  )
  assert.deepEqual(rows, [{ name: `${merchant}-1` }, { name: `${merchant}-2` }])
})

test('a declined payment does not count', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: { amounts: {}, count: 1 } }] })
  assert.equal(await outcome(merchant, { card_exp_month: '02' }), 'DECLINED')
  assert.equal(await outcome(merchant), 'SUCCESS')
  assert.equal(await outcome(merchant), 204007)
})

test('a MID counts the payments of all merchants, a mapping those of its own', async () => {
  await shop.configure("update mids set day_limit_count = 2 where name = 'sandbox-live'")
  const other = { merchant: 'demo-sha256', digest: 'sha256' } as const
  assert.equal((await shop.sale()).body.result, 'SUCCESS')
  assert.equal((await shop.sale({}, other)).body.result, 'SUCCESS')
  assert.equal((await shop.sale({}, other)).body.error_code, 204007)

  await shop.configure("update mids set day_limit_count = null where name = 'sandbox-live'")
  await shop.configure(
    `update merchant_mappings set day_limit_count = 1 where mid_id = (select id from mids where name = 'sandbox-live')`,
  )
  assert.equal((await shop.sale({}, other)).body.error_code, 204008)
  const address = { payer_address: 'High Street', payer_country: 'GB', payer_city: 'Dover', payer_zip: 'CT16' }
  assert.equal((await shop.sale(address, { merchant: 'demo-payer-fields' })).body.result, 'SUCCESS')
})

test('a day limit restarts with the day, a week limit on Monday', async () => {
  await moveTo(nextMonday())
  const daily = await openAccount(shop, { mids: [{ dayLimit: twice, mapping: { dayLimit: twice } }] })
  const weekly = await openAccount(shop, { mids: [{ mapping: { weekLimit: twice } }] })
  for (const merchant of [daily, weekly]) for (const _ of [1, 2]) assert.equal(await outcome(merchant), 'SUCCESS')
  assert.deepEqual([await outcome(daily), await outcome(weekly)], [204007, 204015])
  await moveTo(addDays(today(), 1))
  assert.deepEqual([await outcome(daily), await outcome(weekly)], ['SUCCESS', 204015])
  await moveTo(addDays(nextMonday(), -1))
  assert.equal(await outcome(weekly), 204015)
  await moveTo(addDays(today(), 1))
  assert.equal(await outcome(weekly), 'SUCCESS')
})

test('a month limit restarts with the month', async () => {
  await moveTo(nextMonth())
  const merchant = await openAccount(shop, { mids: [{ monthLimit: twice }] })
  assert.deepEqual([await outcome(merchant), await outcome(merchant)], ['SUCCESS', 'SUCCESS'])
  await moveTo(addDays(nextMonth(), -1))
  assert.equal(await outcome(merchant), 204014)
  await moveTo(addDays(today(), 1))
  assert.equal(await outcome(merchant), 'SUCCESS')
})

test('the day is the financial day of the MID: its cut-off in its time zone', async () => {
  await moveTo(addDays(today(), 1), '05:00')
  // 14:00 in Tokyo; the day of this MID begins at 15:00 there.
  const merchant = await openAccount(shop, {
    mids: [{ dayLimit: { amounts: {}, count: 1 }, cutOff: '15:00', timeZone: 'Asia/Tokyo' }],
  })
  assert.deepEqual([await outcome(merchant), await outcome(merchant)], ['SUCCESS', 204007])
  await moveTo(today(), '06:01')
  assert.equal(await outcome(merchant), 'SUCCESS')
})
