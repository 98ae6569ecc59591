import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLog, writeLine } from './log.ts'
import { loggedFields } from './log-fields.ts'
import { type EndedRequest, levelOf, requestFields } from './request-line.ts'

function collect(fields: object = {}) {
  const lines: string[] = []
  return { lines, log: createLog({ level: 'debug', fields, destination: { write: (line) => void lines.push(line) } }) }
}

const optional = fc.option(fc.string(), { nil: undefined })
const ended = fc
  .record({
    method: fc.constantFrom('GET', 'POST'),
    url: optional,
    id: fc.string(),
    statusCode: fc.integer({ min: 100, max: 599 }),
    elapsedTime: fc.double({ min: 0, max: 1e6, noNaN: true }),
    notes: fc.record({
      protocol: optional,
      action: optional,
      result: optional,
      merchantId: optional,
      transId: optional,
    }),
    isShed: fc.boolean(),
    aborted: fc.boolean(),
  })
  .map(
    ({ method, url, id, statusCode, elapsedTime, notes, isShed, aborted }) =>
      ({
        request: { method, id, routeOptions: { url } },
        reply: { statusCode, elapsedTime },
        notes: { ...notes, isShed },
        aborted,
      }) as unknown as EndedRequest,
  )

test('the line that is written as text equals the one that the logger makes of the same fields', () => {
  fc.assert(
    fc.property(ended, (end) => {
      const { log, lines } = collect({ role: 'api', version: '0.1.0' })
      const { request, reply, notes, aborted } = end
      const { isShed: _, ...shown } = notes
      const level = levelOf(end)
      writeLine(log, level, requestFields(end), 'request')
      log[level](
        {
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: aborted ? undefined : reply.statusCode,
          aborted: aborted || undefined,
          ms: reply.elapsedTime,
          requestId: request.id,
          ...shown,
        },
        'request',
      )
      const [written, logged] = lines.map((line) => ({ ...JSON.parse(line), time: null }))
      assert.deepEqual(written, logged)
      assert.equal(lines[0]?.endsWith('\n'), true)
    }),
  )
})

test('its fields are in the list of fields that may be logged', () => {
  const notes = { protocol: 'p', action: 'a', result: 'r', merchantId: 'm', transId: 't', isShed: true }
  const request = { method: 'GET', id: 'i', routeOptions: { url: '/post' } }
  for (const aborted of [true, false]) {
    const end = { request, reply: { statusCode: 200, elapsedTime: 1 }, notes, aborted } as unknown as EndedRequest
    const names = Object.keys(JSON.parse(`{${requestFields(end).slice(1)}}`))
    assert.deepEqual(
      names.filter((name) => !loggedFields.has(name)),
      [],
    )
  }
})

test('a line below the level is not written, and secrets are masked', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  writeLine(log, 'debug', ',"route":"/post"', 'request')
  assert.deepEqual(lines, [])
  writeLine(log, 'info', ',"route":"card_number=4111111111111111"', 'request')
  assert.ok(!lines.join('').includes('4111111111111111'))
})
