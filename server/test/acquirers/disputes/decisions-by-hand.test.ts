/**
 * A chargeback that people decide, and what the acquirer reports later: the merchant's money is what the acquirer's record says, in any order of the reports. Chapter 70 §4,
 * decisions/disputes#decided-by-people.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { operationDeps } from '../../operation-deps.ts'
import { decideDispute, panelOf } from '../../panel/admin.ts'
import { type DisputeScene, openDisputeScenes, send } from './dispute-scene.ts'

const scenes = await openDisputeScenes()
after(() => scenes[Symbol.asyncDispose]())
const { shop, finance, until } = scenes
const { pool } = shop.base
const colleague = await panelOf(shop)
const deps = operationDeps(shop)
const stripe = await scenes.sceneOf('stripe')

interface Disputed {
  readonly paymentId: string
  readonly disputeId: string
  /** The path of the dispute at the panel. */
  readonly at: string
  readonly reference: string
  readonly midId: string
}

/** Stripe opens a dispute of 249.00 by its test card, and withdraws the money. */
async function openDispute({ merchant, merchantId }: DisputeScene): Promise<Disputed> {
  const { body } = await shop.sale({ card_number: '4000000000000259', order_amount: '249.00' }, { merchant })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  const [row] = await until('a chargeback', async () => {
    const { rows } = await pool.query(
      `select id, reference, mid_id from disputes where payment_id = $1 and charged_back and case_reference is not null`,
      [body.trans_id],
    )
    return rows.length > 0 && rows
  })
  const { id: disputeId, reference, mid_id: midId } = row
  const at = `/merchants/${merchantId}/disputes/${disputeId}`
  return { paymentId: body.trans_id, disputeId, at, reference, midId }
}

const missing = { isReportMissing: true }
const win = ({ at }: Disputed) => decideDispute(at, 'won', [finance, colleague], missing)
const lose = ({ at }: Disputed) => decideDispute(at, 'lost', [finance, colleague], missing)

async function decideAtStripe({ paymentId }: Disputed, step: 'won' | 'lost'): Promise<void> {
  const { rows } = await pool.query(`select reference from transactions where payment_id = $1 and type = 'SALE'`, [
    paymentId,
  ])
  assert.equal(await send('POST', `${stripe.url}/disputes`, { payment: rows[0].reference, step }), 201)
}

type Event = Parameters<typeof enterEvent>[2]
let reports = 0

/** Later reports are dated later, whenever they are entered. */
const about = ({ paymentId, reference }: Disputed, minute: number) => {
  reports += 1
  return {
    reference: `report ${reports}`,
    chargeback: reference,
    paymentId,
    at: new Date(shop.base.clock.now().getTime() + minute * 60_000),
    amountMinor: 24_900n,
  }
}
const decided = (one: Disputed, state: 'won' | 'lost', minute: number): Event => ({
  kind: 'dispute-changed',
  ...about(one, minute),
  dispute: one.reference,
  state,
  evidenceDueAt: null,
  reasonCode: '10.4 fraudulent',
  isInquiry: false,
})
const returned = (one: Disputed, minute: number, amountMinor = 24_900n): Event => ({
  kind: 'chargeback-returned',
  ...about(one, minute),
  amountMinor,
  mayBeUntaken: false,
})
const enter = async (one: Disputed, ...events: readonly Event[]): Promise<void> => {
  for (const event of events) assert.equal((await enterEvent(deps, one.midId, event)).kind, 'entered')
}

const show = async ({ at }: Disputed) => {
  const { stage, returnedMinor } = (await finance.get(at)).body
  return `${stage} ${returnedMinor}`
}

/** What the merchant has of the payment by our ledger, and what is charged back by its total. */
async function moneyOf({ paymentId }: Disputed): Promise<string> {
  const { rows } = await pool.query(
    `select sum(case when to_account = 'settled' then amount_minor when from_account = 'settled' then -amount_minor else 0 end)::text as settled,
       (select charged_back_minor::text from payments where id = $1) as total from ledger_entries where payment_id = $1`,
    [paymentId],
  )
  return `${rows[0].settled} ${rows[0].total}`
}

