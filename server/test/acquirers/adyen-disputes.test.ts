/** How a dispute at Adyen goes on after its chargeback: reversed, pre-arbitration, second chargeback, in any order. Chapter 60 §2, §5. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { now } from '#sandbox/acquirers/kit/clock.ts'
import { enterReturned } from '#server/payments/commands/dispute-report.ts'
import { operationDeps } from '../operation-deps.ts'
import { openAdyenScene } from './adyen-scene.ts'

const scene = await openAdyenScene()
after(() => scene[Symbol.asyncDispose]())
const { shop, pool, midId, merchantId, notify, noticeOf, settle } = scene

interface Report {
  /** Later reports are dated later, whenever they arrive. */
  readonly minute: number
  readonly disputeStatus?: string
  readonly defensePeriodEndsAt?: string
  /** Without it Adyen names the payment in place of the dispute. */
  readonly namesDispute?: boolean
}

async function report(paymentId: string, eventCode: string, { minute, namesDispute = true, ...data }: Report) {
  const authorisation = await noticeOf(paymentId, 'AUTHORISATION')
  const psp = authorisation['pspReference']
  const names = namesDispute ? { pspReference: `D${paymentId.slice(-8)}`, originalReference: psp } : {}
  const eventDate = new Date(now().getTime() + minute * 60_000).toISOString()
  const item = { ...authorisation, ...names, eventCode, eventDate, reason: 'Fraud', additionalData: data }
  assert.equal(await notify(item), 200)
}

const disputesOf = async (paymentId: string): Promise<readonly string[]> =>
  (
    await pool.query<{ text: string }>(
      `select stage || case when returned_at is null then '' else ', returned' end as text
       from disputes where payment_id = $1 order by opened_at`,
      [paymentId],
    )
  ).rows.map(({ text }) => text)

const alertsOf = async (paymentId: string): Promise<readonly string[]> =>
  (
    await pool.query<{ text: string }>('select text from alerts where payment_id = $1 order by raised_at, id', [
      paymentId,
    ])
  ).rows.map(({ text }) => text)

const [taken, returned] = ['settled -> charged_back 1000', 'charged_back -> settled 1000']
const movementsOf = async (paymentId: string): Promise<readonly string[]> => (await shop.postings(paymentId)).slice(1)

test('money comes back also to a worker that read the payment before its chargeback was written', async () => {
  const paymentId = await settle()
  const deps = operationDeps(shop)
  const before = await deps.payments.find(merchantId, paymentId)
  await report(paymentId, 'CHARGEBACK', { minute: 0 })
  const asRead = { ...deps, payments: { ...deps.payments, findAtMid: async () => before } }
  const event = { kind: 'chargeback-returned', reference: 'R1', chargeback: null, paymentId, at: now() } as const
  await enterReturned(asRead, midId, { ...event, amountMinor: 1000n, mayBeUntaken: false })
  assert.deepEqual(await movementsOf(paymentId), [taken, returned])
  assert.deepEqual(
    (await alertsOf(paymentId)).filter((text) => text.includes('More money')),
    [],
  )
})

