/** What `npm test` can afford of the campaign `upgrade`: see decisions/migrations#upgrade-test. */
import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { previousRelease } from './origin.ts'
import { UnfitOrigin } from './unfit-origin.ts'
import { serveOnSchemaHere } from './upgrade.ts'

test('the previous release goes on serving under load while its schema becomes the one of this checkout', async (t) => {
  const origin = previousRelease()
  if ('missing' in origin) return t.skip(origin.missing)
  t.diagnostic(`upgraded from ${origin.title}`)
  try {
    await smoke({ requests: 20, lanes: 2, apis: 1 }, (terms) => serveOnSchemaHere(origin, terms))
  } catch (error) {
    if (!(error instanceof UnfitOrigin)) throw error
    t.skip(`${origin.title} does not start with the packages of this checkout: ${error.message}`)
  }
})
