/** One POST to an address that a merchant chose. Chapter 10 §11.1. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { answers, reply, startReceiver } from '../../../test/callbacks/callback-receiver.ts'
import type { Resolve } from '../../network/address-guard.ts'
import { type CallbackReply, callbackClient } from './callback-client.ts'

const receiver = await startReceiver()
const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const patientMs = 20_000
const client = callbackClient({
  addresses: { allowPrivate: true, resolve: here },
  timeoutMs: patientMs,
  connections: 1,
})
after(() => Promise.all([client.close(), receiver.close()]))
beforeEach(() => {
  receiver.received.length = 0
  receiver.answerWith(answers.ok)
})

const resultOf = ({ httpStatus, answer, fault, timedOut }: CallbackReply) => ({ httpStatus, answer, fault, timedOut })
const post = async (url = receiver.url(), body = '') => resultOf(await client.post(url, { 'x-shop': '1' }, body))
const failed = { httpStatus: null, answer: null }

async function postWith(resolve: Resolve, allowPrivate = true) {
  const another = callbackClient({ addresses: { allowPrivate, resolve }, timeoutMs: patientMs, connections: 1 })
  const result = resultOf(await another.post('http://shop.example/', {}, ''))
  await another.close()
  return result
}

test('headers and body are sent, and status and answer returned', async () => {
  receiver.answerWith((response, { body }) => response.writeHead(202).end(`received ${body}`))
  assert.deepEqual(await post(receiver.url('/notify?a=b'), 'amount=1'), {
    httpStatus: 202,
    answer: 'received amount=1',
    fault: null,
    timedOut: false,
  })
  const [received] = receiver.received
  assert.deepEqual([received?.path, received?.headers['x-shop']], ['/notify?a=b', '1'])
  assert.equal(received?.headers.authorization, undefined)
})

test('the duration is that of the exchange', async () => {
  const begun = performance.now()
  const { durationMs } = await client.post(receiver.url(), {}, '')
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
  assert.ok(durationMs <= performance.now() - begun + 1)
})

// biome-ignore format: a table is read in columns.
const credentials = [
  // in the address   sent
  [ 'shop:pw@',       'shop:pw'    ],
  [ 'shop@',          'shop:'      ],
  [ ':pw@',           ':pw'        ],
  [ 'a%40b:c%3Ad@',   'a@b:c:d'    ],
  [ '100%:50%zz@',    '100%:50%zz' ],
] as const

for (const [written, pair] of credentials) {
  test(`credentials written as ${written} are sent as Basic authorization beside the other headers`, async () => {
    assert.equal((await post(receiver.url('/n').replace('://', `://${written}`))).httpStatus, 200)
    const [received] = receiver.received
    assert.deepEqual(
      [received?.path, received?.headers.authorization, received?.headers['x-shop']],
      ['/n', `Basic ${Buffer.from(pair).toString('base64')}`, '1'],
    )
  })
}

test('4 KiB of an answer are read, and no more', async () => {
  receiver.answerWith(reply(200, 'x'.repeat(5000)))
  assert.equal((await post()).answer, 'x'.repeat(4096))
})

test('an answer that does not end is read up to 4 KiB', async () => {
  receiver.answerWith((response) => response.write('x'.repeat(4096)))
  assert.deepEqual(await post(), { httpStatus: 200, answer: 'x'.repeat(4096), fault: null, timedOut: false })
})

test('the last of 4 KiB is read, even if it comes separately', async () => {
  receiver.answerWith((response) => {
    response.write('x'.repeat(4095))
    setTimeout(() => response.end('zz'), 50)
  })
  assert.equal((await post()).answer, `${'x'.repeat(4095)}z`)
})

test('a character that the database cannot store is replaced', async () => {
  receiver.answerWith(reply(200, 'a\0b\0'))
  assert.equal((await post()).answer, 'a\uFFFDb\uFFFD')
})

test('a refused address is a fault without a connection', async () => {
  assert.deepEqual(await postWith(here, false), {
    ...failed,
    fault: 'The address of shop.example is refused: loopback.',
    timedOut: false,
  })
  assert.match((await post('ftp://shop.example/')).fault ?? '', /not one of http or https/)
})

test('a receiver that does not answer in time is a timeout', async () => {
  receiver.answerWith(answers.hang)
  const hasty = callbackClient({ addresses: { allowPrivate: true }, timeoutMs: 200, connections: 1 })
  assert.deepEqual(resultOf(await hasty.post(receiver.url(), {}, '')), {
    ...failed,
    fault: 'No answer in time.',
    timedOut: true,
  })
  await hasty.close()
})

test('a callback whose time ends while it waits for a connection is not sent', async () => {
  receiver.answerWith(answers.hang)
  const hasty = callbackClient({ addresses: { allowPrivate: true }, timeoutMs: 200, connections: 1 })
  const results = await Promise.all(['/first', '/second'].map((path) => hasty.post(receiver.url(path), {}, '')))
  assert.deepEqual(
    results.map(({ timedOut }) => timedOut),
    [true, true],
  )
  receiver.answerWith(answers.ok)
  assert.equal((await hasty.post(receiver.url('/third'), {}, '')).httpStatus, 200)
  await hasty.close()
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/first', '/third'],
  )
})

const coded = (code: unknown) => Object.assign(new RangeError('No connection.'), { code })

// biome-ignore format: a table is read in columns.
const faults = [
  // error                              fault                                  timed out
  [ coded('UND_ERR_CONNECT_TIMEOUT'),   'No answer in time.',                  true  ],
  [ coded('UND_ERR_HEADERS_TIMEOUT'),   'No answer in time.',                  true  ],
  [ coded('UND_ERR_BODY_TIMEOUT'),      'No answer in time.',                  true  ],
  [ coded('ETIMEDOUT'),                 'No answer in time.',                  true  ],
  [ coded('ENOTFOUND'),                 'The exchange failed: ENOTFOUND.',     false ],
  [ coded(7),                           'The exchange failed: RangeError.',    false ],
  [ new RangeError('No connection.'),   'The exchange failed: RangeError.',    false ],
] as const

for (const [error, fault, timedOut] of faults) {
  const code = 'code' in error ? error.code : 'no code'
  test(`a connection that fails with ${code} is reported as: ${fault}`, async () => {
    const result = await postWith(async () => {
      throw error
    })
    assert.deepEqual(result, { ...failed, fault, timedOut })
  })
}

test('a closed client sends nothing, and can be closed again', async () => {
  const another = callbackClient({ addresses: { allowPrivate: true }, timeoutMs: patientMs, connections: 1 })
  await another.close()
  await another.close()
  const { httpStatus, fault } = await another.post(receiver.url(), {}, '')
  assert.deepEqual([httpStatus, receiver.received.length], [null, 0])
  assert.match(fault ?? '', /^The exchange failed: /)
})
