import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { secret } from '#domain/secret.ts'
import type { Log } from '#server/contracts/ports.ts'
import { createLog, type LogLevel } from './log.ts'
import { loggedFields } from './log-fields.ts'

const pan = '4111111111111111'

function collect(level: LogLevel = 'debug', fields: object = {}) {
  const lines: string[] = []
  const log = createLog({ level, fields, destination: { write: (line) => void lines.push(line) } })
  const last = () => JSON.parse(lines.at(-1) ?? 'null')
  return { log, lines, last }
}

describe('a log line', () => {
  test('is one JSON object with level, time, message and the given fields', () => {
    const { log, lines, last } = collect('info', { role: 'api', version: '0.1.0' })
    log.info({ merchantId: 'm', ms: 1.23456, aborted: false }, 'request')
    const { time, ...rest } = last()
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      level: 'info',
      role: 'api',
      version: '0.1.0',
      merchantId: 'm',
      ms: 1.235,
      aborted: false,
      msg: 'request',
    })
    assert.match(lines.join(''), /^[^\n]*\n$/)
  })

  test('below the level is not written', () => {
    const { log, lines } = collect('warn')
    const port: Log = log
    port.debug({}, 'a')
    port.info({}, 'b')
    port.warn({}, 'c')
    port.error({}, 'd')
    assert.equal(lines.length, 2)
  })

  test('shows dates, big numbers and otherwise only scalars', () => {
    const { log, last } = collect()
    log.info(
      { dueAt: new Date('2026-03-10T11:51:53Z'), count: 12n, reason: null, state: undefined, code: ['x'], part: {} },
      'm',
    )
    const { dueAt, count, reason, dropped } = last()
    assert.deepEqual(
      { dueAt, count, reason, dropped },
      { dueAt: '2026-03-10T11:51:53.000Z', count: '12', reason: null, dropped: 2 },
    )
  })

  test('shows an error with kind, message, code, stack and cause, and nothing attached to it', () => {
    const { log, last } = collect()
    const cause = Object.assign(new TypeError('inner'), { code: 'EINNER' })
    const err = Object.assign(new Error('outer', { cause }), { detail: 'Key (card)=(x)', request: { body: 'y' } })
    log.error({ engine: 'callbacks', err }, 'It failed.')
    const line = last()
    assert.deepEqual(Object.keys(line.err), ['type', 'message', 'stack', 'cause'])
    assert.equal(line.err.message, 'outer')
    assert.match(line.err.stack, /^ {4}at .*log\.test\.ts/)
    assert.deepEqual(
      [line.err.cause.type, line.err.cause.message, line.err.cause.code],
      ['TypeError', 'inner', 'EINNER'],
    )
    assert.equal(line.msg, 'It failed.')
  })

  test('of an error alone has the error’s message', () => {
    const { log, last } = collect()
    log.error(new Error('broken'))
    assert.deepEqual([last().msg, last().err.message], ['broken', 'broken'])
  })

  test('has a maximum length for any input', () => {
    const { log, lines } = collect()
    const long = 'é "x" '.repeat(50_000)
    log.info({ reason: long, err: new Error(long, { cause: new Error(long) }) }, long)
    assert.ok((lines[0] ?? '').length < 20_000)
  })
})

