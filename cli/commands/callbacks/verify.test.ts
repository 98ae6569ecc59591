// The worked example of Chapter 10 §11.3, and callbacks of Chapter 20 §4.4 and Chapter 30 §12.1.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { webhookSignature } from '#domain/signature/signature.ts'
import { systemClock } from '#server/process/clock.ts'
import { insertPayment } from '../../../server/test/callbacks/callback-rows.ts'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
})
after(() => instance[Symbol.asyncDispose]())

const password = '13a4822c5907ed235f3a068c76184fc3'
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
const body =
  'action=SALE&result=SUCCESS&status=SETTLED&order_id=ORDER-12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&hash=fc359ea0b4830271f611c30135761c85&trans_date=2026-03-10+11%3A51%3A53&descriptor=TEST&amount=10.00&currency=EUR&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&custom_data%5Bcart%5D=778'
const headers = [
  ['webhook-id', 'msg_2Yx7pQ9rT4vW'],
  ['webhook-timestamp', '1773143514'],
  ['webhook-sequence', '1'],
  ['webhook-signature', 'v1,UtTsZUR9jRSeQ5y+z6oAEokmBbQryD/ryHuLmQuRUUA='],
].flatMap(([name, value]) => ['--header', `${name}: ${value}`])

const callback = (input: string, ...options: readonly string[]) =>
  runGatehouse(['verify', 'callback', '--password', password, ...options], { input })
const webhook = (input: string, ...options: readonly string[]) =>
  runGatehouse(['verify', 'webhook', ...options], { input })

test('the worked example of the chapter verifies by its hash', async () => {
  const { code, out } = await callback(body, '--email', 'doe@example.com')
  assert.equal(code, 0)
  assert.match(out, /valid: by card\.follow-up with md5/)
})

test('a body is read from a file as well as from standard input', async () => {
  const file = join(instance.folder, 'body')
  await writeFile(file, `${body}\n`)
  assert.equal(
    (await runGatehouse(['verify', 'callback', file, '--password', password, '--email', 'doe@example.com'])).code,
    0,
  )
})

test('the same callback as JSON verifies', async () => {
  const fields = { ...Object.fromEntries(new URLSearchParams(body)), custom_data: { cart: '778' } }
  assert.equal((await callback(JSON.stringify(fields), '--email', 'doe@example.com')).code, 0)
})

test('if the e-mail of the payment is missing, the failure names it as the reason', async () => {
  const { code, out } = await callback(body)
  assert.equal(code, 1)
  assert.match(out, /the payer’s e-mail of the payment is not known/)
})

test('a callback about another payment or with another card does not verify', async () => {
  for (const changed of [body.replace('aaaff66a', 'aaaff66b'), body.replace('411111%2A', '411112%2A')]) {
    assert.equal((await callback(changed, '--email', 'doe@example.com')).code, 1)
  }
})

test('a body that is neither a form nor JSON, or has no hash, is refused', async () => {
  assert.match((await callback('{broken')).err, /neither a form nor JSON/)
  assert.match((await callback('action=SALE')).out, /has no hash/)
})

test('an S2S APM callback verifies over all its parameters, nested ones included', async () => {
  const fields =
    'action=SALE&result=SUCCESS&status=SETTLED&order_id=ORDER12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&trans_date=2026-02-03+10%3A00%3A00&descriptor=test&amount=1.99&currency=USD&custom_data%5Bb%5D=two&custom_data%5Ba%5D%5B10%5D=x&custom_data%5Ba%5D%5B9%5D=y&custom_data%5BB%5D=Z%C3%BCrich'
  const hash = 'hash=f4662ac6c333bfbc749eb26d4ccd38f9'
  assert.match((await callback(`${fields}&${hash}`)).out, /valid: by apm\.callback/)
  assert.equal((await callback(`${fields.replace('two', 'three')}&${hash}`)).code, 1)
})

test('a refund callback does not verify without its creditvoid_id', async () => {
  const fields =
    'action=CREDITVOID&result=SUCCESS&status=REFUND&order_id=ORDER12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&creditvoid_id=0d2c5f5e-7a11-4f0c-9a53-2f3b1a77c001&creditvoid_date=2026-02-04+09%3A30%3A00&amount=1.99&hash=0a8576cf97f77f5ff2db297e422d5ebd'
  assert.equal((await callback(fields)).code, 0)
  assert.equal((await callback(fields.replace(/creditvoid_id=[^&]*&/, ''))).code, 1)
})

