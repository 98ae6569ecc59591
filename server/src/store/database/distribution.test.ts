/**
 * Every statement of the store on a distributed table touches the rows of one merchant, or stands in the list of those that do not.
 * Chapter 80 §2, decision 0133.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import { open } from '../payments/openings.ts'
import { distributedTables } from './distribution.ts'
import { knownStatements } from './pool.ts'
import { composedStatements, manyShards } from './testing/many-shards.ts'
import { keysWithoutMerchant, splitByMerchant, touchedBy } from './testing/shards.ts'

const store = new URL('..', import.meta.url)
const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'),
)

let database: TestDatabase
let missing: readonly string[]
before(async () => {
  database = await testDatabase()
  missing = await keysWithoutMerchant(database.pool)
  await splitByMerchant(database.pool)
  for (const file of files) await import(new URL(file, store).href)
  await openEveryWay()
})
after(() => database.drop())

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
  ])
    await open(database.pool, opening).catch(() => undefined)
}

/** Looked up without a merchant. Random enough to be unique by themselves; a migration will make them ordinary indexes. */
const withoutMerchant = ['card_tokens_token', 'sessions_id']

test('unique indexes of distributed tables contain the merchant, or are listed', () => {
  assert.deepEqual(missing, withoutMerchant)
})

/** A parameter may say that all merchants are meant. */
const forAnyMerchant = /\$\d+::uuid(?:\[\])? is null or \S*merchant_id/

test('a statement on a distributed table touches one merchant, or is listed with its reason', async () => {
  const found: string[] = []
  for (const { name, text } of knownStatements()) {
    const { tables, shards } = await touchedBy(database.pool, text)
    if (shards > 1 || (tables.length > 0 && forAnyMerchant.test(text))) found.push(name)
  }
  assert.deepEqual(found.toSorted(), manyShards.map(([name]) => name).toSorted())
  assert.ok(knownStatements().length > 350, 'the statements of the store were loaded')
})

test('a file that composes statements on distributed tables while it runs is listed with its reason', () => {
  const table = new RegExp(`(?:\\b(?:from|join|update|into) |['"])(?:${distributedTables.join('|')})\\b`)
  const found = files.filter((file) => {
    const text = readFileSync(new URL(file, store), 'utf8')
    return /\.query[<(]/.test(text) && table.test(text)
  })
  assert.deepEqual(found.toSorted(), composedStatements.map(([file]) => file).toSorted())
})
