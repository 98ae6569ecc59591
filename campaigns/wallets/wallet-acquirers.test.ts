import { test } from 'node:test'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { smoke } from '../smoke.ts'
import { sendToStandIns } from './wallet-acquirers.ts'

test('wallet tokens over every acquirer that takes them: what passes is charged once, what is refused never', () =>
  smoke({ cases: 6, lanes: 4 }, (terms) => sendToStandIns(terms, chosenStandIns('all')), { cases: 120, lanes: 4 }))
