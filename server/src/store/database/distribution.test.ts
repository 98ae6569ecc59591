/**
 * Every statement of the store on a distributed table touches the rows of one merchant, or stands in the list of those that do not.
 * Chapter 80 §2, decisions/shards#distribution-by-merchant.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { callbackState, insertCallback, insertPayment, madeAt } from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { callbackRows } from '../callbacks/callbacks.ts'
import { deferredCommandStore } from '../payments/deferred-commands.ts'
import { open } from '../payments/intents/openings.ts'
import { paymentStore } from '../payments/payments.ts'
import { unresolvedStore } from '../payments/unresolved.ts'
import { usageStore } from '../payments/usage.ts'
import { distributedTables } from './distribution.ts'
import { knownStatements, openPool, type Pool } from './pool.ts'
import { changeReader } from './testing/changes.ts'
import { brokenRules, usesSessionZone } from './testing/citus-rules.ts'
import { composedStatements, manyShards, runsDistributed, runsOverShards } from './testing/many-shards.ts'
import { findTouchedShards, listKeysWithoutMerchant, neighbours, splitByMerchant } from './testing/shards.ts'

const store = new URL('..', import.meta.url)
const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'),
)

let database: TestDatabase
let missing: readonly string[]
/** One connection, which shows what was prepared on it. */
let distributed: Pool
before(async () => {
  database = await testDatabase()
  missing = await listKeysWithoutMerchant(database.pool)
  await splitByMerchant(database.pool)
  for (const file of files) await import(new URL(file, store).href)
  await openEveryWay()
  distributed = openPool(database.url, { max: 1, applicationName: 'distributed' })
})
after(async () => {
  await distributed.end()
  await database.drop()
})

/** A statement that opens a payment is composed of the parts that the payment needs. */
async function openEveryWay(): Promise<void> {
  const [session, follows] = [{ id: crypto.randomUUID(), version: 1 }, newOpening().payment]
  const use = { wallet: 'walletapay', check: 'A12', hash: '00'.repeat(32) } as const
  const sealedData = { purpose: 'wallet', sealed: Buffer.from('sealed') } as const
  const cardTry = { cardId: crypto.randomUUID(), windows: [] }
  for (const opening of [
    newOpening(),
    newOpening({ sealedData, tokenUses: [use], try: cardTry }),
    newOpening({ session, sealedData }),
    newOpening({ follows }, { subscriptionId: crypto.randomUUID() }),
    withEveryClaim(),
  ])
    await open(database.pool, opening).catch(() => undefined)
}

const withEveryClaim = (of: Partial<PaymentRecord> = {}) => {
  const [sessionId, subscriptionId] = [crypto.randomUUID(), crypto.randomUUID()]
  const opening = newOpening({}, { aloneInOrder: true, sessionId, subscriptionId, planDate: '2026-11-30', ...of })
  return { ...opening, transaction: { ...opening.transaction, useId: crypto.randomUUID() } }
}

test('unique indexes of distributed tables contain the merchant', () => {
  assert.deepEqual(missing, [])
})

test('the merchants that statements are planned for are neighbours on one shard', async () => {
  const { rows } = await database.pool.query<{ shards: number }>(
    `select count(distinct get_shard_id_for_distribution_column('payments', id))::int as shards from unnest($1::uuid[]) as id`,
    [neighbours],
  )
  assert.deepEqual(rows, [{ shards: 1 }])
})

/** A parameter may say that all merchants are meant. */
const forAnyMerchant = /\$\d+::uuid(?:\[\])? is null or \S*merchant_id/

test('a statement on a distributed table touches one merchant, or is listed with its reason', async () => {
  const found: string[] = []
  for (const { name, text } of knownStatements()) {
    const { tables, shards } = await findTouchedShards(database.pool, text)
    if (shards > 1 || (tables.length > 0 && forAnyMerchant.test(text))) found.push(name)
  }
  assert.deepEqual(found.toSorted(), manyShards.map(([name]) => name).toSorted())
  assert.ok(knownStatements().length > 350, 'the statements of the store were loaded')
})

test('names of statements are short enough for the server, which would take two long ones for one', () => {
  assert.deepEqual(
    knownStatements().flatMap(({ name }) => (name.length > 63 ? [name] : [])),
    [],
  )
})

