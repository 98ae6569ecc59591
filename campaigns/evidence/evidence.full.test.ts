import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startEvidence } from './start-evidence.ts'

test('the evidence has sample, seed, figures, result and planted fault of each campaign that was run', async (t) => {
  const { child, out } = startEvidence(t, '--only=wallet-vectors')
  const [[status], said] = await Promise.all([once(child, 'close'), text(child.stdout)])
  const page = readFileSync(out, 'utf8')
  assert.equal(status, 0, said)
  assert.match(said, /1 of 1: wallet-vectors/)
  assert.match(page, /- Commit: [0-9a-f]{40}/)
  assert.match(page, /- PostgreSQL: postgres \(PostgreSQL\) \d+/)
  assert.match(page, /- Complete: 1 of 1 run/)
  assert.match(
    page,
    /\| `wallet-vectors` \| .*different from the published result 0 \| pass \| yes: different from the published result 3, must be 0 \|/,
  )
  assert.match(page, /\| `ledger` \| \| \| \| not part of this run \|/)
})

test('an interrupted run leaves a page that names what was not run', async (t) => {
  const { child, out } = startEvidence(t, '--only=wallet-vectors,wallet-fuzz')
  child.stdout.on('data', (line: Buffer) => {
    if (line.includes('1 of 2')) child.kill('SIGTERM')
  })
  const [status] = await once(child, 'close')
  const page = readFileSync(out, 'utf8')
  assert.notEqual(status, 0)
  assert.match(page, /\*\*Interrupted\*\* after 0 of 2/)
  assert.match(page, /Not run: wallet-vectors, wallet-fuzz/)
})

test('an unknown campaign is refused with the list of names', async (t) => {
  const { child } = startEvidence(t, '--only=raecs')
  const [[status], said] = await Promise.all([once(child, 'close'), text(child.stderr)])
  assert.equal(status, 2)
  assert.match(said, /There is no campaign raecs\.[\s\S]*races/)
})
