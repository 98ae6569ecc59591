import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '../list.ts'
import { requirements } from '../requirements.ts'
import { type CampaignRun, evidencePage } from './evidence-page.ts'

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
