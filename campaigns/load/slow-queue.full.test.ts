import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { runSlowQueue } from './slow-queue.ts'

// A queued request of a dead sender stays open until it can no longer be executed, most of a minute by the database's clock. The full
// campaign waits for that, and server/test/flows/instance/slow-queue.test.ts tests it for every command; here no process is killed.
const small = {
  commands: 16,
  late: 0,
  plans: 0,
  holdSeconds: 2,
  skewMinutes: 10,
  kills: 0,
  cuts: 0,
  concurrency: 16,
  apis: 2,
}

test('a request in the queue of an acquirer without keys is executed once, even if clocks of senders and workers are wrong', () =>
  smoke(small, runSlowQueue))
