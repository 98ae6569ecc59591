import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { FakeAcquirer } from './testing/fake-acquirer.ts'
import {
  createWires,
  type FormFields,
  formBody,
  jsonBody,
  type TimedWire,
  textBody,
  type UnsignedRequest,
  type WireConnector,
  type WireEntry,
  WireFault,
  type WireSettings,
} from './wire.ts'

const credentials = { base_url: 'https://acquirer.example', api_key: 'key-of-the-mid' }
type Anyones = typeof credentials
type Settings = Partial<WireSettings> & Pick<WireConnector<Anyones>, 'sign'>

const noon = new Date('2026-03-01T12:00:00Z')
const clock = { now: () => noon }

async function wireTo(
  t: TestContext,
  settings: Settings = {},
  path = '',
): Promise<readonly [TimedWire<Anyones>, FakeAcquirer]> {
  const fake = new FakeAcquirer()
  await fake.listen()
  t.after(() => fake.close())
  return [wireAt(t, fake.url + path, settings), fake]
}

function wireAt(t: TestContext, url: string, settings: Settings = {}, marginMs = 0): TimedWire<Anyones> {
  const { sign, ...limits } = settings
  const wires = createWires({ clock, ...limits })
  t.after(() => wires.close())
  const anyone = { id: 'anyone', secretFields: ['card.number', 'card.cvv'], sign }
  return wires.to(anyone, { ...credentials, base_url: url }, { hosts: { api: url }, marginMs })
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
  const reply = await wire.post('/charges', jsonBody({ amount: '10' }), {
    idempotencyKey: 'T-1',
    headers: { authorization: 'A' },
  })
  assert.deepEqual([reply.status, reply.json()], [201, { yes: true }])
  const { method, path, headers, body } = fake.last()
  assert.deepEqual([method, path, body], ['POST', '/api/charges', '{"amount":"10"}'])
  assert.equal(headers['idempotency-key'], 'T-1')
  assert.equal(headers.authorization, 'A')
  assert.equal(headers['content-type'], 'application/json')
})

test('a request that comes too late does not leave, and is known not to have left', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, body: {} })
  const late = await faultOf(wire.leavingBy(performance.now() - 1).post('/charges', jsonBody({ amount: '10' })))
  assert.equal(late.sent, false)
  await wire.leavingBy(performance.now() + 10_000).post('/charges', jsonBody({ amount: '20' }))
  assert.equal(fake.last().body, '{"amount":"20"}')
  assert.equal(fake.requests, 1)
})

test('a question has no body, and an answer that does not say that it is JSON is none', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 502, text: '{"state":"approved"}' })
  const page = await wire.get('/charges/1')
  assert.deepEqual([page.status, page.json(), page.text()], [502, undefined, '{"state":"approved"}'])
  assert.deepEqual([fake.last().body, fake.last().headers['content-type']], ['', undefined])
  fake.answer({ status: 204 })
  const nothing = await wire.get('/charges/1')
  assert.deepEqual([nothing.status, nothing.json(), nothing.text()], [204, undefined, ''])
})

test('a form goes out with nested members in brackets and without those that say nothing', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, body: {} })
  const card = { number: '4111111111111111', cvv: null, name: 'Zoë & Söhne' }
  const fields: FormFields = { amount: 1000n, confirm: true, card, items: ['a', { sku: 'b' }], note: undefined }
  await wire.post('/charges', formBody(fields))
  const { body, headers } = fake.last()
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(
    body,
    'amount=1000&confirm=true&card%5Bnumber%5D=4111111111111111&card%5Bname%5D=Zo%C3%AB+%26+S%C3%B6hne&items%5B0%5D=a&items%5B1%5D%5Bsku%5D=b',
  )
})

test('text goes out as it is, under the content type that it has', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, text: '<ok/>', type: 'text/xml' })
  const xml = '<sale><name>Zoë</name></sale>'
  await wire.send({ method: 'PUT', path: '/sale?dry=1', body: textBody('text/xml; charset=utf-8', xml, []) })
  const { method, path, headers, body } = fake.last()
  assert.deepEqual(
    [method, path, headers['content-type'], body],
    ['PUT', '/sale?dry=1', 'text/xml; charset=utf-8', xml],
  )
})

