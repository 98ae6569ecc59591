import { test } from 'node:test'
import { runSlowQueue } from './slow-queue.ts'
import { smoke } from './smoke.ts'

const small = { commands: 16, late: 0, plans: 0, holdSeconds: 2, skewMinutes: 10, kills: 1, cuts: 1, concurrency: 8 }

test('what waits in the queue of an acquirer without keys is executed once when senders die or lose the database', () =>
  smoke(small, runSlowQueue))
