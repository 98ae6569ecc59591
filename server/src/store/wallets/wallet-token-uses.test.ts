/** The replay guard for wallet tokens in the schema. Chapter 40 §13. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertPayment } from '../../../test/callbacks/callback-rows.ts'
import { testDatabase } from '../../../test/database.ts'

const database = await testDatabase()
after(() => database.drop())

async function use(wallet: string, byte: number): Promise<void> {
  const payment = await insertPayment(database.pool)
  await database.pool.query('insert into wallet_token_uses values ($1, $2, $3, $4, $5)', [
    wallet,
    Buffer.alloc(32, byte),
    payment.merchantId,
    payment.paymentId,
    '2026-03-01T00:00:00Z',
  ])
}

test('a wallet token can be used once, across all merchants', async () => {
  await use('walletapay', 1)
  await assert.rejects(use('walletapay', 1), { constraint: 'wallet_token_uses_pkey' })
})

test('of parallel uses of one token exactly one succeeds', async () => {
  const uses = await Promise.allSettled(Array.from({ length: 10 }, () => use('walletbpay', 2)))
  assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('the same id in the other wallet is a different token', async () => {
  await use('walletapay', 3)
  await use('walletbpay', 3)
})
