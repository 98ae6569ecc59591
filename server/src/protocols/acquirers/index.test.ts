import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { NotificationRequest } from '../../connectors/notification.ts'
import type { NotificationResult } from '../../payments/commands/notification.ts'
import { acquirerNotifications } from './index.ts'

function build(result: NotificationResult) {
  const seen: { mid: string; request: NotificationRequest }[] = []
  const samples: object[] = []
  const refusals: string[] = []
  const app = Fastify()
  void app.register(
    acquirerNotifications({
      clock: { now: () => new Date('2026-03-01T12:00:00Z') },
      receive: async (mid, request) => {
        seen.push({ mid, request })
        return result
      },
      refuse: async (mid, reason) => {
        refusals.push(`${mid}: ${reason}`)
        return true
      },
      observe: (sample) => samples.push(sample),
    }),
  )
  const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/acquirers/main/notifications?live=false', payload, headers })
  return { seen, samples, refusals, post }
}

const accepted = {
  kind: 'taken',
  answer: { status: 200, contentType: 'text/plain; charset=utf-8', body: '[accepted]' },
} as const

test('the connector gets the bytes as they came, whatever the content type, and the acquirer the answer it wants', async () => {
  const { seen, samples, post } = build(accepted)
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
  for (const type of [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/xml',
    'application/vnd.acme+json; v=2',
  ]) {
    const answer = await post(bytes, { 'content-type': type, 'X-Signature': 'abc' })
    assert.deepEqual([answer.statusCode, answer.body], [200, '[accepted]'], type)
  }
  assert.equal(seen.length, 4)
  for (const { mid, request } of seen) {
    assert.equal(mid, 'main')
    assert.deepEqual(request.body, bytes)
    assert.equal(request.headers['x-signature'], 'abc')
    assert.deepEqual(request.query, { live: 'false' })
    assert.equal(request.receivedAt.toISOString(), '2026-03-01T12:00:00.000Z')
  }
  assert.deepEqual(samples[0], { mid: 'main', result: 'taken' })
})

test('an unverified notification is answered 401 and counted, one for an unknown MID 404 and counted without its name', async () => {
  const unverified = build({ kind: 'unverified' })
  assert.equal((await unverified.post('{}')).statusCode, 401)
  assert.deepEqual(unverified.samples, [{ mid: 'main', result: 'unverified' }])
  const unexpected = build({ kind: 'not-expected' })
  assert.equal((await unexpected.post('{}')).statusCode, 404)
  assert.deepEqual(unexpected.samples, [{ mid: 'unknown', result: 'not-expected' }])
})

test('a notification of one megabyte is read, a larger one is refused before it is read and counted', async () => {
  const { seen, samples, refusals, post } = build(accepted)
  assert.equal((await post(Buffer.alloc(1_048_576, 0x20))).statusCode, 200)
  assert.equal((await post(Buffer.alloc(1_048_577, 0x20))).statusCode, 413)
  assert.equal(seen.length, 1)
  assert.deepEqual(refusals, ['main: The body is larger than 1 MiB.'])
  assert.deepEqual(samples.at(-1), { mid: 'main', result: 'too-large' })
})
