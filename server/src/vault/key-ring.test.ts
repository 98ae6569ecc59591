import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { StartupError } from '#server/process/startup-error.ts'
import { createKeyFile } from './key-file.ts'
import { addKey, HeldRing, type KeyRing, readKeyRing } from './key-ring.ts'
import { VaultError } from './vault-error.ts'

const key = Buffer.alloc(32, 'secret').toString('base64')
const valid = JSON.stringify({ current: 'k1', keys: { k1: key } })

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-keys-'))
})
after(() => rm(folder, { recursive: true }))

test('the sandbox creates its key file at the first start, for its owner only, and keeps it', async () => {
  const file = join(folder, 'deep', 'er', 'first.json')
  const first = await readKeyRing({ file, create: true })
  const second = await readKeyRing({ file, create: true })

  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal(first.ring.keys.get('k1')?.symmetricKeySize, 32)
  assert.ok(sameRing(first.ring, second.ring))
  assert.deepEqual(first.warnings, [])
  assert.deepEqual(await readdir(join(folder, 'deep', 'er')), ['first.json'])
})

test('of processes that create the key file at once, the first one’s keys apply to all', async () => {
  const file = join(folder, 'together.json')
  await createKeyFile(file, () => {
    writeFileSync(file, valid)
    return valid.replaceAll('k1', 'k9')
  })
  assert.equal((await readKeyRing({ file, create: true })).ring.current, 'k1')
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('together')),
    ['together.json'],
  )
})

test('outside the sandbox a missing key file stops the start and is not replaced', async () => {
  const file = join(folder, 'missing.json')
  await assert.rejects(
    readKeyRing({ file, create: false }),
    startupError(/missing\.json does not exist/, /Restore the key file/),
  )
  await assert.rejects(stat(file), { code: 'ENOENT' })
})

test('the command in the message about a missing key file creates a usable one', async () => {
  const file = join(folder, 'by-hand.json')
  const { remedy } = await refusal(readKeyRing({ file, create: false }))
  execFileSync('sh', ['-c', remedy.slice(remedy.indexOf('(umask'))])

  const { ring, warnings } = await readKeyRing({ file, create: false })
  assert.equal(ring.current, 'k1')
  assert.deepEqual(warnings, [])
})

test('a missing source stops the start', async () => {
  await assert.rejects(
    readKeyRing({ create: true }),
    startupError(/No key-encryption key is configured/, /GATEHOUSE_KEY_FILE/),
  )
})

test('the same JSON may come as text, which takes precedence over the file', async () => {
  const { ring } = await readKeyRing({ file: join(folder, 'missing.json'), text: valid, create: false })
  assert.deepEqual(ring.keys.get('k1')?.export(), Buffer.alloc(32, 'secret'))
})

test('each fault of the text has its own message, and none shows a key', async () => {
  const other = Buffer.alloc(31, 'secret').toString('base64')
  // biome-ignore format: a table is read in columns.
  const faults: readonly (readonly [string, RegExp])[] = [
    // text                                                          message
    ['',                                                             /is not JSON/],
    [valid.slice(0, -1),                                             /is not JSON/],
    [valid.replace('"k1"', 'k1'),                                    /is not JSON/],
    [key,                                                            /is not JSON/],
    [JSON.stringify(key),                                            /form of a key ring/],
    [JSON.stringify({ current: 'k1', keys: [key] }),                 /form of a key ring/],
    [JSON.stringify({ current: 'k1', keys: { k1: key }, k2: key }),  /form of a key ring/],
    [JSON.stringify({ current: 'k1', keys: { k1: 5 } }),             /form of a key ring/],
    [JSON.stringify({ keys: { k1: key } }),                          /form of a key ring/],
    [JSON.stringify({ current: 'k1', keys: { k1: other } }),         /the key k1 is not 32 bytes in base64/],
    [JSON.stringify({ current: 'k1', keys: { k1: `${key}${key}` } }), /the key k1 is not 32 bytes in base64/],
    [JSON.stringify({ current: 'k1', keys: { k1: '' } }),            /the key k1 is not 32 bytes in base64/],
    [JSON.stringify({ current: key, keys: { k1: key } }),            /current key that is not among its keys/],
    [JSON.stringify({ current: 'k1', keys: {} }),                    /current key that is not among its keys/],
    [JSON.stringify({ current: 'k1', keys: { k1: key, [key]: 'k2' } }), /a key with an invalid name/],
  ]
  for (const [text, message] of faults) {
    const error = await refusal(readKeyRing({ text, create: true }))
    assert.match(error.message, message)
    assert.doesNotMatch(`${inspect(error, { showHidden: true })}${error.remedy}`, /c2VjcmV0/)
  }
})

