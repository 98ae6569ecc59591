import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { addressOf, apiClient, call } from './call.ts'

const originalFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = originalFetch
  apiClient.csrf = ''
})

interface SentRequest {
  readonly url: string
  readonly init: RequestInit
}

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): SentRequest[] {
  const sent: SentRequest[] = []
  globalThis.fetch = async (url, init = {}) => {
    sent.push({ url: typeof url === 'string' ? url : '', init })
    return new Response(JSON.stringify(body), { status, headers })
  }
  return sent
}

test('path parameters are filled in and escaped, and empty query parameters are left out', () => {
  const address = addressOf('/users/:userId', { userId: 'a/b' }, { limit: 5, state: '', before: undefined })
  assert.equal(address, '/admin/api/users/a%2Fb?limit=5')
})

test('a change carries the CSRF token, a read does not', async () => {
  apiClient.csrf = 'token'
  const sent = answerWith(200, { done: true })
  await call('POST /alerts/:alertId/resolve', { params: { alertId: '1' } })
  await call('GET /session')
  assert.deepEqual(
    sent.map(({ init }) => new Headers(init.headers).get('x-csrf-token')),
    ['token', null],
  )
})

test('a refusal is returned as a value with its texts and the time to wait', async () => {
  const error = { code: 'too_many_attempts', message: 'Too many.', fields: [{ field: 'a', text: 'b' }], requestId: 'r' }
  answerWith(429, { error }, { 'retry-after': '90' })
  assert.deepEqual(await call('GET /session'), {
    ok: false,
    fault: {
      code: 'too_many_attempts',
      text: 'Too many. Try again in 2 min.',
      fields: [{ field: 'a', text: 'b' }],
      requestId: 'r',
    },
  })
})

test('a network failure and an answer that is not JSON are reported as unreachable', async () => {
  globalThis.fetch = async () => {
    throw new TypeError('network')
  }
  const gone = await call('GET /session')
  globalThis.fetch = async () => new Response('<html>', { status: 502 })
  const proxy = await call('GET /session')
  for (const result of [gone, proxy]) assert.ok(!result.ok && result.fault.code === 'unreachable')
})

test('the end of a session is reported to its listener', async () => {
  let calls = 0
  apiClient.onSignedOut = () => {
    calls += 1
  }
  answerWith(401, { error: { code: 'unauthenticated', message: 'Sign in.', fields: [], requestId: 'r' } })
  await call('GET /session')
  answerWith(401, { error: { code: 'wrong_credentials', message: 'Wrong.', fields: [], requestId: 'r' } })
  await call('GET /session')
  assert.equal(calls, 1)
})