for (const [what, body] of [
  ['JSON', jsonBody({ name: 'Zoë', amount: '10' })],
  ['a form', formBody({ name: 'Zoë', amount: '10' })],
  ['text', textBody('text/xml', '<name>Zoë</name>', [])],
] as const) {
  test(`${what} is signed over the bytes that are sent, with the method, the address and the headers`, async (t) => {
    const signed: UnsignedRequest[] = []
    const sign: Settings['sign'] = (request, { api_key }) => {
      signed.push(request)
      return { Authorization: createHmac('sha256', api_key).update(request.bytes).digest('hex') }
    }
    const [wire, fake] = await wireTo(t, { sign }, '/v1/')
    fake.answer({ status: 200, body: {} })
    await wire.post('/charges?expand=a', body, { headers: { Authorization: 'none', 'X-Request': 'R-1' } })
    const sent = fake.last()
    const [request] = signed
    assert.deepEqual(
      [signed.length, request?.method, request?.url.href],
      [1, 'POST', `${fake.url}/v1/charges?expand=a`],
    )
    assert.deepEqual([request?.bytes.toString('utf8'), request?.at], [sent.body, noon])
    assert.deepEqual(
      [request?.headers['x-request'], request?.headers['content-type']],
      ['R-1', sent.headers['content-type']],
    )
    const expected = createHmac('sha256', 'key-of-the-mid').update(sent.bytes).digest('hex')
    assert.equal(sent.headers.authorization, expected)
  })
}

test('a request that cannot be written or signed was not sent, and is a bug of the connector', async (t) => {
  const sign = (): never => {
    throw new Error('the key is not one')
  }
  const [unsigned, fake] = await wireTo(t, { sign })
  const fault = await faultOf(unsigned.get('/charges/1'))
  assert.deepEqual([fault.sent, fault.isBug], [false, true])
  const endless: Record<string, unknown> = {}
  endless['itself'] = endless
  const unwritten = await faultOf(wireAt(t, fake.url).post('/charges', jsonBody(endless)))
  assert.deepEqual([unwritten.sent, unwritten.isBug], [false, true])
  assert.equal(fake.requests, 0)
})

test('a whole number goes out with all its digits', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200 })
  await wire.post('/charges', jsonBody({ amount: { value: 123456789012345678n } }))
  assert.equal(fake.last().body, '{"amount":{"value":123456789012345678}}')
})

test('an answer is read as a form or as text of its character set, and its bytes and headers are at hand', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.behave((_sent, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=ISO-8859-1', 'X-Signature': ['a', 'b'] })
    response.end(Buffer.from('ACK=Success&NAME=Zo\xeb', 'latin1'))
  })
  const reply = await wire.get('/charges/1')
  assert.equal(reply.text(), 'ACK=Success&NAME=Zoë')
  assert.deepEqual(reply.form(), { ACK: 'Success', NAME: 'Zoë' })
  assert.deepEqual(reply.bytes, Buffer.from('ACK=Success&NAME=Zo\xeb', 'latin1'))
  assert.equal(reply.headers['x-signature'], 'a, b')
})

test('what no database keeps never comes in: the outcome that it belongs to could not be written', async (t) => {
  const [wire, fake] = await wireTo(t)
  const json = '{"reason":"a\\u0000b","inner":[{"text":"\\ud83d, \\uDE00, \\ud83d\\ude00"}],"amount":1}'
  fake.answer({ status: 200, text: json, type: 'application/json' })
  assert.deepEqual((await wire.get('/charges/1')).json(), {
    reason: 'a\uFFFDb',
    inner: [{ text: '\uFFFD, \uFFFD, \u{1F600}' }],
    amount: 1,
  })
  fake.answer({ status: 502, text: 'a\0b' })
  assert.equal((await wire.get('/charges/1')).text(), 'a\uFFFDb')
  fake.answer({ status: 200, text: 'reason=a%00b' })
  assert.deepEqual((await wire.get('/charges/1')).form(), { reason: 'a\uFFFDb' })
})

test('a redirect is an answer and is not followed', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 307, text: '', headers: { location: `${fake.url}/elsewhere` } })
  assert.equal((await wire.post('/charges', jsonBody({}))).status, 307)
  assert.equal(fake.requests, 1)
})

test('connections are kept and shared', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.answer({ status: 200, body: {} })
  for (let count = 0; count < 10; count++) await wire.post('/charges', jsonBody({}))
  // A connection is free again a moment after its answer has ended, so a second one may be opened meanwhile.
  assert.ok(fake.connections <= 2, `${fake.connections} connections`)
})

