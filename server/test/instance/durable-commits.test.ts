/**
 * What a live instance has answered survives a crash of the database's machine, even if server or database are configured to acknowledge
 * commits before they are durable. Every connection that writes raises `synchronous_commit`; a stricter setting stays.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openProcessContext } from '#server/assembly/process-context.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type TestDatabase, testDatabase } from '../database.ts'

const GATEHOUSE_KEYS = JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } })

let database: TestDatabase
let folder: string
before(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-durable-'))
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function setDatabase(value: string): Promise<void> {
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
  await database.pool.query(`alter database ${rows[0]?.name} set synchronous_commit = '${value}'`)
}

/** On every connection of the pool, and again after each was returned once. */
async function settingsOf(pool: Pool, connections: number): Promise<readonly string[]> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  for (const client of clients) client.release()
  const again = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  const found = await Promise.all(
    again.map(async (client) => {
      const { rows } = await client.query<{ value: string }>(`select current_setting('synchronous_commit') as value`)
      return rows[0]?.value ?? ''
    }),
  )
  for (const client of again) client.release()
  return found
}

// biome-ignore format: a table is read in columns.
const commitLevels = [
  // the database says    a live connection has
  ['off',                 'on'],
  ['local',               'on'],
  ['on',                  'on'],
  ['remote_apply',        'remote_apply'],
] as const

describe('connections of a live instance', () => {
  for (const [given, expected] of commitLevels)
    test(`commit as ${expected} if the database is set to ${given}`, async () => {
      await setDatabase(given)
      const environment = {
        GATEHOUSE_MODE: 'live',
        GATEHOUSE_KEYS,
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        DATABASE_POOL: '3',
      }
      const base = await openProcessContext(readConfig('api', environment), database.url, createLog({ level: 'error' }))
      try {
        assert.deepEqual(await settingsOf(base.pool, 3), [expected, expected, expected])
      } finally {
        await base.pool.end()
      }
    })
})
