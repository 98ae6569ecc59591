import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { campaigns } from '../list.ts'
import { requirements } from '../requirements.ts'
import { type CampaignRun, evidencePage } from './evidence-page.ts'

const program = fileURLToPath(new URL('./evidence.ts', import.meta.url))

function startEvidence(t: TestContext, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-evidence-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'page.md')
  return { child: spawn(process.execPath, [program, `--out=${out}`, '--quick', '--seed=7', ...args]), out }
}

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

const campaignRun: CampaignRun = {
  name: 'ledger',
  seed: 1,
  sizes: { payments: 3 },
  findings: { figures: [{ name: 'steps unbalanced', value: 2, must: 0 }], faults: ['Payment 5|6'] },
  proof: { verdict: 'not found', reason: 'It passed.' },
  seconds: 4,
}

test('the page of an interrupted run has the results so far', () => {
  const chosen = ['ledger', 'races']
  const page = evidencePage({ facts: [], state: 'interrupted', chosen, done: [campaignRun] }, requirements)
  assert.match(page, /\*\*Interrupted\*\* after 1 of 2[\s\S]*Not run: races/)
  assert.match(page, /\| `ledger` \| payments 3 \| 1 \|/)
})

test('a failed campaign and a fault that was not found are on the page, with their details', () => {
  const page = evidencePage({ facts: [], state: 'complete', chosen: ['ledger'], done: [campaignRun] }, requirements)
  assert.match(page, /\*\*Failed: ledger\*\*/)
  assert.match(page, /\*\*steps unbalanced 2, must be 0\*\* \| \*\*FAIL\*\* \| \*\*no\*\*: It passed\. \| 4 \|/)
  assert.match(page, /## Findings of ledger\n\n- Payment 5\|6/)
})

test('every campaign belongs to a requirement', () => {
  const shown = new Set(requirements.flatMap(({ shownBy }) => shownBy))
  assert.deepEqual(
    campaigns.map(({ name }) => name).filter((name) => !shown.has(name)),
    [],
  )
})
