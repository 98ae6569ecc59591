/** Limits and retry budgets hold under concurrency. Chapter 50 §3, §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { type AccountMid, openAccount } from '../../account.ts'
import { attemptsOf, setFaults, softDeclines } from '../../cascades.ts'
import { chargeChain, startChain } from '../../chains.ts'
import { expiryFields } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({ DATABASE_POOL: '16', RETRY_BUDGETS: 'visa 7/30d; mastercard 3/24h, 5/30d' })
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const crowd = 50

/** A card of a network that allows any number of tries. */
const uncountedCard = { card_number: '378282246310005', card_cvv2: '0000' }

/** The results of concurrent sales of 10.00, counted: SUCCESS, DECLINED or the code of the refusal. */
async function outcomes(
  merchant: string,
  over: RequestFields = {},
  count = crowd,
): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: count }, () => shop.sale(over, { merchant })))
  const all = answers.map(({ body }) => String(body.result === 'ERROR' ? body.error_code : body.result))
  return Object.fromEntries([...Map.groupBy(all, (one) => one)].map(([one, of]) => [one, of.length]))
}

const limitOfSeven = { amounts: {}, count: 7 }
const seventy = { amounts: { EUR: 7_500n }, count: null }

// biome-ignore format: a table is read in columns.
const limits: readonly (readonly [title: string, mid: AccountMid, code: number])[] = [
  ['the day limit of a MID, by amount',       { dayLimit: seventy },               204007],
  ['the month limit of a MID, by count',      { monthLimit: limitOfSeven },               204014],
  ['the day limit of a mapping, by count',    { mapping: { dayLimit: limitOfSeven } },    204008],
  ['the week limit of a mapping, by amount',  { mapping: { weekLimit: seventy } }, 204015],
]

for (const [title, mid, code] of limits) {
  test(`of ${crowd} payments at once ${title}, admits as many as fit`, async () => {
    const merchant = await openAccount(shop, { mids: [mid] })
    assert.deepEqual(await outcomes(merchant), { SUCCESS: 7, [code]: crowd - 7 })
  })
}

test('payments without room go to the next MID', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: limitOfSeven }, { dayLimit: limitOfSeven }, {}] })
  assert.deepEqual(await outcomes(merchant), { SUCCESS: crowd })
  const { rows } = await shop.base.pool.query(
    `select mids.name, count(*)::int from payments join mids on mids.id = mid_id where mids.name like $1 group by 1 order by 1`,
    [`${merchant}-%`],
  )
  assert.deepEqual(
    rows.map(({ count }) => count),
    [7, 7, crowd - 14],
  )
})

test('if no MID has room the limit of the first one is reported', async () => {
  const merchant = await openAccount(shop, { mids: [{ monthLimit: limitOfSeven }, { dayLimit: limitOfSeven }] })
  assert.deepEqual(await outcomes(merchant), { SUCCESS: 14, 204014: crowd - 14 })
})

test('a decline releases its room, to the last unit', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: seventy }] })
  const before = await outcomes(merchant, expiryFields('02/2038'), 20)
  assert.equal((before['DECLINED'] ?? 0) + (before['204007'] ?? 0), 20)
  assert.deepEqual(await outcomes(merchant), { SUCCESS: 7, 204007: crowd - 7 })
})

test('a limit that is set in the middle of a day counts earlier payments', async () => {
  const merchant = await openAccount(shop, { mids: [{}] })
  assert.deepEqual(await outcomes(merchant, {}, 5), { SUCCESS: 5 })
  await shop.configure('update mids set day_limit_count = 7 where name = $1', [`${merchant}-1`])
  assert.deepEqual(await outcomes(merchant, {}, 10), { SUCCESS: 2, 204007: 8 })
})

test('a limit that was lowered below its usage does not prevent a decline from being written', async () => {
  const merchant = await openAccount(shop, { mids: [{ dayLimit: limitOfSeven }] })
  await outcomes(merchant, {}, 6)
  const waiting = await shop.sale(expiryFields('07/2038'), { merchant })
  assert.equal(waiting.body.status, 'PREPARE')
  await shop.configure('update mids set day_limit_count = 2 where name = $1', [`${merchant}-1`])
  await shop.advance(60_000)
  const { body } = await shop.followUp('GET_TRANS_STATUS', waiting.body.trans_id, {}, { merchant })
  assert.equal(body.status, 'DECLINED')
})

test('a cascade skips a MID whose limit is used up', async () => {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: [{}, { dayLimit: limitOfSeven }, {}] })
  await shop.scenario({ mid: `${merchant}-1`, ...softDeclines })
  await outcomes(merchant, uncountedCard, 20)
  await shop.sale({ order_id, ...uncountedCard }, { merchant })
  assert.deepEqual(
    (await attemptsOf(shop, order_id)).map(({ mid, status }) => `${mid} ${status}`),
    ['1 DECLINED', '3 SETTLED'],
  )
})

const cards = [
  ['4111111111111111', 7],
  ['5555555555554444', 3],
] as const

for (const [card_number, tries] of cards) {
  test(`${crowd} cascades of one card at once, ${card_number}, make ${tries} tries together`, async () => {
    const merchant = await openAccount(shop, { mids: [{}, {}] })
    await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
    assert.deepEqual(await outcomes(merchant, { card_number }), { DECLINED: crowd })
    assert.equal(await laterAttempts(merchant), tries)
  })
}

test('a cascade that the retry budget ends is called back with its last attempt, once', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, merchant, { 1: softDeclines })
  const card_number = '5555555555554444'
  assert.deepEqual(await outcomes(merchant, { card_number }, 10), { SUCCESS: 3, DECLINED: 7 })
  const order_id = randomUUID()
  const { body } = await shop.sale({ order_id, card_number }, { merchant })
  assert.deepEqual([body.result, body.decline_reason], ['DECLINED', 'Try again later'])
  assert.equal((await attemptsOf(shop, order_id)).length, 1)
  assert.deepEqual(
    (await shop.callbacks(body.trans_id)).map(({ fields }) => fields['result']),
    ['DECLINED'],
  )
})

test('attempts that no acquirer executed do not use the budget, because no network has seen them', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, merchant, { 1: { down: 'unavailable' } })
  const card_number = '5555555555554444'
  assert.deepEqual(await outcomes(merchant, { card_number }, 10), { SUCCESS: 10 })
  assert.equal(await laterAttempts(merchant), 10)
})

test('a card of a network without a budget is tried as often as the rules allow', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
  await outcomes(merchant, uncountedCard, 20)
  assert.equal(await laterAttempts(merchant), 20)
})

test('cascades and RETRY share one budget', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const as = { merchant }
  const pair = await startChain(shop, expiryFields('03/2039'), as)
  // Each charge is declined at both MIDs: one try each.
  const charges = []
  for (let index = 0; index < 4; index += 1) charges.push((await chargeChain(shop, pair, {}, as)).body.trans_id)
  assert.equal(await laterAttempts(merchant), 4)
  const answers = await Promise.all(charges.map((transId) => shop.followUp('RETRY', transId, {}, as)))
  assert.equal(answers.filter(({ body }) => body.result === 'ACCEPTED').length, 3)
  const { body } = await chargeChain(shop, pair, {}, as)
  assert.equal(body.status, 'DECLINED')
  assert.equal(await laterAttempts(merchant), 4)
})

async function laterAttempts(merchant: string): Promise<number> {
  const { rows } = await shop.base.pool.query<{ count: number }>(
    `select count(*)::int from payments join merchants on merchants.id = merchant_id where merchants.name = $1 and attempt > 1`,
    [merchant],
  )
  return rows[0]?.count ?? 0
}
