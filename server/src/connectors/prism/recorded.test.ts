/** The family on recorded exchanges of its helper: what leaves, what the reply means, and what a log shows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canaries } from '../testing/contract-samples.ts'
import { valuesOf } from './body-values.ts'
import { acquirerRows } from './table/acquirers.ts'
import { playExchange } from './testing/play.ts'
import { readFixtures, replay } from './testing/recorded.ts'

const fixtures = await readFixtures()

test('ten acquirers at least have recorded exchanges', () => {
  assert.ok(fixtures.length >= 10, String(fixtures.length))
})

for (const [file, fixture] of fixtures) {
  const row = acquirerRows.find(({ name }) => `prism-${name.toLowerCase()}` === fixture.connector)
  describe(file, () => {
    for (const exchange of fixture.exchanges) {
      test(`${exchange.title}: the request leaves as it was built, and the reply becomes the stated outcome`, async () => {
        const { outcome, sent, entries } = await playExchange(fixture, exchange, replay(exchange.recorded))
        assert.deepEqual(outcome, exchange.outcome)
        assert.equal(sent.length, exchange.replies.length, 'requests')

        const built = exchange.recorded.filter(({ task }) => task === 'build')
        for (const [index, { result }] of built.entries()) {
          const { value } = Object(result)
          const { pathname, search } = new URL(value.url)
          assert.equal(`${sent[index]?.method} ${sent[index]?.path}`, `${value.method} ${pathname}${search}`)
          assert.equal(sent[index]?.body, value.text ?? '')
          assert.equal(sent[index]?.headers.via, undefined, 'nothing says which package wrote the request')
        }

        const log = JSON.stringify(entries)
        for (const secret of [canaries.number, `"${canaries.verificationCode}"`, ...Object.values(fixture.credentials)])
          assert.ok(!log.includes(secret), `${secret} in ${log}`)
      })
    }

    test('an idempotency key goes along where the acquirer has a header for it', async () => {
      const sale = fixture.exchanges.find(
        ({ operation, outcome }) => operation === 'sale' && outcome.result === 'approved',
      )
      if (!sale || !row?.idempotency) return
      const { sent } = await playExchange(fixture, sale, replay(sale.recorded))
      assert.equal(sent.at(-1)?.headers[row.idempotency.header], '0199a1b2-c3d4-7e5f-8a6b-000000000001')
    })
  })
}

test('a body is shown in the log by its names, with the values of our own references only', async () => {
  const [, fixture] = fixtures.find(([file]) => file === 'nmi.json') ?? assert.fail('nmi.json')
  const [sale] = fixture.exchanges
  assert.ok(sale)
  const { entries, sent } = await playExchange(fixture, sale, replay(sale.recorded))
  const shown = Object(entries[0]?.request)
  assert.equal(shown.orderid, '0199a1b2c3d47e5f8a6b000000000001')
  assert.equal(shown.currency, 'EUR')
  assert.equal(shown.ccnumber, '***')
  assert.deepEqual(Object.keys(shown), [...valuesOf({ headers: {}, body: Buffer.from(sent[0]?.body ?? '') }).keys()])
})
