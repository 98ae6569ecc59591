/** Rate limits per merchant key, and for guesses. Chapter 10 §1.1, §1.2, §1.3. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { assertRefused, says } from '../../refusals.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop({ TRUSTED_PROXIES: '127.0.0.1' }, ['back office'])
after(() => shop[Symbol.asyncDispose]())

// The clock is frozen unless a test moves it, so that no bucket refills on a slow machine.
let now = shop.base.clock.now()
mock.method(shop.base.clock, 'now', () => now)
const pass = (milliseconds: number): void => {
  now = new Date(now.getTime() + milliseconds)
}

const assertTooMany = (answer: Answer, seconds: string): void => {
  assertRefused(answer, 100000, 'Too many requests.', 429)
  assert.equal(answer.headers.get('retry-after'), seconds)
}

/** Passes the rate limit and fails at the next step, which is cheap. */
const ask = (merchant: string, keyOf: 'key' | 'test_key' = 'key', address = '198.51.100.1') =>
  shop.raw(
    { action: 'CAPTURE', client_key: shop.merchant(merchant)[keyOf] },
    { headers: { 'x-forwarded-for': address } },
  )

async function askTimes(merchant: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) assert.equal((await ask(merchant)).http, 400, `request ${time + 1}`)
}

test('a key may send 400 requests at once and 200 per second after that', async () => {
  const merchant = await openAccount(shop)
  await askTimes(merchant, 400)
  assertTooMany(await ask(merchant), '1')
  pass(1000)
  await askTimes(merchant, 200)
  assertTooMany(await ask(merchant), '1')
})

test('a merchant may have its own rate, with a burst of twice that', async () => {
  const merchant = await openAccount(shop, { merchant: { ratePerSecond: 3 } })
  await askTimes(merchant, 6)
  assertTooMany(await ask(merchant), '1')
  pass(999)
  await askTimes(merchant, 2)
  assertTooMany(await ask(merchant), '1')
})

test('keys do not share their rates: neither those of two merchants nor the two of one', async () => {
  const [one, other] = [await openAccount(shop, slow), await openAccount(shop, slow)]
  await askTimes(one, 2)
  assertTooMany(await ask(one), '1')
  assert.equal((await ask(other)).http, 400)
  assert.equal((await ask(one, 'test_key')).http, 400)
})

const slow = { merchant: { ratePerSecond: 1 } }

test('the rate is per key, whatever the address of the caller', async () => {
  const merchant = await openAccount(shop, slow)
  await askTimes(merchant, 2)
  assertTooMany(await ask(merchant, 'key', '198.51.100.2'), '1')
})

const unknownId = '00000000-0000-4000-8000-000000000000'

for (const [fault, guess] of Object.entries({
  'wrong hashes': (merchant: string) => shop.sale({ hash: 'x' }, { merchant }),
  'unknown entities': (merchant: string) => shop.followUp('GET_TRANS_STATUS', unknownId, {}, { merchant }),
})) {
  test(`${fault} have a rate limit ten times lower, per key and caller`, async () => {
    const merchant = await openAccount(shop, { merchant: { ratePerSecond: 20 } })
    for (let time = 0; time < 4; time += 1) assert.equal((await guess(merchant)).http, 400)
    assertTooMany(await guess(merchant), '1')
    assertTooMany(await shop.sale({}, { merchant }), '1')

    const elsewhere = await shop.sale({}, { merchant, headers: { 'x-forwarded-for': '198.51.100.3' } })
    assert.equal(elsewhere.body.result, 'SUCCESS', 'the merchant himself is not shut out')
    pass(500)
    assert.equal((await shop.sale({}, { merchant })).body.result, 'SUCCESS')
  })
}

test('concurrent guesses have no higher limit', async () => {
  const merchant = await openAccount(shop, { merchant: { ratePerSecond: 20 } })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shop.followUp('GET_TRANS_STATUS', unknownId, {}, { merchant })),
  )
  assert.equal(answers.filter(({ http }) => http === 400).length, 4)
  for (const answer of answers.filter(({ http }) => http !== 400)) assertTooMany(answer, '1')
})

test('violations of step 7 and refusals by the rules are not guesses', async () => {
  const merchant = await openAccount(shop, { merchant: { ratePerSecond: 20 } })
  for (let time = 0; time < 10; time += 1) {
    const answer = await shop.sale({ payer_ip: 'x' }, { merchant })
    assert.equal(answer.body.errors[0].error_message, `payer_ip: ${says.notValid}`)
    assertRefused(
      await shop.sale({ card_number: '1111222233334444' }, { merchant }),
      204006,
      'Payment system/brand not supported.',
    )
  }
})
