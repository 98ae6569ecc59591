import { test } from 'node:test'
import { lostReply } from './lost-reply.ts'
import { smoke } from './smoke.ts'

test('an answer that never arrived is asked about and never sent again', () =>
  smoke({ payments: 24, late: 0 }, lostReply.run))
