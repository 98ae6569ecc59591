import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { runCrashLoad } from './crash-load.ts'

// Callbacks of a killed worker wait until their delivery has timed out; the full campaign waits for them, this quick form does not.
test('payments under load lose and double nothing when api processes are killed', () =>
  smoke({ payments: 60, kills: 3, concurrency: 8, apis: 2, merchants: 2 }, (terms) => runCrashLoad(terms, ['api'])))
