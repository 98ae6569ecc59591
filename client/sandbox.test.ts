/** Both clients drive a whole gateway with the sandbox acquirer. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openShop } from '../server/test/shop.ts'
import { hasPhp, runPhp } from './testing/php.ts'
import { runStory } from './testing/sandbox-story.ts'
import { CallbackError, Gatehouse } from './typescript/src/index.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

// Both clients sign every request as a whole.
await shop.configure(`update protocol_mappings set options = options || '{"requestSignature":"required"}'`)

const expectedStory = [
  'sale SUCCESS SETTLED',
  'refund ACCEPTED',
  '3ds REDIRECT',
  '3ds then SETTLED',
  'capture PENDING SETTLED',
  'recurring SUCCESS',
  'apm SUCCESS SETTLED',
  'checkout page',
  'refused 400 payer_email: This value is not a valid email address.',
]

async function settings() {
  const { key, password } = shop.merchant()
  const { rows } = await shop.base.pool.query<{ id: string }>("select id from merchants where name = 'demo'")
  const { webhookSecrets } = await shop.service.configuration.readSecrets(rows[0]?.id ?? '')
  return { key, password, secrets: webhookSecrets.map((secret) => secret.reveal()) }
}

async function receivedOf(transId: string) {
  const received = await shop.callbacks(transId)
  return received.map(({ headers, raw }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^webhook|^content-type/.test(name))),
    body: raw,
  }))
}

test('the TypeScript client pays, authenticates, captures, refunds, charges again and looks up, and verifies the callbacks', async () => {
  const { key, password, secrets } = await settings()
  const options = { baseUrl: shop.url, key, password, webhookSecrets: secrets }
  const { story, paid } = await runStory(options)
  assert.deepEqual(story, expectedStory)

  const gatehouse = new Gatehouse(options)
  const callbacks = await receivedOf(paid)
  const verified = await Promise.all(callbacks.map((callback) => gatehouse.verifyCallback(callback)))
  assert.deepEqual(
    verified.map(({ sequence, fields }) => [sequence, fields['action']]),
    [
      [1, 'SALE'],
      [2, 'CREDITVOID'],
    ],
  )
  const [first] = callbacks
  const byHash = new Gatehouse({ baseUrl: shop.url, key, password })
  await byHash.verifyCallback(first ?? assert.fail(), { email: 'doe@example.com', card: '4111111111111111' })
  await assert.rejects(
    gatehouse.verifyCallback({ headers: first?.headers ?? {}, body: `${first?.body}&x=1` }),
    CallbackError,
  )
})

test('the PHP client does the same', { skip: hasPhp() ? false : 'PHP 8 is not installed.' }, async () => {
  const input = { url: shop.url, ...(await settings()) }
  const { story, paid } = JSON.parse(await runPhp('story.php', input))
  assert.deepEqual(story, expectedStory)
  const [sale, refund] = await receivedOf(paid)
  const altered = { ...sale, body: `${sale?.body}&x=1` }
  const verdicts = await runPhp('story.php', { ...input, callbacks: [sale, refund, altered] })
  assert.deepEqual(JSON.parse(verdicts), ['SALE', 'CREDITVOID', 'refused'])
  const inOrder = await runPhp('story.php', { ...input, payment: paid })
  assert.deepEqual(JSON.parse(inOrder), ['1 SALE', '2 CREDITVOID', 'last'])
})
