/** Outcomes: each is written completely or not at all, on the version of the payment that it was decided on. Chapter 50 §1. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { at, newOpening } from '../../../../test/opening-rows.ts'
import { success } from '../../../../test/outcome-records.ts'
import type { Opening, OutcomeRecord, PayerStep, PaymentRecord } from '../../../contracts/records.ts'
import { paymentStore } from '../payments.ts'

const database = await testDatabase()
after(() => database.drop())
const payments = paymentStore(database.pool)
const later = new Date('2026-03-02T10:00:00Z')

async function opened(changes: Partial<Opening> = {}, of: Partial<PaymentRecord> = {}): Promise<Opening> {
  const one = newOpening(changes, of)
  assert.equal(await payments.open(one), 'opened')
  return one
}

async function rowsOf(table: string, paymentId: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await database.pool.query(`select * from ${table} where payment_id = $1`, [paymentId])
  return rows
}

const counts = async (paymentId: string): Promise<readonly number[]> =>
  Promise.all(['ledger_entries', 'callbacks'].map(async (table) => (await rowsOf(table, paymentId)).length))

test('an outcome writes payment, transaction, posting and callback together', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  assert.equal(await payments.settle(success(one)), 'settled')
  const payment = await payments.find(merchantId, id)
  assert.deepEqual(
    [payment?.version, payment?.status, payment?.capturedMinor, payment?.openTransaction],
    [2, 'SETTLED', 1000n, null],
  )
  const [transaction] = await payments.listTransactions(merchantId, id)
  assert.deepEqual([transaction?.state, transaction?.reference, transaction?.endedAt], ['success', 'R-1', at])
  const [entry] = await rowsOf('ledger_entries', id)
  assert.deepEqual([entry?.['from_account'], entry?.['to_account']], ['payer', 'settled'])
  const [callback] = await rowsOf('callbacks', id)
  assert.deepEqual([callback?.['sequence'], callback?.['state'], callback?.['next_at']], [1, 'due', at])
})

test('of many outcomes decided on one version of a payment, one is written and the others leave no trace', async () => {
  const one = await opened()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => payments.settle(success(one))))
  assert.deepEqual(outcomes.toSorted(), ['settled', ...Array.from({ length: 9 }, () => 'stale')])
  assert.deepEqual(await counts(one.payment.id), [1, 1])
  assert.equal(await payments.settle(success(one)), 'stale')
  assert.deepEqual(await counts(one.payment.id), [1, 1])
})

test('an outcome changes only its own transaction', async () => {
  const [one, other] = [await opened(), await opened()]
  await payments.settle(success(one))
  const { payment } = other
  const [untouched] = await payments.listTransactions(payment.merchantId, payment.id)
  assert.equal(untouched?.state, 'sent')
  assert.equal((await payments.find(payment.merchantId, payment.id))?.version, 1)
})

test('an outcome without a callback uses no callback number', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  await payments.settle(success(one, { callback: null }))
  assert.deepEqual(await counts(id), [1, 0])
  const before = (await payments.find(merchantId, id)) ?? assert.fail()
  assert.equal(await payments.settle(success(one, { before, entries: [] })), 'settled')
  assert.equal((await rowsOf('callbacks', id))[0]?.['sequence'], 1)
})

test('an action of the acquirer is entered once, as an ended transaction', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  await payments.settle(success(one))
  const before = (await payments.find(merchantId, id)) ?? assert.fail()
  const dispute = (): OutcomeRecord =>
    success(one, {
      before,
      after: { ...before, status: 'CHARGEBACK', chargedBackMinor: 1000n },
      transaction: { ...one.transaction, id: randomUUID(), type: 'CHARGEBACK', state: 'success', endedAt: at },
      entries: [{ from: 'settled', to: 'charged_back', amountMinor: 1000n }],
    })
  assert.deepEqual([await payments.enter(dispute()), await payments.enter(dispute())], ['settled', 'stale'])
  const ended = (await payments.listTransactions(merchantId, id)).filter(
    ({ endedAt }) => endedAt?.getTime() === at.getTime(),
  )
  assert.deepEqual(ended.map(({ type }) => type).toSorted(), ['CHARGEBACK', 'SALE'])
  assert.deepEqual(await counts(id), [2, 2])
})

test('an outcome changes no other transaction of its payment', async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  const current = async (): Promise<PaymentRecord> => (await payments.find(merchantId, id)) ?? assert.fail()
  const other = { ...one.transaction, id: randomUUID(), type: 'CHARGEBACK', state: 'success', endedAt: at } as const
  const entering = success(one, { before: await current(), transaction: other, entries: [], callback: null })
  assert.equal(await payments.enter(entering), 'settled')
  const failed = { ...one.transaction, state: 'fail', endedAt: at } as const
  const ending = success(one, { before: await current(), transaction: failed, entries: [], callback: null })
  assert.equal(await payments.settle(ending), 'settled')
  const states = (await payments.listTransactions(merchantId, id)).map(({ type, state }) => `${type} ${state}`)
  assert.deepEqual(states.toSorted(), ['CHARGEBACK success', 'SALE fail'])
})

const walletFacts = { name: 'walletapay', sentAs: 'walletapay', flow: 'card' } as const

test('a wallet’s sealed data is erased when the transaction ends, for this payment only', async () => {
  const walletData = { purpose: 'wallet', sealed: Buffer.from('sealed') } as const
  const merchantId = randomUUID()
  const one = await opened({ sealedData: walletData }, { merchantId })
  const other = await opened({ sealedData: walletData }, { merchantId })
  const { id } = one.payment
  const foreign = await opened({ sealedData: walletData }, { id })
  await database.pool.query(
    `insert into payment_secrets (merchant_id, payment_id, purpose, sealed) values ($1, $2, 'parameters', 'x')`,
    [merchantId, id],
  )
  // Wallet attributes; only their presence matters here.
  const facts = { wallet: walletFacts } as unknown as PaymentRecord['facts']
  const ended = success(one)
  const open = { ...ended, after: { ...one.payment, facts }, entries: [], callback: null }
  await payments.settle({ ...open, transaction: { ...one.transaction, state: 'undefined' }, askAt: later })
  assert.ok(await payments.readSealedData(merchantId, id, 'wallet'), 'while it may have to be sent once more')

  const before = (await payments.find(merchantId, id)) ?? assert.fail()
  await payments.settle({ ...ended, before, after: { ...ended.after, facts } })
  assert.equal(await payments.readSealedData(merchantId, id, 'wallet'), null)
  assert.ok(await payments.readSealedData(merchantId, id, 'parameters'))
  assert.ok(await payments.readSealedData(merchantId, other.payment.id, 'wallet'))
  assert.ok(await payments.readSealedData(foreign.payment.merchantId, id, 'wallet'), 'another merchant’s')
})

const stepOf = ({ payment, transaction }: Opening, changes: Partial<PayerStep> = {}): PayerStep => ({
  merchantId: payment.merchantId,
  paymentId: payment.id,
  transactionId: transaction.id,
  kind: 'REDIRECT',
  url: 'https://bank.example.com/1',
  method: 'GET',
  params: {},
  mpi: {},
  fields: {},
  listedAs: randomUUID(),
  state: 'waiting',
  storedUntil: null,
  givenOut: 0,
  expiresAt: later,
  createdAt: at,
  ...changes,
})

/** The payer is sent to another page, and the payment waits. */
const away = (one: Opening, step: PayerStep, before = one.payment): OutcomeRecord =>
  success(one, {
    before,
    after: { ...before, status: 'REDIRECT' },
    transaction: { ...one.transaction, state: 'waiting' },
    entries: [],
    step,
  })

