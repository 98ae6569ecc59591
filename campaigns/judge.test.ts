import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Campaign, Findings } from './campaign.ts'
import { judgeCampaign, proofOf, proveCampaign } from './judge.ts'

const sound: Findings = { figures: [{ name: 'doubled', value: 0, must: 0 }], faults: [] }
const toy: Campaign = {
  name: 'toy',
  asserts: 'nothing is doubled',
  sizes: { payments: 100, lanes: 2 },
  quick: { payments: 3 },
  run: () => Promise.resolve(sound),
  plantedFault: { what: 'Everything is doubled.', seenIn: 'doubled' },
}

test('a planted fault is found if its figure does not have the required value', () => {
  const findings = { figures: [...sound.figures, { name: 'doubled', value: 2, must: 0 }], faults: [] }
  assert.equal(proofOf(toy, findings).verdict, 'found')
})

test('a planted fault that changes no figure is not found', () =>
  assert.equal(proofOf(toy, sound).verdict, 'not found'))

test('a campaign that crashed, or failed for another reason, has not found its planted fault', () => {
  const elsewhere = { figures: [...sound.figures, { name: 'lost', value: 1, must: 0 }], faults: [] }
  assert.equal(proofOf(toy, elsewhere).verdict, 'not found')
  const broken = { figures: [{ name: 'aborted', value: 1, must: 0 }], faults: ['RangeError: …'] }
  assert.match(proofOf(toy, broken).reason, /RangeError/)
  assert.equal(proofOf(toy, broken).verdict, 'not found')
})

test('a campaign without a planted fault is not proven', async () => {
  const { plantedFault: _, ...bare } = toy
  assert.equal((await proveCampaign(bare, 1)).verdict, 'not proven')
})

test('quick sizes replace the usual ones, and sizes from the command line replace both', async () => {
  const seen: unknown[] = []
  const watched: Campaign = {
    ...toy,
    run: (terms) => {
      seen.push(terms.sizes)
      return toy.run(terms)
    },
  }
  await judgeCampaign(watched, { seed: 1 })
  await judgeCampaign(watched, { seed: 1, quick: true })
  await judgeCampaign(watched, { seed: 1, quick: true, sizes: { lanes: 9 } })
  assert.deepEqual(seen, [
    { payments: 100, lanes: 2 },
    { payments: 3, lanes: 2 },
    { payments: 3, lanes: 9 },
  ])
})

test('a campaign that throws has failed, with the reason', async () => {
  const thrown = await judgeCampaign({ ...toy, run: () => Promise.reject(new Error('no stage')) }, { seed: 1 })
  assert.match(thrown.faults.join(), /no stage/)
})

test('a part that has ended is reported at once, and keeps its figures if a later part aborts', async () => {
  const parts: Findings[] = []
  const aborting: Campaign = {
    ...toy,
    run: (terms) => {
      terms.report?.(sound)
      return Promise.reject(new Error('the stage fell'))
    },
  }
  const { figures, faults } = await judgeCampaign(aborting, { seed: 1, onPart: (part) => parts.push(part) })
  assert.deepEqual(parts, [sound])
  assert.deepEqual(figures, [...sound.figures, { name: 'aborted', value: 1, must: 0 }])
  assert.match(faults.join(), /the stage fell/)
})

test('each step of a long campaign is told', async () => {
  const steps: string[] = []
  const long: Campaign = {
    ...toy,
    run: (terms) => {
      for (const done of [1, 2]) terms.progress?.(done, 2)
      return Promise.resolve(sound)
    },
  }
  await judgeCampaign(long, { seed: 1, onProgress: (done, of) => steps.push(`${done} of ${of}`) })
  assert.deepEqual(steps, ['1 of 2', '2 of 2'])
})