test('a payout callback verifies by its own formula', async () => {
  const fields =
    'action=CREDIT2VIRTUAL&result=SUCCESS&status=SETTLED&order_id=ORDER12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&hash=f1db81798647a51f5bfa37f292963b00'
  assert.match((await callback(fields)).out, /valid: by apm\.payout-callback/)
})

test('a payout to a card verifies without the e-mail, even if the e-mail is known', async () => {
  const fields =
    'action=CREDIT2CARD&result=SUCCESS&status=SETTLED&order_id=ORDER-12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&card=411111******1111&hash=77b7d132504aac4d069e60f0c77cd832'
  assert.equal((await callback(fields, '--email', 'doe@example.com')).code, 0)
})

test('a Checkout callback verifies', async () => {
  const fields =
    'id=dc66cdd8-d702-11ea-9a2f-0242c0a87002&order_number=order-1234&order_amount=0.19&order_currency=USD&order_description=Important+gift&order_status=settled&type=sale&status=success&hash=25e1e0bcc8b1c626b01fe069d2c256b61127bd60'
  const ran = await runGatehouse(['verify', 'callback', '--password', 'testpass123'], { input: fields })
  assert.match(ran.out, /valid: by checkout\.callback with md5/)
})

test('if a merchant is given, e-mail and card are read from its payment', async () => {
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
  const { rows } = await instance.database.pool.query<{ id: string }>(`select id from merchants where name = 'acme'`)
  const { paymentId } = await insertPayment(instance.database.pool, { merchantId: rows[0]?.id ?? '' })
  await instance.database.pool.query(
    `update payments set payer_email = 'doe@example.com', pan10 = '4111111111' where id = $1`,
    [paymentId],
  )
  const values = ['email=doe@example.com', 'pan10=4111111111', `trans_id=${paymentId}`]
  const { out: hash } = await instance.do('sign', 'card.follow-up', ...values, '--merchant', 'acme')
  const input = `action=VOID&result=SUCCESS&status=VOID&order_id=ORDER-1&trans_id=${paymentId}&hash=${hash}`
  assert.equal((await instance.run(['verify', 'callback', '--merchant', 'acme'], { input })).code, 0)
})

test('the worked example verifies by its signature', async () => {
  assert.equal((await webhook(body, ...headers, '--secret', secret, '--tolerance', '36500d')).code, 0)
})

test('a line break that an editor added is ignored', async () => {
  assert.equal((await webhook(`${body}\n`, ...headers, '--secret', secret, '--tolerance', '36500d')).code, 0)
})

test('an expired signature is reported differently from a wrong one', async () => {
  const old = await webhook(body, ...headers, '--secret', secret)
  assert.equal(old.code, 1)
  assert.match(old.out, /it matches, but its timestamp is \d+ s off/)
  const wrong = await webhook(`${body}0`, ...headers, '--secret', secret, '--tolerance', '36500d')
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /no known secret matches/)
})

test('missing headers and a malformed secret are named', async () => {
  assert.match((await webhook(body, ...headers.slice(0, 2), '--secret', secret)).out, /is missing/)
  assert.match((await webhook(body, ...headers, '--secret', 'hunter2')).err, /must begin with whsec_/)
})

test('a signature by any active secret of the merchant verifies', async () => {
  const merchant = (await instance.do('merchant', 'create', 'hooked', '--title', 'Hooked', '--json')).json
  await instance.do('merchant', 'rotate', 'hooked', '--webhook-secret')
  const seconds = Math.floor(systemClock().now().getTime() / 1000)
  const signature = webhookSignature(merchant.webhook_secret, 'msg_1', seconds, body)
  const signed = [
    '--header',
    'webhook-id: msg_1',
    '--header',
    `webhook-timestamp: ${seconds}`,
    '--header',
    `webhook-signature: v1,x ${signature}`,
  ]
  assert.equal((await instance.run(['verify', 'webhook', ...signed, '--merchant', 'hooked'], { input: body })).code, 0)
})

for (const length of [8, 16, 31]) {
  test(`a callback whose hash is right only in its first ${length} characters does not verify`, async () => {
    const [, hash = ''] = /hash=([0-9a-f]+)/.exec(body) ?? []
    const other = hash.charAt(length) === '0' ? '1' : '0'
    for (const wrongHash of [hash.slice(0, length) + other + hash.slice(length + 1), hash.slice(0, length)]) {
      const { code } = await callback(body.replace(hash, wrongHash), '--email', 'doe@example.com')
      assert.equal(code, 1, wrongHash)
    }
  })
}
