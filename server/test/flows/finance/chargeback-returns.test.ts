/** Chapter 60 §5: the money of a chargeback is in the ledger both ways, and what the acquirer owes for it is known, also if only a file reports it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '#domain/time.ts'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { operationDeps } from '../../operation-deps.ts'
import {
  chargeBack,
  importRows,
  listDifferences,
  openReceivable,
  pay,
  type ReceivableScene,
  readReceivable,
  readUnassigned,
  receivableCurrencies,
  resolve,
  win,
} from './receivable-scene.ts'

let scene: ReceivableScene
before(async () => {
  scene = await openReceivable()
})
after(() => scene.shop[Symbol.asyncDispose]())

const minor = 1234n

/** A payment whose charge is settled. */
async function paySettled(currency: string): Promise<string> {
  const paymentId = await pay(scene, currency, minor)
  assert.deepEqual(await importRows(scene, [{ kind: 'charge', paymentId, currency, minor }]), [])
  return paymentId
}

/** A chargeback that is settled, too; its reference. */
async function disputeSettled(paymentId: string, currency: string): Promise<string> {
  const reference = await chargeBack(scene, paymentId, minor)
  const taken = { kind: 'chargeback', paymentId, currency, minor: -minor, reference }
  assert.deepEqual(await importRows(scene, [taken]), [])
  return reference
}

const returned = (paymentId: string, currency: string, more: object = {}) => ({
  kind: 'chargeback-reversal',
  paymentId,
  currency,
  minor,
  ...more,
})

const kindsOf = (found: readonly { readonly kind: string }[]): readonly string[] => found.map(({ kind }) => kind)

/** The acquirer decides against the merchant after two people recorded that the dispute is won. */
async function reportLost(paymentId: string): Promise<void> {
  const { rows } = await scene.shop.base.pool.query('select reference from disputes where payment_id = $1', [paymentId])
  const about = { reference: crypto.randomUUID(), dispute: 'D-1', chargeback: rows[0].reference, paymentId }
  const at = scene.shop.base.clock.now()
  const report = {
    kind: 'dispute-changed',
    state: 'lost',
    ...about,
    at,
    amountMinor: minor,
    evidenceDueAt: null,
    reasonCode: '4837',
  } as const
  assert.equal((await enterEvent(operationDeps(scene.shop), scene.midId, report)).kind, 'entered')
}

const openOf = async (paymentId: string) =>
  (await listDifferences(scene, 'open=true')).filter((one) => one.paymentId === paymentId)

for (const currency of receivableCurrencies) {
  test(`${currency}: a won dispute that the acquirer pays back leaves nothing owed and no difference`, async () => {
    const paymentId = await paySettled(currency)
    const reference = await disputeSettled(paymentId, currency)
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), minor, 'the acquirer owes it')
    assert.deepEqual(await importRows(scene, [returned(paymentId, currency, { reference })]), [])
    assert.equal(await readReceivable(scene, currency), 0n)
  })

  test(`${currency}: less than was returned here, or more than once, is found and posted`, async () => {
    const paymentId = await paySettled(currency)
    await disputeSettled(paymentId, currency)
    await win(scene, paymentId)
    const less = await importRows(scene, [returned(paymentId, currency, { minor: minor - 34n })])
    const twice = await importRows(scene, [returned(paymentId, currency)])
    assert.deepEqual([...kindsOf(less), ...kindsOf(twice)], ['amount', 'doubled'])
    for (const { id } of [...less, ...twice]) await resolve(scene, id)
    assert.equal(await readReceivable(scene, currency), 0n)
  })

  test(`${currency}: the acquirer pays back a dispute that is open here: a difference, which ends when the dispute is won`, async () => {
    const paymentId = await paySettled(currency)
    await disputeSettled(paymentId, currency)
    const [found, ...others] = await importRows(scene, [returned(paymentId, currency)])
    assert.deepEqual([found?.kind, found?.rowKind, others.length], ['missing-here', 'chargeback-reversal', 0])
    assert.equal(await readReceivable(scene, currency), -minor)
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), 0n)
    assert.deepEqual(await openOf(paymentId), [])
  })

  test(`${currency}: of what it pays back too early, another amount and a second row stay differences, which are posted`, async () => {
    const paymentId = await paySettled(currency)
    await disputeSettled(paymentId, currency)
    await importRows(scene, [returned(paymentId, currency, { minor: minor - 34n })])
    await importRows(scene, [returned(paymentId, currency, { minor: minor - 35n })])
    await win(scene, paymentId)
    const open = await openOf(paymentId)
    assert.deepEqual(new Set(kindsOf(open)), new Set(['missing-here', 'doubled']))
    for (const { id } of open) await resolve(scene, id)
    assert.equal(await readReceivable(scene, currency), 0n)
  })

  test(`${currency}: a chargeback that only a file reports is the merchant’s with its fee, and so is its return`, async () => {
    const paymentId = await paySettled(currency)
    const unassigned = await readUnassigned(scene, currency)
    const taken = { kind: 'chargeback', paymentId, currency, minor: -minor, feeMinor: 15n }
    const found = await importRows(scene, [taken, returned(paymentId, currency)])
    assert.deepEqual(
      found.map((one) => `${one.kind} ${one.rowKind}`).toSorted((one, other) => one.localeCompare(other)),
      ['missing-here chargeback', 'missing-here chargeback-reversal'],
    )
    assert.equal(await readUnassigned(scene, currency), unassigned)
    const fees = await feesOf(currency)
    const chargeback = found.find(({ rowKind }) => rowKind === 'chargeback')
    await resolve(scene, chargeback?.id ?? '', { chargeback: { reasonCode: '4853' } })
    assert.equal(await readReceivable(scene, currency), -minor, 'the dispute is open here and paid back there')
    assert.equal(await feesOf(currency), fees + 15n)
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), 0n)
    assert.equal(await readUnassigned(scene, currency), unassigned)
    const { rows } = await scene.shop.base.pool.query<{ sum: string }>(
      `select coalesce(sum(case when to_account = 'bank' then amount_minor when from_account = 'bank' then -amount_minor end), 0)::text as sum
       from book_entries where currency = $1 and merchant_id is null`,
      [currency],
    )
    assert.equal(rows[0]?.sum, '0', 'what the bank received is booked as before')
    assert.deepEqual(await openOf(paymentId), [])
  })
}

