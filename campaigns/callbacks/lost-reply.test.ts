import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { lostReply } from './lost-reply.ts'

test('an answer that never arrived is asked about and never sent again', () =>
  smoke({ payments: 24, late: 0 }, lostReply.run))