const merchants = '249 of the merchant'
const banks = '249 of the bank'
const words = new Map([
  ['24900 0', merchants],
  ['0 24900', banks],
])
const whoseMoney = async (one: Disputed): Promise<string> => words.get(await moneyOf(one)) ?? moneyOf(one)

const alertsOf = async ({ paymentId }: Disputed): Promise<string> =>
  (
    await pool.query(`select string_agg(text, ' ' order by raised_at) as texts from alerts where payment_id = $1`, [
      paymentId,
    ])
  ).rows[0].texts ?? ''

async function accountOf({ merchantId }: DisputeScene): Promise<readonly [owed: string, receivable: string]> {
  const { accounts } = (await finance.get(`/merchants/${merchantId}/accounts`)).body
  const [euro] = accounts.filter(({ currency }: { currency: string }) => currency === 'EUR')
  return [euro.payableMinor, euro.receivableMinor]
}

const lightOf = async () =>
  (await finance.get('/dashboard/money')).body.checks.find(({ name }: { name: string }) => name === 'disputes')

test('Stripe decides: one person cannot win, two can where its report is missing, and its later report that the dispute is lost takes the money back', async () => {
  const one = await openDispute(stripe)
  const before = await accountOf(stripe)
  const grounds = { reason: 'Won', evidence: 'Letter' }
  const alone = await finance.send('PUT', one.at, { stage: 'won', answer: null, dueOn: null })
  assert.equal(alone.http, 422, alone.text)
  const early = await finance.post(`${one.at}/decision`, { decision: 'won', ...grounds })
  assert.match(early.text, /Stripe reports who wins a dispute/)
  await win(one)
  assert.deepEqual([await show(one), await whoseMoney(one)], ['won 24900', merchants])

  await decideAtStripe(one, 'lost')
  await until('the report', async () => (await show(one)) === 'lost 0')
  assert.equal(await whoseMoney(one), banks)
  assert.deepEqual(await accountOf(stripe), before, 'neither the merchant nor the acquirer is owed it')
  assert.match(await alertsOf(one), /is lost .* Its money had been returned by hand, which was posted back\./)
  assert.equal((await lightOf()).ok, true)
})

test('a lost dispute that people had won is posted back once, however often it is reported', async () => {
  const one = await openDispute(stripe)
  await win(one)
  const report = decided(one, 'lost', 1)
  await Promise.all([enter(one, report), enter(one, report), enter(one, decided(one, 'lost', 2))])
  await enter(one, decided(one, 'lost', 3), report)
  assert.deepEqual([await show(one), await whoseMoney(one)], ['lost 0', banks])
  const moves = (await shop.postings(one.paymentId)).filter((entry) => entry.includes('charged_back'))
  assert.deepEqual(moves, [
    'settled -> charged_back 24900',
    'charged_back -> settled 24900',
    'settled -> charged_back 24900',
  ])
})

// biome-ignore format: a table is read in columns.
const orders: readonly (readonly [title: string, byHand: 'won' | 'lost', (one: Disputed) => readonly Event[], shown: string, whose: string])[] = [
  // by hand, then reported                                   decided  reports                                                                          dispute       money
  ['won, and won with its money',                             'won',   (one) => [decided(one, 'won', 1), returned(one, 1)],                              'won 24900',  merchants],
  ['won, and its money before the decision, twice',           'won',   (one) => [returned(one, 1), returned(one, 1), decided(one, 'won', 2)],            'won 24900',  merchants],
  ['won, lost, and won by an appeal with its money',          'won',   (one) => [decided(one, 'lost', 1), decided(one, 'won', 2), returned(one, 2)],     'won 24900',  merchants],
  ['won, won, and an older report that it is lost',           'won',   (one) => [decided(one, 'won', 2), decided(one, 'lost', 1)],                       'won 24900',  merchants],
  ['won, lost before its older return',                       'won',   (one) => [decided(one, 'lost', 2), decided(one, 'won', 1)],                       'lost 0',     banks],
  ['won, its money, and lost: a second chargeback takes it',  'won',   (one) => [returned(one, 1), decided(one, 'lost', 2)],                             'lost 24900', merchants],
  ['won, and less money than people returned',                'won',   (one) => [returned(one, 1, 20_000n)],                                             'won 20000',  '20000 4900'],
  ['lost, and lost',                                          'lost',  (one) => [decided(one, 'lost', 1)],                                               'lost 0',     banks],
  ['lost, and won with its money, twice',                     'lost',  (one) => [decided(one, 'won', 1), returned(one, 1), returned(one, 1)],            'won 24900',  merchants],
]
for (const [title, byHand, reportsOf, shown, whose] of orders)
  test(`decided by hand, then reported: ${title}`, async () => {
    const one = await openDispute(stripe)
    await (byHand === 'won' ? win(one) : lose(one))
    await enter(one, ...reportsOf(one))
    assert.deepEqual([await show(one), await whoseMoney(one)], [shown, whose])
  })