async function feesOf(currency: string): Promise<bigint> {
  const { accounts } = (await scene.finance.get(`/merchants/${scene.merchantId}/accounts`)).body
  return BigInt(accounts.find((one: { currency: string }) => one.currency === currency)?.acquirerFeesMinor ?? 0)
}

test('a return that the acquirer never pays is found, a later file settles it, and two people can post it', async () => {
  const [late, never] = [await paySettled('EUR'), await paySettled('EUR')]
  for (const paymentId of [late, never]) await disputeSettled(paymentId, 'EUR')
  await scene.shop.advance(2 * dayMs)
  for (const paymentId of [late, never]) await win(scene, paymentId)
  await scene.shop.advance(7 * dayMs)
  const fee = { kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }
  await importRows(scene, [fee])
  const missing = await listDifferences(scene, 'open=true')
  assert.deepEqual(
    new Set(missing.map(({ kind, paymentId }) => `${kind} ${paymentId}`)),
    new Set([`reversal-missing ${late}`, `reversal-missing ${never}`]),
  )

  const arrived = await importRows(scene, [returned(late, 'EUR')])
  assert.deepEqual(kindsOf(arrived), ['late'])
  for (const { id } of arrived) await resolve(scene, id, {})
  const [open, ...others] = await listDifferences(scene, 'open=true')
  assert.deepEqual([open?.kind, open?.paymentId, others.length], ['reversal-missing', never, 0])
  assert.equal(await readReceivable(scene, 'EUR'), minor)
  await resolve(scene, open?.id ?? '')
  assert.equal(await readReceivable(scene, 'EUR'), 0n)
})

test('days count the return of a chargeback on its own day, in our record and in the acquirer’s', async () => {
  await scene.shop.advance(20 * dayMs)
  const dayOf = () => scene.shop.base.clock.now().toISOString().slice(0, 10)
  const paymentId = await paySettled('KWD')
  const taken = dayOf()
  await disputeSettled(paymentId, 'KWD')
  await scene.shop.advance(2 * dayMs)
  await win(scene, paymentId)
  const won = dayOf()
  await scene.shop.advance(dayMs)
  assert.deepEqual(await importRows(scene, [returned(paymentId, 'KWD')]), [])
  const { days } = (await scene.finance.get(`/settlements/days?midId=${scene.midId}&from=${taken}&to=${dayOf()}`)).body
  assert.deepEqual(
    days.map((one: Record<string, unknown>) => [
      one['day'],
      one['ours'],
      one['oursMinor'],
      one['theirs'],
      one['grossMinor'],
      one['matched'],
    ]),
    [
      [won, 1, String(minor), 1, String(minor), 1],
      [taken, 2, '0', 2, '0', 2],
    ],
  )
})

test('a return that is undone because the dispute is lost is not missed, whether people had posted it or not', async () => {
  const before = await readReceivable(scene, 'EUR')
  const [open, posted, later] = [await paySettled('EUR'), await paySettled('EUR'), await paySettled('EUR')]
  for (const paymentId of [open, posted, later]) {
    await disputeSettled(paymentId, 'EUR')
    await win(scene, paymentId)
  }
  const early = await paySettled('EUR')
  await disputeSettled(early, 'EUR')
  await win(scene, early)
  await reportLost(early)
  await scene.shop.advance(20 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  const [missing] = await openOf(posted)
  assert.equal(missing?.kind, 'reversal-missing')
  await resolve(scene, missing?.id ?? '')
  for (const paymentId of [open, posted]) await reportLost(paymentId)
  for (const paymentId of [open, posted, early]) assert.deepEqual(await openOf(paymentId), [])
  assert.equal(await readReceivable(scene, 'EUR'), before + minor, 'only the third return is expected')
  assert.deepEqual(kindsOf(await importRows(scene, [returned(later, 'EUR')])), ['late'])
  await reportLost(later)
  assert.equal(await readReceivable(scene, 'EUR'), before, 'what the acquirer has paid stays returned')
})
