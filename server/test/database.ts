import { openPool, type Pool } from '#server/store/database/pool.ts'
import { ensureTemplate, urlOfDatabase } from './template.ts'
import { startTestPostgres, testDatabaseName } from './test-postgres.ts'

export interface TestDatabase {
  readonly url: string
  readonly pool: Pool
  /** Closes the pool and removes the database. */
  drop(): Promise<void>
}

/**
 * A migrated database for one test file, cloned in about ten milliseconds. `npm test` names its server in GATEHOUSE_TEST_DATABASE; a file
 * run alone starts the server or uses a running one, and the last file to leave stops it.
 */
export function testDatabase(): Promise<TestDatabase> {
  return cloneOf(ensureTemplateOnce)
}

/** The same with another template. */
export function testDatabaseLike(templateFor: (serverUrl: string) => Promise<string>): Promise<TestDatabase> {
  return cloneOf(templateFor)
}

/** A database without tables, for tests of migrations. */
export function emptyTestDatabase(): Promise<TestDatabase> {
  return cloneOf(() => Promise.resolve('template1'))
}

const lingerMs = 100

let databaseCount = 0
let users = 0
let server: Promise<{ readonly url: string; stop(): Promise<void> }> | null = null
let template: Promise<string> | null = null

async function cloneOf(templateFor: (serverUrl: string) => Promise<string>): Promise<TestDatabase> {
  const serverUrl = await enter()
  const name = testDatabaseName(++databaseCount)
  try {
    // Copying files is three times as fast as the default, which writes every page to the WAL.
    await onServer(serverUrl, `create database ${name} template ${await templateFor(serverUrl)} strategy file_copy`)
  } catch (error) {
    leave()
    throw error
  }
  const url = urlOfDatabase(serverUrl, name)
  const pool = openPool(url, { max: 10, applicationName: name })
  return { url, pool, drop: () => drop(pool, serverUrl, name) }
}

async function drop(pool: Pool, serverUrl: string, name: string): Promise<void> {
  if (!pool.ending) await pool.end()
  await onServer(serverUrl, `drop database if exists ${name} with (force)`)
  leave()
}

async function enter(): Promise<string> {
  const ownServerUrl = process.env.GATEHOUSE_TEST_DATABASE
  users += 1
  server ??= ownServerUrl ? Promise.resolve({ url: ownServerUrl, stop: () => Promise.resolve() }) : startTestPostgres()
  return (await server).url
}

/** Delayed: the next test of the file would only start the server again. */
function leave(): void {
  users -= 1
  setTimeout(stopUnused, lingerMs)
}

function stopUnused(): void {
  if (users > 0 || server === null) return
  const unused = server
  server = null
  template = null
  void unused.then((started) => started.stop())
}

function ensureTemplateOnce(serverUrl: string): Promise<string> {
  template ??= ensureTemplate(serverUrl)
  return template
}

async function onServer(serverUrl: string, text: string): Promise<void> {
  const pool = openPool(serverUrl, { max: 1, applicationName: 'gatehouse test' })
  try {
    await pool.query(text)
  } finally {
    await pool.end()
  }
}
