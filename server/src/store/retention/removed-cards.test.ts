import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openShop } from '../../../test/shop.ts'
import type { PoolClient } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { removeCards, removeUnusedCards } from './removed-cards.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())
const { pool } = shop.base

/** A card whose only payment was erased, so that nothing needs it. */
async function looseCard(): Promise<{ merchantId: string; id: string; paymentId: string }> {
  const { body } = await shop.sale()
  await shop.service.awaitIdle()
  const { rows } = await pool.query(
    'select merchant_id as "merchantId", card_id as id, id as "paymentId" from payments where id = $1',
    [body.trans_id],
  )
  await pool.query('update payments set card_id = null where card_id = $1', [rows[0].id])
  return rows[0]
}

/** What a payment does with its card: it inserts the card if it is missing, then the payment. */
async function pay(client: PoolClient, { merchantId, id, paymentId }: Awaited<ReturnType<typeof looseCard>>) {
  await client.query(
    `insert into cards select merchant_id, $2, pan_sealed, bin, last_four, pan_length, expiry_month, expiry_year, holder, network, created_at
     from cards where merchant_id = $1 limit 1 on conflict do nothing`,
    [merchantId, id],
  )
  await client.query('update payments set card_id = $2 where id = $1', [paymentId, id])
}

const exists = async (id: string): Promise<boolean> =>
  (await pool.query('select from cards where id = $1', [id])).rows.length === 1

test('a card that nothing needs is removed', async () => {
  const card = await looseCard()
  const removed = await inTransaction(pool, (client) => removeCards(client, card.merchantId, [card.id]))
  assert.deepEqual([removed.cards, removed.kept, await exists(card.id)], [1, [], false])
})

test('a payment that has found its card but is not yet written keeps the card', async () => {
  const card = await looseCard()
  const payer = await pool.connect()
  await payer.query('begin')
  await pay(payer, card)

  const removing = inTransaction(pool, (client) => removeCards(client, card.merchantId, [card.id]))
  await sleep(100)
  await payer.query('commit')
  payer.release()
  const removed = await removing
  assert.deepEqual([removed.cards, removed.kept, await exists(card.id)], [0, [card.id], true])
})

test('a payment that arrives while its card is being removed has the card afterwards', async () => {
  const card = await looseCard()
  const remover = await pool.connect()
  await remover.query('begin')
  assert.equal((await removeCards(remover, card.merchantId, [card.id])).cards, 1)

  const paying = shop.sale()
  await sleep(100)
  await remover.query('commit')
  remover.release()
  const { body } = await paying
  const { rows } = await pool.query('select card_id as id from payments where id = $1', [body.trans_id])
  assert.deepEqual([body.result, rows[0].id, await exists(card.id)], ['SUCCESS', card.id, true])
})

test('a long write of cards does not hold up a removal for ever', async () => {
  const card = await looseCard()
  const other = await pool.connect()
  await other.query('begin; update cards set created_at = created_at where false')
  const before = shop.base.clock.now()
  const page = await inTransaction(pool, (client) =>
    removeUnusedCards(client, { after: '', limit: 100, before: new Date(before.getTime() + 1000) }),
  )
  assert.ok(shop.base.clock.now().getTime() - before.getTime() < 5000)
  assert.deepEqual([page.cards, await exists(card.id)], [0, true])
  assert.ok(page.last)
  await other.query('rollback')
  other.release()
})