test('a file that composes statements on distributed tables while it runs is listed with its reason', () => {
  const table = new RegExp(`(?:\\b(?:from|join|update|into) |['"])(?:${distributedTables.join('|')})\\b`)
  const found = files.filter((file) => {
    const text = readFileSync(new URL(file, store), 'utf8')
    return /\.query[<(]/.test(text) && table.test(text)
  })
  assert.deepEqual(found.toSorted(), composedStatements.map(([file]) => file).toSorted())
})

/** From `update` or `on conflict` to the end of that part of the statement. */
const parts = (text: string, begin: string): readonly string[] =>
  [...text.matchAll(new RegExp(`${begin}[\\s\\S]*?(?=\\breturning\\b|\\n\\s*\\)|$)`, 'g'))].map(([part]) => part)

test('statements of a distributed database have nothing in updates and conflicts that Citus refuses', () => {
  const tables = distributedTables.join('|')
  const elsewhere = new Set(manyShards.map(([name]) => name))
  const used = knownStatements().filter(
    ({ name, text }) => !elsewhere.has(name) && new RegExp(`\\b(?:${tables})\\b`).test(text),
  )
  const found = used.filter(
    ({ text }) =>
      parts(text, `update (?:${tables})\\b`).some((part) => /clock_timestamp|pg_locks/.test(part)) ||
      parts(text, `insert into (?:${tables})\\b[\\s\\S]*?on conflict`).some((part) =>
        /_timestamp\(/.test(part.replace(/^[\s\S]*on conflict/, '')),
      ) ||
      /\bselect from\b/.test(text),
  )
  assert.deepEqual(
    found.map(({ name }) => name),
    [],
  )
  assert.ok(used.length > 100)
})

test('a change of a distributed table computes nothing that servers could compute differently', async () => {
  const faultsIn = await changeReader(database.pool)
  const found: string[] = []
  for (const { name, text } of knownStatements().filter(({ name }) => runsDistributed(name)))
    found.push(...(await faultsIn(text)).map((fault) => `${name}: ${fault}`))
  assert.deepEqual(found, [])
})

test('a statement on a distributed table uses no time zone of a session, which the servers do not share', () => {
  const used = knownStatements().filter(({ text }) => new RegExp(`\\b(?:${distributedTables.join('|')})\\b`).test(text))
  assert.deepEqual(
    used.filter(({ text }) => usesSessionZone(text)).map(({ name }) => name),
    [],
  )
  assert.ok(usesSessionZone('select t.ended_at::date from transactions t'))
})

test('a statement over several shards has nothing that Citus cannot run there', () => {
  const found = knownStatements().filter(({ name }) => runsOverShards(name))
  assert.deepEqual(
    found.flatMap(({ name, text }) => brokenRules(text).map((rule) => `${name}: ${rule}`)),
    [],
  )
  assert.ok(found.length > 30)
})

test('a distributed database plans every statement with its values', async () => {
  const modes: string[] = []
  const plain = await testDatabase()
  for (const { url } of [database, plain]) {
    const pool = openPool(url, { max: 1, applicationName: 'planning', plansOnce: true })
    const { rows } = await pool.query<{ mode: string }>(`select current_setting('plan_cache_mode') as mode`)
    modes.push(...rows.map(({ mode }) => mode))
    await pool.end()
  }
  await plain.drop()
  assert.deepEqual(modes, ['auto', 'force_generic_plan'])
})

test('callbacks of several merchants are claimed by bucket, in order, and settled by merchant', async () => {
  const rows = callbackRows(distributed)
  const url = 'https://shop.example/notify'
  const payments = await Promise.all(Array.from({ length: 6 }, () => insertPayment(distributed)))
  for (const payment of payments)
    for (const sequence of [1, 2]) await insertCallback(distributed, payment, { url, sequence })
  const attempt = { at: madeAt, durationMs: 1, httpStatus: 200, answer: 'OK', fault: null, acknowledged: true }
  for (const sequence of [1, 2]) {
    const claimed = await rows.claim(madeAt, 50, 60)
    assert.deepEqual(
      claimed.map((one) => `${one.paymentId} ${one.sequence}`).toSorted(),
      payments.map(({ paymentId }) => `${paymentId} ${sequence}`).toSorted(),
    )
    assert.deepEqual(await rows.claim(madeAt, 50, 60), [], 'a lease holds')
    await Promise.all(claimed.map((one) => rows.settle(one, attempt, { state: 'delivered' })))
    for (const { id } of claimed) assert.equal((await callbackState(distributed, id)).state, 'delivered')
  }
})

test('a claim takes no more than its limit, and what the others hold stays theirs', async () => {
  const commands = deferredCommandStore(distributed)
  const payments = await Promise.all(Array.from({ length: 5 }, () => insertPayment(distributed)))
  for (const { merchantId, paymentId } of payments)
    await distributed.query(
      `insert into deferred_commands (merchant_id, payment_id, command, due_at) values ($1, $2, 'CAPTURE', $3)`,
      [merchantId, paymentId, madeAt],
    )
  const first = await commands.claim(madeAt, 3, 60)
  const second = await commands.claim(madeAt, 50, 60)
  assert.equal(first.length, 3)
  assert.deepEqual(
    [...first, ...second].map(({ paymentId }) => paymentId).toSorted(),
    payments.map(({ paymentId }) => paymentId).toSorted(),
  )
})

test('a transaction whose sender is gone is claimed at once, and may be sent again by one of two', async () => {
  const opening = newOpening({ sending: { sentBy: 77, inFlightMs: 60_000 } })
  assert.equal(await open(distributed, opening), 'opened')
  const unresolved = unresolvedStore(distributed)
  const [claimed] = (await unresolved.claim(new Date(0), 50, 60)).filter(
    (one) => one.transaction.id === opening.transaction.id,
  )
  assert.ok(claimed)
  const sends = await Promise.all([1, 2].map((sentBy) => unresolved.beginSend(claimed, { sentBy, inFlightMs: 1000 })))
  assert.equal(sends.filter((isSent) => isSent).length, 1)
})

test('a limit counts the payments of all its merchants exactly, from those made before it on', async () => {
  const midId = crypto.randomUUID()
  const use = { period: 'mid day', owner: midId, starts: '2026-03-01', currency: null, most: 5n } as const
  for (let count = 0; count < 2; count += 1) {
    const { payment } = newOpening({}, { midId })
    await open(distributed, newOpening({}, { ...payment, midId }))
    await distributed.query('update payments set financial_day = $2, authorised_minor = 100 where id = $1', [
      payment.id,
      '2026-03-01',
    ])
  }
  const tries = Array.from({ length: 12 }, () =>
    paymentStore(distributed).open(newOpening({ limits: [use] }, { midId })),
  )
  const answers = await Promise.all(tries)
  assert.deepEqual(answers.toSorted(), [
    ...Array.from({ length: 9 }, () => 'mid-day-limit'),
    ...Array.from({ length: 3 }, () => 'opened'),
  ])
  assert.equal((await usageStore(distributed).readUsage(midId, [use]))[0], 5n)
})

test('a distributed database has the claims of every payment', async () => {
  const payments = paymentStore(distributed)
  const { payment, transaction, ...rest } = withEveryClaim()
  const { merchantId } = payment
  assert.equal(await payments.open({ payment, transaction, ...rest }), 'opened')
  assert.equal((await payments.findByUse(merchantId, transaction.useId))?.id, transaction.id)
  const { sessionId, subscriptionId, planDate } = payment
  const others = [
    [{ aloneInOrder: true }, null, 'order_claims'],
    [{ sessionId }, null, 'session_claims'],
    [{ subscriptionId, planDate }, null, 'plan_claims'],
    [{}, transaction.useId, 'key_uses'],
  ] as const
  for (const [of, useId, table] of others) {
    const other = newOpening({}, { merchantId, ...of })
    await assert.rejects(
      payments.open({ ...other, transaction: { ...other.transaction, useId } }),
      ({ message }: Error) => message.includes(`"${table}__`),
    )
  }
})

test('a distributed database is served by the forms of statements that are made for it', async () => {
  const { rows } = await distributed.query<{ name: string }>('select name from pg_prepared_statements')
  const names = new Set(rows.map(({ name }) => name))
  for (const name of [
    'callback.claim',
    'callback.settle',
    'callback.bring-forward',
    'deferred-command.claim',
    'transaction.claim',
  ]) {
    assert.ok(names.has(`${name}-in-bucket`), name)
    assert.ok(!names.has(name), name)
  }
  assert.ok(names.has('payment.open-limits-counted'))
  assert.ok(!names.has('payment.open-limits'))
})
