import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeAcquirer } from './fake-acquirer.ts'
import { createWires, type TimedWire, type WireEntry, WireFault, type WireSettings } from './wire.ts'

const anyone = { id: 'anyone', secretFields: ['card.number', 'card.cvv'] }

async function wireTo(
  t: TestContext,
  settings: WireSettings = {},
  path = '',
): Promise<readonly [TimedWire, FakeAcquirer]> {
  const fake = new FakeAcquirer()
  await fake.listen()
  t.after(() => fake.close())
  return [wireAt(t, fake.url + path, settings), fake]
}

function wireAt(t: TestContext, url: string, settings: WireSettings = {}, marginMs = 0): TimedWire {
  const wires = createWires(settings)
  t.after(() => wires.close())
  return wires.to(anyone, { base_url: url, api_key: 'key-of-the-mid' }, { marginMs })
}

async function faultOf(sending: Promise<unknown>): Promise<WireFault> {
  const fault: unknown = await sending.then(
    () => assert.fail('an answer came'),
    (reason: unknown) => reason,
  )
  assert.ok(fault instanceof WireFault, String(fault))
  return fault
}

const settled = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('JSON goes out and comes back, with the key and the headers asked for, below the path of the base URL', async (t) => {
  const [wire, fake] = await wireTo(t, {}, '/api/')
  fake.answer({ status: 201, body: { yes: true } })
  const reply = await wire.post(
    '/charges',
    { amount: '10' },
    { idempotencyKey: 'T-1', headers: { authorization: 'A' } },
  )
  assert.deepEqual(reply, { status: 201, body: { yes: true } })
  const { method, path, headers, body } = fake.last()
  assert.deepEqual([method, path, body], ['POST', '/api/charges', '{"amount":"10"}'])
  assert.equal(headers['idempotency-key'], 'T-1')
  assert.equal(headers.authorization, 'A')
  assert.equal(headers['content-type'], 'application/json')
})

test('a request that comes too late does not leave, and is known not to have left', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, body: {} })
  const late = await faultOf(wire.leavingBy(performance.now() - 1).post('/charges', { amount: '10' }))
  assert.equal(late.sent, false)
  await wire.leavingBy(performance.now() + 10_000).post('/charges', { amount: '20' })
  assert.equal(fake.last().body, '{"amount":"20"}')
  assert.equal(fake.requests, 1)
})

test('a question has no body, and an answer without JSON is given as text or as nothing', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 502, text: '<html>Bad gateway</html>' })
  assert.deepEqual(await wire.get('/charges/1'), { status: 502, body: '<html>Bad gateway</html>' })
  assert.equal(fake.last().body, '')
  fake.answer({ status: 204 })
  assert.deepEqual(await wire.get('/charges/1'), { status: 204, body: null })
})

test('what no database keeps never comes in: the outcome that it belongs to could not be written', async (t) => {
  const [wire, fake] = await wireTo(t)
  const json = '{"reason":"a\\u0000b","inner":[{"text":"\\ud83d, \\uDE00, \\ud83d\\ude00"}],"amount":1}'
  fake.answer({ status: 200, text: json, type: 'application/json' })
  assert.deepEqual((await wire.get('/charges/1')).body, {
    reason: 'a\uFFFDb',
    inner: [{ text: '\uFFFD, \uFFFD, \u{1F600}' }],
    amount: 1,
  })
  fake.answer({ status: 502, text: 'a\0b' })
  assert.equal((await wire.get('/charges/1')).body, 'a\uFFFDb')
})

test('a redirect is an answer and is not followed', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 307, text: '', headers: { location: `${fake.url}/elsewhere` } })
  assert.equal((await wire.post('/charges', {})).status, 307)
  assert.equal(fake.requests, 1)
})

test('connections are kept and shared', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, body: {} })
  for (let turn = 0; turn < 10; turn++) await wire.post('/charges', {})
  // A connection is free again a moment after its answer has ended, so a second one may be opened meanwhile.
  assert.ok(fake.connections <= 2, `${fake.connections} connections`)
})

