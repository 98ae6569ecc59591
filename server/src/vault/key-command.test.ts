import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readKeyRing } from './key-ring.ts'

const ring = JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 'secret').toString('base64') } })
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-key-command-'))
})
after(() => rm(folder, { recursive: true }))

test('the command gets the bytes of the wrapped file and prints the keys', async () => {
  const file = join(folder, 'wrapped')
  // Not text: every byte has to arrive.
  await writeFile(
    file,
    Buffer.from(ring).map((byte) => byte ^ 0xff),
    { mode: 0o600 },
  )
  const script = join(folder, 'unwrap.mjs')
  await writeFile(
    script,
    `const parts = []; for await (const part of process.stdin) parts.push(part)
     process.stdout.write(Buffer.concat(parts).map((byte) => byte ^ 0xff))`,
  )
  const read = await readKeyRing({ command: `'${process.execPath}' '${script}'`, file, create: false })
  assert.deepEqual([read.ring.current, read.ring.keys.get('k1')?.symmetricKeySize], ['k1', 32])
})

test('a command without a file gets no input, and may not read it', async () => {
  const file = join(folder, 'plain.json')
  await writeFile(file, ring)
  assert.equal((await readKeyRing({ command: `cat '${file}'`, create: false })).ring.current, 'k1')
})

test('a command that fails, prints something else or too much stops the start, and nothing that it printed is shown', async () => {
  // biome-ignore format: a table is read in columns.
  const faults = [
    // command                               message
    ['echo c2VjcmV0; exit 3',                /GATEHOUSE_KEY_COMMAND ended with status 3/],
    ['echo c2VjcmV0',                        /The output of GATEHOUSE_KEY_COMMAND is not JSON/],
    ['head -c 100000 /dev/zero; sleep 20',   /GATEHOUSE_KEY_COMMAND was stopped/],
    ['kill -9 $$',                           /GATEHOUSE_KEY_COMMAND was stopped/],
  ] as const
  for (const [command, message] of faults)
    await assert.rejects(readKeyRing({ command, create: true }), (error: Error) => {
      assert.match(error.message, message)
      assert.doesNotMatch(`${error.stack}`, /c2VjcmV0/)
      return true
    })
})
