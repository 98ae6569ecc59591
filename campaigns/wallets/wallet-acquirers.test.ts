import { test } from 'node:test'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { isFullRun } from '../../tools/testing/full-run.ts'
import { smoke } from '../smoke.ts'
import { sendToStandIns } from './wallet-acquirers.ts'

/** One that gets tokens and decrypted data, and one that gets decrypted data alone. What each of them gets is stated by its connector's fixtures. */
const oneOfEachKind = 'iso8583,stripe'

test('wallet tokens over acquirers that take them: what passes is charged once, what is refused never', () =>
  smoke({ cases: 6, lanes: 4 }, (terms) => sendToStandIns(terms, chosenStandIns(isFullRun ? 'all' : oneOfEachKind)), {
    cases: 120,
    lanes: 4,
  }))
