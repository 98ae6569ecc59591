/**
 * Chapter 70 §3: a month of three merchants and two acquirers. Every planted difference of the settlement files is found, statements add up to
 * the ledger to the cent, and payouts go out once, in currencies with 0, 2 and 3 decimals.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, hourMs } from '#domain/time.ts'
import { bookPeriodicCharges } from '#server/store/finance/periodic-charges.ts'
import { bookPayouts, explainMissing, type Payout, postDifferences } from './month-bank.ts'
import { payOut, payOverlapping, replaceRuns } from './month-payouts.ts'
import { sell } from './month-sales.ts'
import { type Currency, currencies, type Month, names, openMonth } from './month-scene.ts'
import { selectMerchants } from './month-selection.ts'
import { importSettlements } from './month-settlements.ts'

let month: Month
before(async () => {
  month = await openMonth()
})
after(() => month[Symbol.asyncDispose]())

test('three merchants sell, refund and are charged back, and each is charged by its list', () => sell(month))

test('settlement files of two acquirers: every planted difference is found, and nothing else', () =>
  importSettlements(month))

test('each merchant’s accounts have both fees, what acquirers still owe, and the margin, to the cent', async () => {
  const { shop, finance, idOf, begun, today } = month
  await bookPeriodicCharges(shop.base.pool, shop.base.clock.now())
  const monthly = 125 * new Set([begun, today()].map((one) => one.slice(0, 7))).size
  for (const name of names) {
    const { accounts } = (await finance.get(`/merchants/${idOf(name)}/accounts`)).body
    const figures = accounts.map((one: Record<string, string>) => [
      one['currency'],
      ...['feesMinor', 'acquirerFeesMinor', 'marginMinor', 'receivableMinor'].map((field) => one[field]),
    ])
    assert.deepEqual(
      figures,
      [
        // Acquirers: 0.14, 0.46 twice, 0.07 for the declined one. Owed: 0.01 less, 0.99 and a won 10.00 not at all; 33.33, 0.70 and 5.00 too much.
        ['EUR', '1645', '113', '1532', String(1 + 99 + 1000 - 3333 - 70 - 500)],
        // Ours 33 + 2 + 2679; acquirers 20 + 1728. The 70 was settled in EUR.
        ['JPY', '2714', '1748', '966', '70'],
        // Ours 0.217 + 0.027 + 2.170 and 0.125 of each month that has begun; acquirers 0.140 + 0.017, which came late, + 1.399.
        ['KWD', String(2414 + monthly), '1556', String(858 + monthly), '0'],
      ],
      name,
    )
  }
})

/** Which payout the bank forgets. */
let forgotten: Payout | undefined

test('the bank’s side: another amount, another currency and a second booking are found, and nothing else', async () => {
  forgotten = await bookPayouts(month)
})

/** The dashboard does not wait for a long comparison, so that a slow machine shows the light a moment later. */
async function statementLight({ finance, today }: Month) {
  for (;;) {
    const { body } = await finance.get(`/dashboard/money?from=${today(-20)}T00:00:00Z&to=${today(1)}T00:00:00Z`)
    const light = body.checks.find((one: { name: string }) => one.name === 'statements')
    if (light) return light
  }
}

interface Statement {
  readonly id: string
  readonly merchantId: string
  readonly currency: Currency
  readonly closingMinor: string
  readonly refundsMinor: string
  readonly chargebacksMinor: string
  readonly heldMinor: string
  readonly releasedMinor: string
  readonly reserveMinor: string
}

test('statements add up to the ledger to the cent', async () => {
  const { shop, finance, idOf, today, rowsOf, approve } = month
  const correction = await finance.post(`/merchants/${idOf('demo')}/corrections`, {
    currency: 'EUR',
    amountMinor: '5000',
    reason: 'goodwill',
  })
  assert.equal((await approve(correction.body.approvalId, finance)).http, 403, 'not by the person who asked')
  assert.equal((await approve(correction.body.approvalId)).http, 200)
  const lastDay = today()
  await shop.advance(dayMs + hourMs)
  const { body } = await finance.post('/statements', { lastDay })
  assert.equal(body.closed, names.length * currencies.length)
  const { statements } = (await finance.get('/statements?limit=200')).body
  // Of each sale a twentieth, rounded to the nearest, for seven days: it was held and released within the month.
  const reserves: Readonly<Record<Currency, string>> = { EUR: '222', JPY: '6252', KWD: '5562' }
  const returned: Readonly<Record<Currency, readonly string[]>> = {
    // Won disputes came back within the month.
    EUR: ['1111', '0'],
    JPY: ['500', '70'],
    KWD: ['111', '0'],
  }
  for (const one of statements as Statement[]) {
    assert.deepEqual(
      [one.heldMinor, one.releasedMinor, one.reserveMinor],
      [reserves[one.currency], reserves[one.currency], '0'],
    )
    assert.deepEqual([one.refundsMinor, one.chargebacksMinor], returned[one.currency], one.currency)
  }
  for (const { merchantId: of, currency, closingMinor } of statements as Statement[]) {
    const [{ owed } = { owed: '' }] = await rowsOf<{ owed: string }>(
      `select sum(case when to_account in ('settled', 'payable') then amount_minor else 0 end
         - case when from_account in ('settled', 'payable') then amount_minor else 0 end)::text as owed
       from (select merchant_id, currency, from_account, to_account, amount_minor from ledger_entries
         union all select merchant_id, currency, from_account, to_account, amount_minor from account_entries) all_entries
       where merchant_id = $1 and currency = $2`,
      [of, currency],
    )
    assert.equal(closingMinor, owed, `${of} ${currency}`)
  }
  const light = await statementLight(month)
  assert.deepEqual([light.ok, light.checked], [true, names.length * currencies.length])
  const [first] = statements
  const pdf = await finance.get(`/merchants/${first.merchantId}/statements/${first.id}/pdf`)
  assert.equal(Buffer.from(pdf.body.content, 'base64').subarray(0, 5).toString(), '%PDF-')
})

test('before a run it is shown who can be paid and who cannot, and the run pays the selected merchants and nothing else', () =>
  selectMerchants(month))

test('payouts go out once: one file per run, decided once, and no statement twice', () => payOut(month))

test('a run that is refused frees its statements, and an outdated one pays nothing', () => replaceRuns(month))

test('what a run paid after the last day of a newer statement is not paid again by that statement', () =>
  payOverlapping(month))

test('what the bank has not booked after five banking days is missing, and a late statement or settlement file explains it', async () => {
  assert.ok(forgotten)
  await explainMissing(month, forgotten)
})

test('two people post what the bank received less or more to the account of differences, and it is expected no longer', () =>
  postDifferences(month))
