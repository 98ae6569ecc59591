/** What `npm test` can afford of the campaign `upgrade`: see decision 0285. */
import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { previousRelease } from './origin.ts'
import { serveOnSchemaHere, UnfitOrigin } from './upgrade.ts'

test('the previous release goes on serving under load while its schema becomes the one of this checkout', async (t) => {
  const origin = previousRelease()
  if ('missing' in origin) return t.skip(origin.missing)
  t.diagnostic(`upgraded from ${origin.title}`)
  try {
    await smoke({ requests: 20, lanes: 2, apis: 1 }, (terms) => serveOnSchemaHere(origin, terms))
  } catch (error) {
    if (!(error instanceof UnfitOrigin)) throw error
    t.skip(`${origin.title} does not serve its own schema here: ${error.message}`)
  }
})
