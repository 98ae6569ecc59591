// Chapter 60 §1.1: what the table of capabilities promises works through the stand-in of the acquirer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { standIns } from '#sandbox/acquirers/registry.ts'
import { capabilityTable } from '#server/connectors/capability-table.ts'
import { connectors } from '#server/connectors/registry.ts'
import { proofs } from './capability-proofs.ts'
import { openStandInHere, type StandInHere } from './stand-in-here.ts'

/** Test cards for which the acquirer authenticates the payer, from its documentation. */
const challengedCards: Readonly<Record<string, string>> = {
  adyen: '4917610000000000',
  stripe: '4000002760003184',
  checkout: '4242424242424242',
  paypal: '4868719166101368',
}

const acquirers = connectors.filter(({ id }) => id !== 'sandbox')

test('every connector of a real acquirer has a stand-in', () => {
  assert.deepEqual(
    acquirers.map(({ id }) => id).toSorted(),
    [...standIns.keys()].filter((name) => !name.startsWith('prism-')).toSorted(),
  )
})

for (const connector of acquirers) {
  describe(`${connector.title}`, () => {
    let at: StandInHere
    before(async () => {
      const load = standIns.get(connector.id) ?? assert.fail(`No stand-in for ${connector.id}.`)
      at = await openStandInHere(await load(), connector)
    })
    after(() => at.close())

    for (const { id, title, isOffered } of capabilityTable(connector)) {
      if (!isOffered) continue
      test(`${title}: works at the acquirer, as the table says`, async () => {
        const before = (await at.ledger()).length
        const movements = async () => (await at.ledger()).slice(before)
        const authenticates = connector.supports.ownThreeDs
        const challengedCard = challengedCards[connector.id] ?? '4111111111111111'
        await proofs[id]({ at, challengedCard, authenticates, movements })
      })
    }
  })
}