for (const url of ['http://127.0.0.1:1', 'http://no-such-host.invalid']) {
  test(`nothing was sent to ${url}`, async (t) => {
    assert.equal((await faultOf(wireAt(t, url).post('/charges', jsonBody({})))).sent, false)
  })
}

test('a silent acquirer is given up within the budget, less the margin, and may have executed', async (t) => {
  const fake = new FakeAcquirer()
  await fake.listen()
  t.after(() => fake.close())
  fake.trouble('silent')
  const startedAt = performance.now()
  const fault = await faultOf(wireAt(t, fake.url, { budgetMs: 2_000 }, 1_400).post('/charges', jsonBody({})))
  const passed = performance.now() - startedAt
  assert.equal(fault.sent, true)
  assert.ok(passed >= 590 && passed < 1_900, `given up after ${passed} ms`)
})

test('an acquirer that trickles its answer is given up too', async (t) => {
  const [wire, fake] = await wireTo(t, { budgetMs: 200 })
  fake.behave((_sent, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  assert.equal((await faultOf(wire.post('/charges', jsonBody({})))).sent, true)
})

test('a connection that breaks before or within the answer leaves the request sent, once', async (t) => {
  const [wire, fake] = await wireTo(t)
  fake.trouble('hang-up')
  assert.equal((await faultOf(wire.post('/charges', jsonBody({})))).sent, true)
  assert.equal(fake.requests, 1)
  fake.behave((_sent, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"half":')
    setTimeout(() => response.socket?.destroy(), 20)
  })
  assert.equal((await faultOf(wire.post('/charges', jsonBody({})))).sent, true)
  assert.equal(fake.requests, 1)
})

test('a request given up while it waits for a free connection was not sent, and never goes out', async (t) => {
  const fake = new FakeAcquirer()
  await fake.listen()
  t.after(() => fake.close())
  fake.behave((_sent, response) => setTimeout(() => response.writeHead(200).end(), 1_000))
  const wires = createWires({ clock, budgetMs: 10_000, connectionsPerAcquirer: 1 })
  t.after(() => wires.close())
  const wire = (marginMs: number) =>
    wires.to(
      { id: 'anyone', secretFields: [] },
      { ...credentials, base_url: fake.url },
      { hosts: { api: fake.url }, marginMs },
    )
  const slow = wire(0).post('/slow', jsonBody({}))
  assert.equal((await faultOf(wire(9_700).post('/waiting', jsonBody({})))).sent, false)
  await slow
  await settled(300)
  assert.deepEqual([fake.requests, fake.last().path], [1, '/slow'])
})

test('an answer that is too long may stand for an executed request, and one that is not the JSON it claims to be is none', async (t) => {
  const [wire, fake] = await wireTo(t, { maxReplyBytes: 1_000 })
  fake.answer({ status: 200, body: { long: 'x'.repeat(2_000) } })
  assert.equal((await faultOf(wire.post('/charges', jsonBody({})))).sent, true)
  fake.answer({ status: 200, text: '{"half":', type: 'application/json' })
  assert.equal((await wire.post('/charges', jsonBody({}))).json(), undefined)
})

test('the log hook sees every exchange without its secrets, and faults too', async (t) => {
  const entries: WireEntry[] = []
  const [wire, fake] = await wireTo(t, { budgetMs: 200, onEntry: (entry) => entries.push(entry) })
  fake.answer({ status: 422, body: { text: 'code 917 of 4111 1111 1111 1111 is wrong, key-of-the-mid' } })
  const card = { number: '4111111111111111', cvv: '917' }
  await wire.post('/cards/4111111111111111', jsonBody({ card, amount: '10' }))
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

test('the log hook shows no secret of a form or a text, also where the acquirer quotes the body', async (t) => {
  const entries: WireEntry[] = []
  const [wire, fake] = await wireTo(t, { onEntry: (entry) => entries.push(entry) })
  fake.echo()
  await wire.post('/charges', formBody({ card: { number: '4111111111111111', cvv: 'a+b c/zq917' }, amount: '10' }))
  await wire.post('/charges', textBody('text/xml', '<cvv>a&amp;bzq917</cvv><amount>10</amount>', ['a&bzq917']))
  assert.deepEqual(
    entries.map(({ request }) => request),
    [{ card: { number: '***', cvv: '***' }, amount: '10' }, '<cvv>***</cvv><amount>10</amount>'],
  )
  assert.doesNotMatch(JSON.stringify(entries), /zq917/)
})
