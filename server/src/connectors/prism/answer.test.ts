/** What a reply means where the package says more than the acquirer did. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canaries, followUpWith } from '../testing/contract-samples.ts'
import { playExchange } from './testing/play.ts'
import { type PrismExchange, readFixtures, replay } from './testing/recorded.ts'
import type { PrismResult } from './transformer/protocol.ts'

const [, fixture] = (await readFixtures()).find(([file]) => file === 'nmi.json') ?? assert.fail('nmi.json')
const [exchangeOfSale, exchangeOfCapture] = (['sale', 'capture'] as const).map(
  (operation) => fixture.exchanges.find((one) => one.operation === operation) ?? assert.fail(operation),
)
assert.ok(exchangeOfSale && exchangeOfCapture)

/** With an answer of the acquirer's that the package reads like this. */
async function play(exchange: PrismExchange, status: number, result: PrismResult<unknown>) {
  const replies = exchange.replies.map((reply) => ({ ...reply, status, text: 'something' }))
  return playExchange(fixture, { ...exchange, replies }, { ...replay(exchange.recorded), read: async () => result })
}

const failure = (message: string) => ({
  statusName: 'FAILURE',
  error: { connectorDetails: { code: '300', message } },
})

test('wrong credentials that the package reads as a decline are not executed, and no fault of the card', async () => {
  const read = { kind: 'done', value: failure('Authentication Failed') } as const
  const { outcome } = await play(exchangeOfSale, 401, read)
  assert.equal(outcome.result, 'not-executed')
  assert.equal((await play(exchangeOfSale, 200, read)).outcome.result, 'declined')
})

test('a decline does not quote the credentials or the card to the merchant', async () => {
  const [secret = ''] = Object.values(fixture.credentials)
  const value = failure(`Key ${secret} may not charge 4111111111111111 with code 123`)
  const { outcome } = await play(exchangeOfSale, 200, { kind: 'done', value })
  const { reason } = outcome.result === 'declined' ? outcome : assert.fail(outcome.result)
  assert.ok(!reason.includes(secret), reason)
  assert.ok(!reason.includes('4111111111111111'), reason)
})

test('a whole capture of which the acquirer captured a part is unknown', async () => {
  const value = { statusName: 'PARTIAL_CHARGED', connectorTransactionId: '1' }
  // The request itself is as for a part; what counts is how much of the hold we asked for.
  const step = followUpWith(exchangeOfCapture.given)
  const whole = { ...exchangeOfCapture.given, first: { ...step.first, amountMinor: step.amountMinor } }
  const captureOf = async (input: object, statusName: string) => {
    const exchange = { ...exchangeOfCapture, given: { ...input } }
    return (await play(exchange, 200, { kind: 'done', value: { ...value, statusName } })).outcome.result
  }
  assert.equal(await captureOf(whole, 'PARTIAL_CHARGED'), 'unknown')
  assert.equal(await captureOf(whole, 'CHARGED'), 'approved')
  assert.equal(await captureOf(exchangeOfCapture.given, 'PARTIAL_CHARGED'), 'approved')
})

test('a step that only a hidden page could take is not shown to the payer', async () => {
  const redirectionData = { form: { endpoint: 'https://issuer.example/device', formFields: {} } }
  const value = { statusName: 'DEVICE_DATA_COLLECTION_PENDING', connectorTransactionId: '1', redirectionData }
  const { outcome } = await play(exchangeOfSale, 200, { kind: 'done', value })
  assert.equal(outcome.result, 'unknown')
})

test('an amount that looks like the verification code does not bring the code into a log', async () => {
  const fields = { amount: '9.17', currency: 'EUR', cvv: canaries.verificationCode }
  const built = {
    method: 'POST',
    url: 'https://secure.nmi.com/api/transact.php',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(String(new URLSearchParams(fields))),
  }
  const { entries } = await playExchange(
    fixture,
    { ...exchangeOfSale, given: { amountMinor: canaries.verificationCode } },
    {
      ...replay([]),
      build: async () => ({ kind: 'done', value: built }),
      read: async () => ({ kind: 'done', value: {} }),
    },
  )
  assert.deepEqual(entries[0]?.request, { amount: '***', currency: 'EUR', cvv: '***' })
})
