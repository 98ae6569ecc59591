/** What an outcome means for the cascade, the plan, the limits and the saved card. Chapter 10 §6.2, §7.8, §9. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { testDatabase } from '../../../test/database.ts'
import { settleScene } from '../../../test/settle-scene.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, StoredFacts } from '../../contracts/records.ts'

const database = await testDatabase()
after(() => database.drop())
const { settled, now } = settleScene(database.pool)

const approved: Outcome = { result: 'approved', facts: { reference: 'R-1' } }
const declined: Outcome = { result: 'declined', reason: 'No funds', declineClass: 'soft', facts: {} }
const hardDeclined: Outcome = { ...declined, declineClass: 'hard' }
const unknown: Outcome = { result: 'unknown', reason: 'No answer', facts: {} }
const step: Outcome = {
  result: 'payer-step',
  step: 'REDIRECT',
  url: 'https://bank.example.com/',
  method: 'GET',
  params: {},
  facts: {},
}
const inMs = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
const place = { midId: randomUUID(), mappingId: randomUUID(), holds: false }
const cascade = { maximum: 3, left: [place] }
const ending = { reason: 'no-mid-left' } as const
const outcomeUnknown = { reason: 'outcome-unknown' } as const

test('a declined attempt that another follows is not called back, and names the process that continues', async () => {
  const { payment, recorded, reported } = await settled({ subscriptionId: randomUUID() }, {}, declined, {
    goesOn: true,
  })
  assert.deepEqual([payment.status, payment.cascading, reported], ['DECLINED', 'continues', []])
  const [record] = recorded
  assert.deepEqual(record?.continuation, { sentBy: 7, inFlightMs: 2 * limits.acquirer.waitMs })
  assert.deepEqual([record?.callback, record?.deferred], [null, null], 'the plan continues with the next attempt')
})

test('an attempt that was not declined ends the cascade and is called back', async () => {
  for (const outcome of [approved, unknown]) {
    const { payment, recorded, reported } = await settled({}, {}, outcome, { goesOn: true })
    assert.deepEqual([payment.cascading, recorded[0]?.continuation, reported.length], [null, null, 1])
  }
  const last = await settled({}, {}, declined)
  assert.deepEqual([last.payment.cascading, last.recorded[0]?.continuation, last.reported.length], [null, null, 1])
  assert.equal((await settled({ cascading: 'continued' }, {}, declined)).payment.cascading, 'continued')
})

test('of a later attempt the payer’s redirect is not called back, its end is', async () => {
  assert.equal((await settled({ attempt: 2 }, {}, step)).reported.length, 0)
  assert.equal((await settled({ attempt: 1 }, {}, step)).reported.length, 1)
  assert.equal((await settled({ attempt: 2 }, {}, approved)).reported.length, 1)
})

const endOf = async (
  of: Partial<PaymentRecord>,
  outcome: Outcome,
  { type = 'SALE', ...options }: { type?: 'SALE' | '3DS' | 'CAPTURE'; ending?: typeof ending } = {},
): Promise<StoredFacts['cascadeEnd']> => (await settled(of, { type }, outcome, options)).payment.facts.cascadeEnd

test('a declined payment says why its cascade ended', async () => {
  assert.deepEqual(await endOf({}, declined, { ending }), ending)
  assert.deepEqual(await endOf({}, declined, { ending, type: '3DS' }), ending)
  assert.equal(await endOf({}, declined), undefined)
  assert.equal(await endOf({}, approved, { ending }), undefined)
  assert.equal(await endOf({ status: 'PENDING', holds: true }, declined, { ending, type: 'CAPTURE' }), undefined)
})

test('an unknown outcome ends a cascade only where a further attempt is possible or was made', async () => {
  assert.deepEqual(await endOf({ facts: { cascade } }, unknown), outcomeUnknown)
  assert.deepEqual(await endOf({ attempt: 2 }, unknown), outcomeUnknown)
  assert.equal(await endOf({}, unknown), undefined)
  assert.equal(await endOf({ facts: { cascade: { ...cascade, left: [] } } }, unknown), undefined)
  assert.equal(await endOf({ facts: { cascade } }, approved), undefined)
  const held = { status: 'PENDING', holds: true, facts: { cascade } } as const
  assert.equal(await endOf(held, unknown, { type: 'CAPTURE' }), undefined)
})

test('a success removes the reason "outcome unknown", and no other reason', async () => {
  const facts = { cascadeEnd: outcomeUnknown, network: 'visa' }
  assert.deepEqual((await settled({ facts }, {}, approved)).payment.facts, {
    network: 'visa',
    acquirer: { reference: 'R-1' },
  })
  assert.deepEqual(await endOf({ facts: { cascadeEnd: outcomeUnknown } }, declined), outcomeUnknown)
  assert.deepEqual(await endOf({ facts: { cascadeEnd: ending } }, approved), ending)
})

test('a transaction that may still be executed is watched from its end, and delays the retry of a plan', async () => {
  const subscription = { subscriptionId: randomUUID() }
  const [watched] = (await settled(subscription, {}, declined, { watched: true })).recorded
  assert.deepEqual([watched?.watchAt, watched?.deferred?.dueAt], [inMs(60_000), inMs(limits.watch.retryAfterMs)])
  const [unwatched] = (await settled(subscription, {}, declined)).recorded
  assert.deepEqual([unwatched?.watchAt, unwatched?.deferred?.dueAt], [null, inMs(3_600_000)])
  const [open] = (await settled({}, {}, unknown, { watched: true })).recorded
  assert.equal(open?.watchAt, null)
})

test('a hard decline ends the plan of the payment', async () => {
  const subscriptionId = randomUUID()
  const [record] = (await settled({ subscriptionId }, {}, hardDeclined)).recorded
  assert.deepEqual(record?.endsPlan, { of: 'subscription', id: subscriptionId, reason: 'hard decline' })
})

test('a payment whose plan could not begin has no first date, once it has succeeded', async () => {
  const schedule = { id: randomUUID(), startDate: null, amount: null, firstDate: '2026-04-01' }
  const dateAfter = async (outcome: Outcome): Promise<string | null | undefined> =>
    (await settled({ facts: { schedule } }, {}, outcome)).payment.facts.schedule?.firstDate
  assert.deepEqual([await dateAfter(approved), await dateAfter(unknown)], [null, '2026-04-01'])
})

test('a decline releases the limits that the payment counted towards', async () => {
  const counted = [{ period: 'mid day', owner: randomUUID(), starts: '2026-03-01', currency: 'EUR' }] as const
  const open = await settled({ facts: { limits: counted } }, {}, unknown)
  assert.deepEqual([open.payment.facts.limits, open.recorded[0]?.recount], [counted, null])
  const over = await settled({ facts: { limits: counted } }, {}, declined)
  assert.deepEqual([over.payment.facts.limits, over.recorded[0]?.recount?.amountMinor], [undefined, -1000n])
})

const token = 'ab'.repeat(32)
const savedCard = {
  cardId: randomUUID(),
  facts: { issuedToken: token },
  payer: { first_name: 'Ada', last_name: 'Lovelace' },
}

test('a card is saved when its first payment has succeeded, with the acquirer’s reference', async () => {
  const registered: Outcome = { result: 'approved', facts: { storedCredential: 'C-1' } }
  const { payment, transaction, recorded } = await settled(savedCard, {}, registered)
  assert.deepEqual(recorded[0]?.token, {
    merchantId: payment.merchantId,
    token,
    cardId: savedCard.cardId,
    mode: 'test',
    firstName: 'Ada',
    lastName: 'Lovelace',
    credentials: { [transaction.midId]: 'C-1' },
  })
  const another = { ...savedCard, facts: { issuedToken: 'cd'.repeat(32) }, payer: {} }
  const [unnamed] = (await settled(another, {}, approved)).recorded
  assert.deepEqual([unnamed?.token?.firstName, unnamed?.token?.lastName, unnamed?.token?.credentials], [null, null, {}])
})

test('no card is saved without a success, a token and a card, nor by a follow-up', async () => {
  const tokenOf = async (of: Partial<PaymentRecord>, outcome: Outcome, type: 'SALE' | 'CAPTURE' = 'SALE') =>
    (await settled(of, { type }, outcome)).recorded[0]?.token
  const held = { status: 'PENDING', holds: true, authorisedMinor: 1000n } as const
  assert.deepEqual(
    [
      await tokenOf(savedCard, declined),
      await tokenOf(savedCard, unknown),
      await tokenOf({ ...savedCard, facts: {} }, approved),
      await tokenOf({ ...savedCard, cardId: null }, approved),
      await tokenOf({ ...savedCard, ...held }, approved, 'CAPTURE'),
    ],
    [null, null, null, null, null],
  )
})