test('a request that waits while the acquirer reports the opposite is not carried out', async () => {
  const one = await openDispute(stripe)
  const wish = { decision: 'won', reason: 'Won', evidence: 'Letter', ...missing }
  const { approvalId } = (await finance.post(`${one.at}/decision`, wish)).body
  await enter(one, decided(one, 'lost', 1))
  const { body } = await colleague.post(`/approvals/${approvalId}/approve`, {})
  assert.deepEqual([body.state, await show(one), await whoseMoney(one)], ['failed', 'lost 0', banks])
  assert.match(JSON.stringify(body.result), /is lost by now/)
})

test('the light names a dispute whose money is here while the acquirer says that it is lost', async () => {
  const one = await openDispute(stripe)
  await enter(one, returned(one, 1), decided(one, 'lost', 2))
  const { ok, offending } = await lightOf()
  assert.equal(ok, false)
  const found = offending.filter(({ paymentId }: { paymentId: string }) => paymentId === one.paymentId)
  assert.equal(found.length, 1, JSON.stringify(offending))
  const taken = {
    kind: 'chargeback',
    ...about(one, 3),
    bankDate: '2026-03-01',
    reasonCode: '10.4',
    follows: { chargeback: one.reference },
  } as const
  await enter(one, taken)
  const later = (await lightOf()).offending
  assert.ok(
    !later.some(({ paymentId }: { paymentId: string }) => paymentId === one.paymentId),
    'taken by a second chargeback',
  )
})

test('a chargeback that a person recorded and the acquirer notifies of under its own reference is one, and is decided by that reference', async () => {
  const { body } = await shop.sale({ order_amount: '249.00' }, { merchant: stripe.merchant })
  const paymentId: string = body.trans_id
  const record = (reference: string, amountMinor: string) =>
    finance.post(`/merchants/${stripe.merchantId}/payments/${paymentId}/chargeback`, {
      reference,
      amountMinor,
      bankDate: '2026-03-01',
      reasonCode: '10.4',
    })
  assert.equal((await record('by letter', '10000')).http, 200)
  const { rows } = await pool.query('select id, mid_id from disputes where payment_id = $1', [paymentId])
  const at = `/merchants/${stripe.merchantId}/disputes/${rows[0].id}`
  const one: Disputed = { paymentId, disputeId: rows[0].id, at, reference: 'dp_own', midId: rows[0].mid_id }
  const notified = (reference: string, amountMinor: bigint): Event => {
    const { chargeback: _, ...report } = about(one, 1)
    return { kind: 'chargeback', ...report, reference, amountMinor, bankDate: '2026-03-01', reasonCode: '10.4' }
  }
  await enter(one, notified('dp_other', 9_000n))
  assert.match(await alertsOf(one), /notified of the chargeback dp_other of 90\.00 EUR and there is one of 100\.00 EUR/)
  await enter(one, notified('dp_own', 10_000n), notified('dp_own', 10_000n))
  assert.equal(await moneyOf(one), '14900 10000', 'the merchant is debited once')
  await win(one)
  await enter(one, decided(one, 'lost', 2))
  assert.deepEqual([await show(one), await moneyOf(one)], ['lost 0', '14900 10000'])

  assert.equal((await record('second letter', '10000')).http, 200)
  assert.equal(await moneyOf(one), '4900 20000', 'a second one of a person counts')
  await enter(one, notified('second letter', 10_000n), notified('dp_third', 4_900n))
  assert.equal(
    await moneyOf(one),
    '0 24900',
    'once the first ones are notified, another notification is another chargeback',
  )
})