test('a key file that other users may read or change is used, with a warning', async () => {
  const file = join(folder, 'open.json')
  await writeFile(file, valid)
  for (const [mode, warned] of [
    [0o644, true],
    [0o660, true],
    [0o600, false],
    [0o640, false],
    [0o400, false],
  ] as const) {
    await chmod(file, mode)
    const { ring, warnings } = await readKeyRing({ file, create: true })
    assert.equal(ring.current, 'k1')
    assert.equal(warnings.length, warned ? 1 : 0, mode.toString(8))
    if (warned) assert.match(warnings.join(), new RegExp(`mode ${mode.toString(8)}.*chmod 600 .*open\\.json`))
  }
})

test('a key file that is a folder, or has no folder, is distinguished from a missing one', async () => {
  await assert.rejects(readKeyRing({ file: folder, create: true }), startupError(/cannot be read \(EISDIR\)/, /./))
  const file = join(folder, 'plain')
  await writeFile(file, '')
  await assert.rejects(
    readKeyRing({ file: join(file, 'x'), create: true }),
    startupError(/cannot be written \(EEXIST\)/, /Check/),
  )
  // No change is in progress there: a lock that cannot be created is not a lock held by another command.
  await assert.rejects(addKey(join(file, 'x')), startupError(/cannot be written \(ENOTDIR\)/, /Check/))
})

test("a new key becomes the current one, and the old keys and the file's permissions stay", async () => {
  const file = join(folder, 'rotated.json')
  const { ring: old } = await readKeyRing({ file, create: true })
  await chmod(file, 0o640)

  assert.equal(await addKey(file), 'k2')
  assert.equal(await addKey(file), 'k3')
  const { ring } = await readKeyRing({ file, create: false })
  assert.equal(ring.current, 'k3')
  assert.deepEqual([...ring.keys.keys()], ['k1', 'k2', 'k3'])
  assert.deepEqual(ring.keys.get('k1')?.export(), old.keys.get('k1')?.export())
  assert.equal((await stat(file)).mode & 0o777, 0o640)
})

test("simultaneous changes do not lose each other's keys", async () => {
  const file = join(folder, 'contended.json')
  await readKeyRing({ file, create: true })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => addKey(file)))
  const { ring } = await readKeyRing({ file, create: false })

  const added = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.ok(added.length >= 1)
  assert.deepEqual([...ring.keys.keys()].sort(), ['k1', ...added].sort())
  assert.equal(new Set(added).size, added.length)
})

test('an interrupted change leaves the keys unchanged and says how to continue', async () => {
  const file = join(folder, 'cut-off.json')
  await readKeyRing({ file, create: true })
  const before = await readFile(file, 'utf8')
  await writeFile(`${file}.new`, '')

  await assert.rejects(addKey(file), startupError(/is being changed/, /delete .*cut-off\.json\.new/))
  assert.equal(await readFile(file, 'utf8'), before)
})

test('no key is added to a damaged key file, and no draft remains', async () => {
  const file = join(folder, 'broken.json')
  await writeFile(file, '{')
  await assert.rejects(addKey(file), startupError(/is not JSON/, /./))
  await assert.rejects(stat(`${file}.new`), { code: 'ENOENT' })
})

test('a running process finds a key that was added to its file after the start', async () => {
  const file = join(folder, 'held.json')
  const read = async () => (await readKeyRing({ file, create: true })).ring
  const atStart = await read()
  const fixed = new HeldRing(atStart)
  const held = new HeldRing(atStart, read)
  await addKey(file)

  const current = await held.loadCurrentKek()
  assert.equal(current.id, 'k2')
  assert.ok((await new HeldRing(atStart, read).loadKek('k2')).equals(current.kek))
  await assert.rejects(held.loadKek('k3'), VaultError)
  assert.equal((await fixed.loadCurrentKek()).id, 'k1')
  await assert.rejects(fixed.loadKek('k2'), VaultError)
})

test('a ring prints no key', async () => {
  const { ring } = await readKeyRing({ text: valid, create: false })
  const printed = inspect([ring, new HeldRing(ring)], { depth: 10, showHidden: true }) + JSON.stringify([...ring.keys])
  assert.doesNotMatch(printed, /c2VjcmV0|secret[s]|115, 101|73 65 63/)
})

function sameRing(one: KeyRing, other: KeyRing): boolean {
  const key = other.keys.get(other.current)
  return one.current === other.current && key !== undefined && one.keys.get(one.current)?.equals(key) === true
}

function startupError(message: RegExp, remedy: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StartupError && message.test(error.message) && remedy.test(error.remedy)
}

async function refusal(read: Promise<unknown>): Promise<StartupError> {
  const error = await read.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StartupError)
  return error
}
