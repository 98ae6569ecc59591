import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { lostReply } from './lost-reply.ts'

test('a request whose answer was lost is queried and never sent again', () =>
  smoke({ payments: 24, late: 0 }, lostReply.run))