for (const url of ['http://127.0.0.1:1', 'http://no-such-host.invalid']) {
  test(`nothing was sent to ${url}`, async (t) => {
    assert.equal((await faultOf(wireAt(t, url).post('/charges', {}))).sent, false)
  })
}

test('a silent acquirer is given up within the budget, less the margin, and may have executed', async (t) => {
  const fake = new FakeAcquirer()
  await fake.listen()
  t.after(() => fake.close())
  fake.trouble('silent')
  const startedAt = performance.now()
  const fault = await faultOf(wireAt(t, fake.url, { budgetMs: 1_000 }, 800).post('/charges', {}))
  const passed = performance.now() - startedAt
  assert.equal(fault.sent, true)
  assert.ok(passed >= 190 && passed < 900, `given up after ${passed} ms`)
})

test('an acquirer that trickles its answer is given up too', async (t) => {
  const [wire, fake] = await wireTo(t, { budgetMs: 200 })
  fake.behave((_sent, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  assert.equal((await faultOf(wire.post('/charges', {}))).sent, true)
})

test('a connection that breaks before or within the answer leaves the request sent, once', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.trouble('hang-up')
  assert.equal((await faultOf(wire.post('/charges', {}))).sent, true)
  assert.equal(fake.requests, 1)
  fake.behave((_sent, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"half":')
    setTimeout(() => response.socket?.destroy(), 20)
  })
  assert.equal((await faultOf(wire.post('/charges', {}))).sent, true)
  assert.equal(fake.requests, 1)
})

test('a request given up while it waits for a free connection was not sent, and never goes out', async (t) => {
  const [wire, fake] = await wireTo(t, { budgetMs: 200, connectionsPerAcquirer: 1 })
  fake.behave(({ path }, response) => {
    setTimeout(() => response.writeHead(200).end(), path === '/slow' ? 150 : 0)
  })
  const slow = Promise.allSettled([wire.post('/slow', {}), wire.post('/slow', {})])
  const waiting = faultOf(wire.post('/waiting', {}))
  assert.equal((await waiting).sent, false)
  await slow
  await settled(200)
  assert.deepEqual([fake.requests, fake.last().path], [2, '/slow'])
})

test('an answer that is too long or is not the JSON it claims to be may stand for an executed request', async (t) => {
  const [wire, fake] = await wireTo(t, { maxReplyBytes: 1_000 })
  fake.answer({ status: 200, body: { long: 'x'.repeat(2_000) } })
  assert.equal((await faultOf(wire.post('/charges', {}))).sent, true)
  fake.answer({ status: 200, text: '{"half":', type: 'application/json' })
  assert.equal((await faultOf(wire.post('/charges', {}))).sent, true)
})

test('the log hook sees every exchange without its secrets, and faults too', async (t) => {
  const entries: WireEntry[] = []
  const [wire, fake] = await wireTo(t, { budgetMs: 200, onEntry: (entry) => entries.push(entry) })
  fake.answer({ status: 422, body: { text: 'code 917 of 4111 1111 1111 1111 is wrong, key-of-the-mid' } })
  await wire.post('/cards/4111111111111111', { card: { number: '4111111111111111', cvv: '917' }, amount: '10' })
  fake.trouble('hang-up')
  await faultOf(wire.get('/charges/1'))

  const [answered, broken] = entries
  assert.deepEqual(
    { ...answered, durationMs: 0 },
    {
      connector: 'anyone',
      method: 'POST',
      path: '/cards/411111******1111',
      request: { card: { number: '***', cvv: '***' }, amount: '10' },
      status: 422,
      answer: { text: 'code *** of 411111******1111 is wrong, ***' },
      fault: null,
      durationMs: 0,
    },
  )
  assert.equal(broken?.status, null)
  assert.match(broken?.fault ?? '', /./)
})