test("a payer's redirect is listed by status queries, and a second redirect replaces the first", async () => {
  const one = await opened()
  const { merchantId, id } = one.payment
  const [first, second] = [stepOf(one), stepOf(one, { kind: '3DS', url: 'https://bank.example.com/2', method: 'POST' })]
  assert.deepEqual(
    [await payments.settle(away(one, first)), await payments.settle(away(one, second))],
    ['settled', 'stale'],
  )
  assert.equal((await rowsOf('payer_steps', id))[0]?.['url'], first.url)
  assert.ok((await payments.listTransactions(merchantId, id)).some((listed) => listed.id === first.listedAs))

  await database.pool.query(`update payer_steps set state = 'returned', ended_at = now(), given_out_at = now()`)
  const before = (await payments.find(merchantId, id)) ?? assert.fail()
  assert.equal(await payments.settle(away(one, second, before)), 'settled')
  const [step, ...more] = await rowsOf('payer_steps', id)
  assert.deepEqual(
    [step?.['url'], step?.['method'], step?.['state'], step?.['ended_at'], step?.['given_out_at'], more.length],
    [second.url, 'POST', 'waiting', null, null, 0],
  )
  assert.equal((await payments.listTransactions(merchantId, id)).length, 2, 'a 3DS step is not listed a second time')
})

test('a continuing cascade can be taken over when its process dies; a stale outcome leaves none', async () => {
  const one = await opened()
  const declined = success(one, {
    after: { ...one.payment, status: 'DECLINED', openTransaction: null },
    transaction: { ...one.transaction, state: 'fail', endedAt: at },
    entries: [],
    continuation: { sentBy: 7, inFlightMs: 1000 },
  })
  assert.equal(await payments.settle(declined), 'settled')
  assert.deepEqual(
    (await rowsOf('open_cascades', one.payment.id)).map((row) => row['sent_by']),
    [7],
  )
  assert.equal((await payments.find(one.payment.merchantId, one.payment.id))?.cascading, 'continues')
  assert.equal(await payments.settle(declined), 'stale')
})
