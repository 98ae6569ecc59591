/** The first write of a payment writes everything that belongs to it, and nothing if another payment excludes it. */

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import { testDatabase } from '../../../../test/database.ts'
import { at, newOpening } from '../../../../test/opening-rows.ts'
import { success } from '../../../../test/outcome-records.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import { sessionStore } from '../../sessions/sessions.ts'
import { paymentStore } from '../payments.ts'

const database = await testDatabase()
after(() => database.drop())
const payments = paymentStore(database.pool)
const sessions = sessionStore(database.pool)

const tokenUse = (text: string) => ({
  wallet: 'walletapay' as const,
  check: 'A12',
  hash: createHash('sha256').update(text).digest('hex'),
})
const walletData = { purpose: 'wallet', sealed: Buffer.from('sealed') } as const

test('a wallet token makes one payment, for all merchants and however many requests use it at once', async () => {
  const tries = Array.from({ length: 20 }, () => newOpening({ tokenUses: [tokenUse('one')], sealedData: walletData }))
  const opened = await Promise.all(tries.map((one) => payments.open(one)))
  assert.deepEqual(opened.toSorted(), ['opened', ...Array.from({ length: 19 }, () => 'token-used')])

  const lost = tries.filter((_, index) => opened[index] !== 'opened')
  for (const { payment } of lost) {
    assert.equal(await payments.find(payment.merchantId, payment.id), null)
    assert.equal(await payments.readSealedData(payment.merchantId, payment.id, 'wallet'), null)
  }
})

test('a used token is found by its check before anything is written', async () => {
  await payments.open(newOpening({ tokenUses: [tokenUse('two')] }))
  const uses = [tokenUse('two'), { ...tokenUse('two'), wallet: 'walletbpay' as const, check: 'B7' }, tokenUse('three')]
  assert.deepEqual(await payments.listUsedBefore(uses), ['A12'])
  assert.deepEqual(await payments.listUsedBefore([]), [])
})

test('data sealed with a payment is available for sending the request again', async () => {
  const one = newOpening({ sealedData: walletData })
  await payments.open(one)
  assert.deepEqual(await payments.readSealedData(one.payment.merchantId, one.payment.id, 'wallet'), walletData.sealed)
  assert.equal(await payments.readSealedData(one.payment.merchantId, one.payment.id, 'parameters'), null)
})

test('an amount beyond a bigint column comes back exactly', async () => {
  const amountMinor = 123_456_789_012_345_678_901n
  const one = newOpening({}, { amountMinor, currency: 'ETH', amountDecimals: 18 })
  await payments.open(one)
  assert.equal((await payments.find(one.payment.merchantId, one.payment.id))?.amountMinor, amountMinor)
})

async function openSession(): Promise<SessionRecord> {
  const session: SessionRecord = {
    merchantId: randomUUID(),
    id: randomUUID(),
    version: 1,
    kind: 'page',
    operation: 'purchase',
    mode: 'test',
    request: { ...nothing, order: { number: 'order-1', amount: '10.00', currency: 'EUR', description: 'A book' } },
    firstPayment: randomUUID(),
    attempts: 0,
    fieldsSealed: null,
    collection: null,
    isCollectionComplete: false,
    expiresAt: new Date('2026-03-01T11:00:00Z'),
    createdAt: at,
  }
  await sessions.add(session)
  return session
}

const attempt = ({ merchantId, id, version }: SessionRecord) =>
  newOpening({ session: { id, version } }, { merchantId, sessionId: id })

test('a session is paid by one payment, however many tabs press Pay at once', async () => {
  const session = await openSession()
  const tries = Array.from({ length: 10 }, () => attempt(session))
  const opened = await Promise.all(tries.map((one) => payments.open(one)))
  assert.equal(opened.filter((one) => one === 'opened').length, 1)
  assert.equal((await sessions.listPayments(session)).length, 1)
  assert.equal((await sessions.find(session.id))?.attempts, 1)
})

test('a session takes no second payment until the first is declined', async () => {
  const session = await openSession()
  const first = attempt(session)
  assert.equal(await payments.open(first), 'opened')
  const second = { ...session, version: 2 }
  assert.equal(await payments.open(attempt(second)), 'session-busy')

  const declined: PaymentRecord = { ...first.payment, status: 'DECLINED', openTransaction: null }
  assert.equal(await payments.settle(success(first, { after: declined, entries: [] })), 'settled')
  assert.equal(await payments.open(attempt(second)), 'opened')
})

test('an attempt on a session that was changed meanwhile writes nothing', async () => {
  const session = await openSession()
  assert.equal(await sessions.change(session, { ...session.request, saveCard: true }, at), 'changed')
  assert.equal(await payments.open(attempt(session)), 'session-changed')
  assert.ok((await sessions.find(session.id))?.request.saveCard)
  assert.deepEqual(await sessions.listPayments(session), [])
})

test('a session can be changed until its first attempt', async () => {
  const session = await openSession()
  assert.equal(await sessions.change({ ...session, version: 7 }, session.request, at), 'stale')
  await payments.open(attempt(session))
  assert.equal(await sessions.change({ ...session, version: 2 }, session.request, at), 'begun')
})

test('a collected code can be taken once, before it expires', async () => {
  const session = await openSession()
  const code = { sealed: Buffer.from('123'), until: new Date(at.getTime() + 60_000) }
  await sessions.collect(session, { fieldsSealed: Buffer.from('number'), code, isLast: false }, at)
  assert.deepEqual((await sessions.find(session.id))?.fieldsSealed, Buffer.from('number'))
  assert.deepEqual(await sessions.takeCode(session, at), code.sealed)
  assert.equal(await sessions.takeCode(session, at), null)

  await sessions.collect(session, { code, isLast: false }, at)
  assert.equal(await sessions.takeCode(session, code.until), null)
  await sessions.collect(session, { code, isLast: false }, at)
  assert.equal(await sessions.forgetCodes(at), 0)
  assert.equal(await sessions.forgetCodes(code.until), 1)
})

test('the attempt erases the collected card number', async () => {
  const session = await openSession()
  await sessions.collect(session, { fieldsSealed: Buffer.from('number'), isLast: false }, at)
  await payments.open(attempt(session))
  assert.equal((await sessions.find(session.id))?.fieldsSealed, null)
})

const nothing: Omit<SessionRecord['request'], 'order'> = {
  methods: [],
  channel: null,
  urls: { success: null, cancel: null, expiry: null, error: null, return: null },
  urlTarget: null,
  saveCard: false,
  cardTokens: [],
  recurringInit: false,
  schedule: null,
  consentRequired: false,
  auth: false,
  ...textsOf(requestTexts, () => null),
  vatCalc: false,
  formId: null,
  customer: {},
  billingAddress: {},
  payee: {},
  payeeBillingAddress: {},
  cryptoNetwork: null,
  parameters: null,
  customData: null,
  customerIp: null,
}
