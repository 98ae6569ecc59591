import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { runSlowQueue } from './slow-queue.ts'

// What a dead sender leaves in the queue is open until it cannot be executed any more, most of a minute by the database's clock. The campaign
// waits for that, and server/test/flows/instance/slow-queue.test.ts shows it of every command; here the processes live.
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

test('what waits in the queue of an acquirer without keys is executed once, though clocks of senders and workers are wrong', () =>
  smoke(small, runSlowQueue))
