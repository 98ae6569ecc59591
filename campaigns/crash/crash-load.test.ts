import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { runCrashLoad } from './crash-load.ts'

// A killed worker leaves callbacks that wait out the time of a delivery; the campaign itself waits for them, every commit need not.
test('payments under load lose and double nothing when api processes are killed', () =>
  smoke({ payments: 60, kills: 3, concurrency: 8, apis: 2, merchants: 2 }, (terms) => runCrashLoad(terms, ['api'])))
