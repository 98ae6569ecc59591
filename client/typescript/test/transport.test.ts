/** How the client repeats requests, against a server that fails as the test says. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { BusyError, CallbackError, Gatehouse, RefusedError, UnknownOutcomeError } from '../src/index.ts'

interface Sent {
  readonly key: string | undefined
  readonly id: string
  readonly body: string
}

type Reply = (response: ServerResponse) => void

const server = createServer(async (request: IncomingMessage, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const key = request.headers['idempotency-key']
  const id = String(request.headers['webhook-id'])
  sent.push({ key: typeof key === 'string' ? key : undefined, id, body })
  ;(replies.shift() ?? paid)(response)
})
let sent: Sent[] = []
let replies: Reply[] = []
let waits: number[] = []
let gatehouse: Gatehouse

const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const paid = json(200, { action: 'SALE', result: 'SUCCESS', status: 'SETTLED' })
const broken: Reply = (response) => response.destroy()
const failed = json(500, { result: 'ERROR', error_code: 100000, error_message: 'Internal error.', errors: [] })
const busy = json(
  503,
  { result: 'ERROR', error_code: 100000, error_message: 'Internal error.' },
  { 'retry-after': '7' },
)

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  gatehouse = new Gatehouse({
    baseUrl: `http://127.0.0.1:${port}/`,
    key: 'key',
    password: 'password',
    retries: 2,
    wait: async (milliseconds) => {
      waits.push(milliseconds)
    },
  })
})
beforeEach(() => {
  sent = []
  replies = []
  waits = []
})
after(() => server.close())

const capture = () => gatehouse.card('CAPTURE', { trans_id: 't' }, { payment: { email: 'doe@example.com' } })

test('a command whose answer is lost is repeated with the same key and the same bytes', async () => {
  replies = [broken, failed]
  assert.equal((await capture()).result, 'SUCCESS')
  assert.equal(sent.length, 3)
  assert.match(sent[0]?.key ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(new Set(sent.map(({ key, body }) => `${key} ${body}`)).size, 1)
  assert.equal(new Set(sent.map(({ id }) => id)).size, 3)
})

test('a request that a proxy repeated under the same signature is repeated with its key and a new one', async () => {
  replies = [json(409, { error_code: 400, error_message: 'Signed request was used before.', errors: [] })]
  assert.equal((await capture()).result, 'SUCCESS')
  assert.deepEqual([sent.length, sent[0]?.key === sent[1]?.key, sent[0]?.id === sent[1]?.id], [2, true, false])
})

test('two calls have different keys, and a key of the caller is used as it is', async () => {
  await capture()
  await capture()
  assert.notEqual(sent[0]?.key, sent[1]?.key)
  await gatehouse.card('CAPTURE', { trans_id: 't' }, { idempotencyKey: 'ORDER-1' })
  assert.equal(sent[2]?.key, 'ORDER-1')
})

test('a look-up is repeated without a key, so that it shows the newest status', async () => {
  replies = [broken]
  await gatehouse.card('GET_TRANS_STATUS', { trans_id: 't' })
  assert.deepEqual(
    sent.map(({ key }) => key),
    [undefined, undefined],
  )
})

test('a busy service is asked again after the time that it names; if it stays busy, nothing was processed', async () => {
  replies = [busy, busy]
  await capture()
  assert.deepEqual(waits, [7000, 7000])
  replies = [busy, busy, busy]
  await assert.rejects(capture(), BusyError)
})

test('a lost answer followed by a busy service stays an unknown outcome, with the key to repeat it', async () => {
  replies = [broken, busy, busy]
  await assert.rejects(capture(), (error) => {
    assert.ok(error instanceof UnknownOutcomeError)
    assert.equal(error.idempotencyKey, sent[0]?.key)
    return true
  })
})

test('a request that is still being processed is asked for again', async () => {
  replies = [broken, json(409, { error_code: 400, error_message: 'Duplicate request.', errors: [] })]
  assert.equal((await capture()).result, 'SUCCESS')
})

test('a refusal is an error with its code and its violations, and is not repeated', async () => {
  const row = { error_code: 100000, error_message: 'hash: Hash is not valid.' }
  replies = [
    json(
      400,
      { error_code: 100000, error_message: 'Request data is invalid.', errors: [row] },
      { 'x-request-id': 'r1' },
    ),
  ]
  await assert.rejects(capture(), (error) => {
    assert.ok(error instanceof RefusedError)
    assert.deepEqual([error.http, error.code, error.requestId], [400, 100000, 'r1'])
    assert.deepEqual(error.violations, [{ code: 100000, message: 'hash: Hash is not valid.' }])
    return true
  })
  assert.equal(sent.length, 1)
})

test('a decline is an answer, not an error', async () => {
  replies = [json(200, { action: 'SALE', result: 'DECLINED', decline_reason: 'Insufficient funds' })]
  assert.equal((await capture()).result, 'DECLINED')
})

test('a callback without a valid hash is an error', async () => {
  await assert.rejects(gatehouse.verifyCallback({ headers: {}, body: 'action=SALE&hash=0' }), CallbackError)
  await assert.rejects(gatehouse.verifyCallback({ headers: {}, body: '{"a":1}' }), CallbackError)
})

test('a wrong address or an empty key is refused before anything is sent', () => {
  assert.throws(() => new Gatehouse({ baseUrl: 'pay', key: 'k', password: 'p' }), TypeError)
  assert.throws(() => new Gatehouse({ baseUrl: 'https://pay.example', key: '', password: 'p' }), TypeError)
})