describe('a secret does not reach the log (Chapter 10 §1.1, PCI DSS 3.3, 3.4)', () => {
  const digest = '2702ae0c4f99506dc29b5615ba9ee3c0'
  const request = {
    card_number: pan,
    card_cvv2: '737',
    hash: digest,
    payment_token: 'tok',
    nested: { card: { number: pan, list: [pan] } },
  }

  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, write: (log: Log) => void])[] = [
    ['as a field that nobody listed',             (log) => log.info({ card_number: pan, card_cvv2: '737', password: 'hunter2' }, 'm')],
    ['in a request spread into a line',           (log) => log.info({ ...request }, 'm')],
    ['in an object under a listed name',          (log) => log.info({ reason: request, err: request, code: [pan, '737'] }, 'm')],
    ['as a listed text',                          (log) => log.info({ reason: `card ${pan}`, fault: `cvv=737 hash ${digest}` }, 'm')],
    ['as a listed number',                        (log) => log.info({ code: Number(pan), count: BigInt(pan) }, 'm')],
    ['in a message',                              (log) => log.info({}, `${pan} card_cvv2=737 ${digest} password=hunter2`)],
    ['in the message of an error',                (log) => log.error({ err: new Error(`card ${pan} cvv: 737`) }, 'm')],
    ['in the message of a cause',                 (log) => log.error({ err: new Error('x', { cause: new Error(pan) }) }, 'm')],
    ['in an error among several',                 (log) => log.error({ err: new AggregateError([new Error(pan)], 'x') }, 'm')],
    ['in the name or code of an error',           (log) => log.error({ err: Object.assign(new Error('x'), { name: pan, code: Number(pan) }) }, 'm')],
    ['in what hangs on an error',                 (log) => log.error({ err: Object.assign(new Error('x'), request) }, 'm')],
    ['in an error given as the line',             (log) => log.error(new Error(`4111-1111-1111-1111 token=${digest}`), 'm')],
    ['in an error of the JSON parser',            (log) => log.error({ err: parserFault('{"cvv":737,"a":x}') }, String(parserFault('{"cvv":737,"a":x}')))],
    ['in the query string of an address',         (log) => log.info({ reason: `GET https://a.example/post?card_number=${pan}&hash=${digest}` }, `/post?card_cvv2=737&x=${pan}`)],
    ['in its wrapping',                           (log) => log.info({ reason: secret(pan), code: secret('737') }, `${String(secret(pan))}`)],
    ['as the name of a field',                    (log) => log.info({ [pan]: 1, [`cvv 737 ${digest}`]: 2 }, 'm')],
  ]
  for (const [title, write] of cases) {
    test(title, () => {
      const { log, lines } = collect()
      write(log)
      assert.equal(lines.length, 1)
      // The milliseconds of the time may be those three digits.
      const written = lines.join('').replace(/"time":"[^"]*"/, '')
      for (const value of [pan, '4111-1111-1111-1111', '737', digest, 'hunter2', 'tok"']) {
        assert.ok(!written.includes(value), `${value} in ${written}`)
      }
      JSON.parse(lines.join(''))
    })
  }

  test('through a child logger, or a child of it', () => {
    const { log, lines, last } = collect()
    const child = log.child({ requestId: 'r-1', card_number: pan }).child({ merchantId: 'm', card_cvv2: '737' })
    child.info({ status: 200 }, 'm')
    assert.ok(!lines.join('').includes(pan) && !lines.join('').includes('737'))
    assert.deepEqual([last().requestId, last().merchantId, last().status], ['r-1', 'm', 200])
  })

  test('with any fields and texts around it, and every line stays JSON', () => {
    const name = fc.oneof(fc.constantFrom(...loggedFields), fc.string())
    const value = fc.oneof(
      fc.anything(),
      fc.double(),
      fc.constant(Number(pan)),
      fc.string().map((text) => text.replace(/[0-9]/g, '') + pan),
    )
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.string(), (fields, message) => {
        const { log, lines } = collect()
        log.info(fields, `${message.replace(/[0-9]/g, '')}${pan}`)
        assert.equal(lines.length, 1)
        JSON.parse(lines.join(''))
        assert.ok(!lines.join('').includes(pan))
      }),
      { numRuns: 2000 },
    )
  })

  test("and no listed field has a secret's name, so that no value is masked needlessly", () => {
    const { log, last } = collect()
    const fields = Object.fromEntries([...loggedFields].map((name) => [name, 'shown']))
    log.info(fields, 'm')
    for (const name of loggedFields) assert.equal(last()[name], 'shown', name)
  })
})

function parserFault(text: string): Error {
  try {
    JSON.parse(text)
  } catch (error) {
    if (error instanceof Error && error.message.includes('737')) return error
  }
  throw new Error('The parser no longer quotes its input; this test has lost its point.')
}
