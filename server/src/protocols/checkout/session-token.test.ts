/** Session tokens and the keys that sign them: chapter 30 §3.6. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { systemClock } from '../../process/clock.ts'
import { systemIds } from '../../process/ids.ts'
import { dataKeyRows } from '../../store/instance/data-keys.ts'
import { sessionKeyRows } from '../../store/sessions/session-keys.ts'
import { readKeyRing } from '../../vault/key-ring.ts'
import { openVault } from '../../vault/vault.ts'
import { type SessionKeys, sessionKeys } from './session-keys.ts'
import { sessionTokens } from './session-token.ts'

const database = await testDatabase()
after(() => database.drop())
const clock = systemClock()
const ids = systemIds(clock)
const rows = sessionKeyRows(database.pool)

const keyText = JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } })

async function process(): Promise<SessionKeys> {
  const { ring } = await readKeyRing({ text: keyText, create: false })
  const vault = await openVault({ ring, keys: dataKeyRows(database.pool), clock })
  return sessionKeys({ rows, vault, clock, ids, bits: 2048 })
}

const session = {
  id: randomUUID(),
  createdAt: new Date('2026-03-01T10:00:00.900Z'),
  expiresAt: new Date('2026-03-01T11:00:00.900Z'),
}
const whole = { sessionId: session.id, use: 'session' }
const partsOf = (token: string) => Buffer.from(token, 'base64url').toString().split('.')
const wrapped = (...parts: readonly string[]) => Buffer.from(parts.join('.')).toString('base64url')
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

let keys: SessionKeys
before(async () => {
  keys = await process()
})

test('a token is read by the process that issued it and by every other', async () => {
  const token = await sessionTokens(keys).issue(session)
  assert.match(token, /^[\w-]+$/)
  assert.deepEqual(await sessionTokens(keys).read(token), whole)
  assert.deepEqual(await sessionTokens(await process()).read(token), whole)
})

test('a token of the page says that it only collects, and a visitor’s token has the amount; neither becomes the other', async () => {
  const tokens = sessionTokens(keys)
  const collecting = await tokens.issue(session, 'collect')
  const visiting = await tokens.issue({ ...session, visitorAmount: '12.50' })
  assert.deepEqual(await tokens.read(collecting), { ...whole, use: 'collect' })
  assert.deepEqual(await tokens.read(visiting), { ...whole, visitorAmount: '12.50' })
  const [header = ''] = partsOf(await tokens.issue(session))
  for (const token of [collecting, visiting]) {
    const [, payload = '', signature = ''] = partsOf(token)
    assert.equal(await tokens.read(wrapped(header, payload, signature)), null)
  }
})

test('of processes that start together all sign with one key', async () => {
  await database.pool.query('delete from session_keys')
  const all = await Promise.all([process(), process(), process()])
  const signing = await Promise.all(all.map((one) => one.readCurrent()))
  assert.equal(new Set(signing.map(({ id }) => id)).size, 1)
  const { rows: stored } = await database.pool.query('select id from session_keys')
  assert.equal(stored.length, 1)
  keys = await process()
})

test('after a rotation new tokens have a new key, and old ones are still read', async () => {
  const tokens = sessionTokens(keys)
  const old = await tokens.issue(session)
  await keys.rotate()
  const fresh = await tokens.issue(session)
  assert.notEqual(partsOf(old)[0], partsOf(fresh)[0])
  for (const token of [old, fresh]) {
    assert.deepEqual(await tokens.read(token), whole)
    assert.deepEqual(await sessionTokens(await process()).read(token), whole)
  }
})

test('the private key is nowhere in the clear', async () => {
  const { rows: stored } = await database.pool.query<{ private_sealed: Buffer }>(
    'select private_sealed from session_keys',
  )
  for (const { private_sealed } of stored) assert.ok(!private_sealed.toString('latin1').includes('PRIVATE KEY'))
})

describe('what is no token of ours is not read:', () => {
  const strangers = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const signedBy = (header: string, payload: string) =>
    sign('RSA-SHA256', Buffer.from(`${header}.${payload}`), strangers).toString('base64url')

  // biome-ignore format: a table is read in columns.
  const forgeries: readonly (readonly [string, (token: string) => string])[] = [
    ['nothing',                          () => ''],
    ['any text',                         () => 'not a token'],
    ['a plain JWT',                      (token) => partsOf(token).join('.')],
    ['another session',                  (token) => { const [header = '', , signature = ''] = partsOf(token); return wrapped(header, encoded({ jti: randomUUID() }), signature) }],
    ['a longer life',                    (token) => { const [header = '', , signature = ''] = partsOf(token); return wrapped(header, encoded({ iat: 1, jti: session.id, exp: 9999999999 }), signature) }],
    ['no signature',                     (token) => { const [header = '', payload = ''] = partsOf(token); return wrapped(header, payload, 'AA') }],
    ['no algorithm',                     (token) => { const [, payload = ''] = partsOf(token); return wrapped(encoded({ typ: 'JWT', alg: 'none' }), payload, '') }],
    ['the public key as a shared secret', (token) => { const [header = '', payload = '', signature = ''] = partsOf(token); return wrapped(header.replace(/.$/, 'x'), payload, signature) }],
    ['a stranger’s key by our name',     (token) => { const [header = '', payload = ''] = partsOf(token); return wrapped(header, payload, signedBy(header, payload)) }],
    ['a key that nobody has',            (token) => { const [, payload = ''] = partsOf(token); const header = encoded({ typ: 'JWT', alg: 'RS256', kid: randomUUID() }); return wrapped(header, payload, signedBy(header, payload)) }],
    ['a key that is no identifier',      (token) => { const [, payload = ''] = partsOf(token); const header = encoded({ typ: 'JWT', alg: 'RS256', kid: "' or true --" }); return wrapped(header, payload, signedBy(header, payload)) }],
    ['more than anybody signs',          (token) => `${token}${'A'.repeat(9000)}`],
  ]
  for (const [title, forge] of forgeries) {
    test(title, async () => {
      const tokens = sessionTokens(keys)
      assert.equal(await tokens.read(forge(await tokens.issue(session))), null)
    })
  }
})