for (const namesDispute of [true, false]) {
  const setting = namesDispute ? 'the dispute is named' : 'only the payment is named'

  test(`${setting}: a pre-arbitration that is lost moves nothing, and the second chargeback after it takes the money`, async () => {
    const paymentId = await settle()
    await report(paymentId, 'CHARGEBACK', { minute: 0, disputeStatus: 'Undefended' })
    await report(paymentId, 'CHARGEBACK_REVERSED', { minute: 1, disputeStatus: 'Won', namesDispute })
    assert.deepEqual(await disputesOf(paymentId), ['won, returned'])
    await report(paymentId, 'PREARBITRATION_OPEN', { minute: 2, disputeStatus: 'Undefended' })
    assert.deepEqual(await disputesOf(paymentId), ['pre-arbitration, returned'])
    await report(paymentId, 'PREARBITRATION_LOST', { minute: 3, namesDispute })
    assert.deepEqual(await disputesOf(paymentId), ['lost, returned'])
    assert.deepEqual(await movementsOf(paymentId), [taken, returned])
    assert.match((await alertsOf(paymentId)).at(-1) ?? '', /is lost .*Its money had come back: a second chargeback/)
    await report(paymentId, 'SECOND_CHARGEBACK', { minute: 4, disputeStatus: 'Lost', namesDispute })
    await shop.advance(5_000)
    assert.deepEqual(await disputesOf(paymentId), ['lost, returned', 'lost'])
    assert.deepEqual(await movementsOf(paymentId), [taken, returned, taken])
  })

  test(`${setting}: a second chargeback that is read before the first one waits for it, and all three are booked`, async () => {
    const paymentId = await settle()
    await report(paymentId, 'SECOND_CHARGEBACK', { minute: 4, disputeStatus: 'Lost', namesDispute })
    assert.deepEqual(await movementsOf(paymentId), [])
    await report(paymentId, 'CHARGEBACK', { minute: 0, disputeStatus: 'Undefended' })
    await report(paymentId, 'CHARGEBACK_REVERSED', { minute: 1, disputeStatus: 'Won', namesDispute })
    for (const _ of ['first', 'second', 'third']) await shop.advance(10_000)
    assert.deepEqual(await movementsOf(paymentId), [taken, returned, taken])
    assert.deepEqual(await disputesOf(paymentId), ['won, returned', 'lost'])
  })

  test(`${setting}: a pre-arbitration that is won leaves the money with the merchant`, async () => {
    const paymentId = await settle()
    await report(paymentId, 'CHARGEBACK', { minute: 0 })
    await report(paymentId, 'CHARGEBACK_REVERSED', { minute: 1, disputeStatus: 'Pending', namesDispute })
    assert.deepEqual(await disputesOf(paymentId), ['chargeback, returned'])
    await report(paymentId, 'PREARBITRATION_OPEN', { minute: 2 })
    await report(paymentId, 'PREARBITRATION_WON', { minute: 3, namesDispute })
    assert.deepEqual(await disputesOf(paymentId), ['won, returned'])
    assert.deepEqual(await movementsOf(paymentId), [taken, returned])
  })
}

test('a dispute that is won before its money came back says so, and the money comes with its own report', async () => {
  const paymentId = await settle()
  await report(paymentId, 'CHARGEBACK', { minute: 0 })
  await report(paymentId, 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { minute: 2, disputeStatus: 'Won' })
  assert.deepEqual(await disputesOf(paymentId), ['won'])
  assert.match((await alertsOf(paymentId)).at(-1) ?? '', /is won .*Its money comes back by a report of its own\.$/)
  assert.deepEqual(await movementsOf(paymentId), [taken])
  await report(paymentId, 'CHARGEBACK_REVERSED', { minute: 1, disputeStatus: 'Pending' })
  assert.deepEqual(await disputesOf(paymentId), ['won, returned'])
  assert.deepEqual(await movementsOf(paymentId), [taken, returned])
})

test('an earlier decision that arrives after a later one changes the money and not the stage', async () => {
  const paymentId = await settle()
  await report(paymentId, 'CHARGEBACK', { minute: 0 })
  await report(paymentId, 'PREARBITRATION_LOST', { minute: 3 })
  await report(paymentId, 'CHARGEBACK_REVERSED', { minute: 1, disputeStatus: 'Won' })
  assert.deepEqual(await disputesOf(paymentId), ['lost, returned'])
})

test('a deadline that arrives before its chargeback is entered with it, and people are told once', async () => {
  const paymentId = await settle()
  const defensePeriodEndsAt = new Date(now().getTime() + 20 * 86_400_000).toISOString()
  await report(paymentId, 'INFORMATION_SUPPLIED', { minute: 1, defensePeriodEndsAt })
  assert.equal((await alertsOf(paymentId)).length, 1)
  for (const _ of ['once', 'and again']) await shop.advance(5_000)
  await report(paymentId, 'CHARGEBACK', { minute: 0 })
  await shop.advance(3_600_000)
  const { rows } = await pool.query('select due_on::text as due from disputes where payment_id = $1', [paymentId])
  assert.deepEqual(rows, [{ due: defensePeriodEndsAt.slice(0, 10) }])
  const alerts = (await alertsOf(paymentId)).filter((text) => text.includes('under review'))
  assert.equal(alerts.length, 1)
})
