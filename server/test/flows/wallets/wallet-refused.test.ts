/** The answer to a refused wallet token, its record and its alerts. Chapter 40 §5, §6, §14, §15, §19. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { addKey } from '#server/wallets/setup/wallet-keys.ts'
import { oneLineKey } from '#server/wallets/tokens/testing/keys.ts'
import { Apm } from '../../apm.ts'
import { assertInvalid, assertRefused } from '../../payments.ts'
import { type Answer, openShop } from '../../shop.ts'
import { enableWallet, newKey } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)
const a = await enableWallet(shop, { wallet: 'walletapay' })
const b = await enableWallet(shop, { wallet: 'walletbpay' })
const refusedTokens = refusedTokenStore(shop.base.pool, shop.base.ids)

const assertExpired = (answer: Answer) => assertRefused(answer, 250003, 'The payment token signature has expired')
const assertMismatch = (answer: Answer) => assertRefused(answer, 250004, 'Payment token does not match the order.')
const failedChecks = (record: { checks: readonly { id: string; result: string }[] } | undefined) =>
  record?.checks.filter(({ result }) => result === 'failed').map(({ id }) => id)

// biome-ignore format: a table is read in columns.
const faults = [
  // fault              device  check   answer
  ['version',           a,    'A2',   assertExpired],
  ['foreign-root',      a,    'A6',   assertExpired],
  ['data-flip',         a,    'A9',   assertExpired],
  ['signature-flip',    a,    'A10',  assertExpired],
  ['stale',             a,    'A11',  assertExpired],
  ['future',            a,    'A11',  assertExpired],
  ['key-hash-flip',     a,    'A13',  assertExpired],
  ['wrong-merchant',    a,    'A14',  assertExpired],
  ['plain-check-digit', a,    'A15',  assertExpired],
  ['wrong-currency',    a,    'A17',  assertMismatch],
  ['wrong-amount',      a,    'A18',  assertMismatch],
  ['b-recipient',       b,    'B5',   assertExpired],
  ['b-tag-flip',        b,    'B8',   assertExpired],
  ['b-expired',         b,    'B10',  assertExpired],
  ['b-merchant',        b,    'B11',  assertExpired],
] as const

for (const [fault, device, check, assertAnswer] of faults) {
  test(`the fault ${fault} is refused by ${check}, and support finds it by request, merchant and order`, async () => {
    const order_id = `FAULT-${fault}`
    const answer = await device.sale(
      await device.mint({ fault }),
      { order_id },
      { headers: { 'x-request-id': `req-${fault}` } },
    )
    assertAnswer(answer)
    const [row, ...more] = await refusedTokens.find({ requestId: `req-${fault}` })
    assert.deepEqual([more.length, row?.orderId, row?.protocol, row?.mode], [0, order_id, 'S2S_CARD', 'live'])
    assert.deepEqual(failedChecks(row?.record), [check])
    assert.equal(
      (await refusedTokens.find({ orderId: order_id, ...(row && { merchantId: row.merchantId }) })).length,
      1,
    )
  })
}

// biome-ignore format: a table is read in columns.
const shapeless = [
  ['no-payment-data', a], ['no-transaction-id', a], ['type', a], ['duplicate-name', a], ['too-big', a],
  ['b-extra-member', b], ['b-no-intermediate', b], ['b-signing-only', b],
] as const

for (const [fault, device] of shapeless) {
  test(`the fault ${fault} makes the token malformed, and support finds why`, async () => {
    const version = fault === 'b-extra-member' ? { version: 'ECv1' } : {}
    const order_id = `SHAPE-${fault}`
    const answer = await device.sale(await device.mint({ fault, ...version }), { order_id })
    assertInvalid(answer, 'payment_token: This value is not valid.')
    const [row, ...more] = await refusedTokens.find({ orderId: order_id })
    assert.deepEqual([more.length, row?.protocol, row?.mode], [0, 'S2S_CARD', 'live'])
    assert.deepEqual(failedChecks(row?.record), [device === a ? 'A1' : 'B1'])
    assert.ok(row?.record.checks[0]?.detail, 'the record says what is wrong')
  })
}

test('on S2S APM a text that is no JSON leaves the same record', async () => {
  const sale = { brand: 'walletapay', identifier: 'payer@example.com', order_id: 'SHAPE-APM' }
  const answer = await apm.sale({ ...sale, 'parameters[paymentToken]': (await a.mint()).slice(0, -9) })
  assertInvalid(answer, 'parameters[paymentToken]: This value is not valid.')
  const [row] = await refusedTokens.find({ orderId: 'SHAPE-APM' })
  assert.equal(row?.protocol, 'S2S_APM')
  assert.match(row?.record.checks[0]?.detail ?? '', /cut off/)
})

test('a caller without the password leaves no record of a malformed token, nor does a request with further faults', async () => {
  const invalidToken = 'payment_token: This value is not valid.'
  assertInvalid(await a.sale('{}', { order_id: 'SHAPE-HASH', hash: 'f'.repeat(32) }), invalidToken)
  const twoFaults = await a.sale('{}', { order_id: 'SHAPE-MORE', order_currency: 'EURO' })
  assert.equal(twoFaults.body.errors.length, 2, twoFaults.text)
  for (const orderId of ['SHAPE-HASH', 'SHAPE-MORE']) assert.deepEqual(await refusedTokens.find({ orderId }), [])
})

test('a token of the other wallet is malformed for this one', async () => {
  assertInvalid(await a.sale(await b.mint()), 'payment_token: This value is not valid.')
  assertInvalid(await b.sale(await a.mint()), 'payment_token: This value is not valid.')
})

test('the order of refusals: malformed, wallet not accepted, no card flow, failed check, another order', async () => {
  const notInForce = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-ip-list', enabled: false })
  await shop.configure("update merchants set allowed_ips = '{}' where name = 'demo-ip-list'")
  assertInvalid(await notInForce.sale('{}'), 'payment_token: This value is not valid.')
  const notSupported = [204018, 'Payment digital wallet not supported'] as const
  assertRefused(await notInForce.sale(await notInForce.mint({ fault: 'stale' })), ...notSupported)
  const closed = await enableWallet(shop, { wallet: 'walletapay', merchant: 'demo-wallet-virtual', key: null })
  const noCardFlow = [250002, 'Payment token can not be processed in card flow.'] as const
  assertRefused(await closed.sale(await closed.mint({ fault: 'stale' })), ...noCardFlow)
  assertExpired(await a.sale(await a.mint({ fault: 'stale', amount: '11.00' })))
})

test('on S2S APM the answers are the same, under the name of its parameter', async () => {
  const sale = async (fault: string) =>
    apm.sale({
      brand: 'walletapay',
      identifier: 'payer@example.com',
      'parameters[paymentToken]': await a.mint({ fault }),
    })
  assertInvalid(await sale('no-payment-data'), 'parameters[paymentToken]: This value is not valid.')
  assertExpired(await sale('stale'))
  assertMismatch(await sale('wrong-amount'))
})

test('the limits of a token’s age are inclusive', async () => {
  const { body } = await a.sale(await a.mint({ signed_at: -298 }))
  assert.equal(body.result, 'SUCCESS')
  assertExpired(await a.sale(await a.mint({ signed_at: -302 })))
})

test('a record contains neither number, cryptogram, holder nor token', async () => {
  const token = await a.mint({ fault: 'wrong-amount', holder_name: 'Canary Holderson' })
  await a.sale(token)
  const texts = JSON.stringify(await refusedTokens.find({ limit: 1000 }))
  for (const secret of ['4000001000000018', 'Canary Holderson', JSON.parse(token).paymentData.data])
    assert.ok(!texts.includes(secret))
})

test('refused tokens are counted by check and merchant', async () => {
  await a.sale(await a.mint({ fault: 'stale' }))
  assert.match(
    await shop.service.metrics.composeText(),
    /gatehouse_wallet_tokens_refused_total\{wallet="walletapay",check="A11",merchant="demo"\} \d+/,
  )
})

test('the third genuine token within an hour for an inactive key raises an alert', async () => {
  const stranger = newKey()
  const alerts = async () => {
    const { rows } = await shop.base.pool.query("select from alerts where kind like '%processing key mismatch%'")
    return rows.length
  }
  await shop.base.pool.query('update wallet_watches set unmatched = default')
  const before = await alerts()
  for (let sent = 0; sent < 2; sent += 1) assertExpired(await a.sale(await a.mint({ for: stranger })))
  assert.equal(await alerts(), before)
  assertExpired(await a.sale(await a.mint({ for: stranger })))
  assert.equal(await alerts(), before + 1)
})

test('a token for the next key is decrypted, and promotes the key', async () => {
  const merchant = 'demo-sha256'
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant, mode: 'live' })
  const next = newKey()
  const merchantId = shop.service.configuration.byKey(shop.merchant(merchant).key)?.merchant.id ?? ''
  const context = { ...shop.base, instanceMode: 'sandbox', trustSource: 'sandbox authority', byUser: 'test' } as const
  const place = { merchantId, mode: 'live', wallet: 'walletapay' } as const
  const added = await addKey(context, place, 'processing', { privateKey: oneLineKey(next) })
  assert.ok(added.ok, JSON.stringify(added))
  await shop.service.configuration.refresh()
  const states = async () => {
    const { rows } = await shop.base.pool.query<{ state: string }>(
      `select state from wallet_keys where merchant_id = $1 and side = 'live' and wallet = 'walletapay' and role = 'processing'
       order by state`,
      [merchantId],
    )
    return rows.map(({ state }) => state)
  }
  assert.deepEqual(await states(), ['current', 'next'])
  const sale = async (key: typeof next) => {
    const fields = device.saleFields(await device.mint({ for: key }))
    const email = 'doe@example.com'
    const hash = shop.sign(cardFormulas.wallet, { email }, shop.merchant(merchant).password, 'sha256')
    return (await shop.sale({ ...fields, hash }, { merchant })).body.result
  }
  assert.equal(await sale(device.key), 'SUCCESS')
  assert.deepEqual(await states(), ['current', 'next'])
  assert.equal(await sale(next), 'SUCCESS')
  assert.deepEqual(await states(), ['current', 'retiring'])
  await shop.service.configuration.refresh()
  assert.equal(await sale(device.key), 'SUCCESS', 'the old one still opens')
})

test('a payment stores the record of every check it passed, with the flow and its reason', async () => {
  const { body } = await a.pay()
  const { rows } = await shop.base.pool.query("select facts -> 'wallet' as wallet from payments where id = $1", [
    body.trans_id,
  ])
  const { checks, displayName, networkLabel, deviceId, eci, numberKind } = rows[0].wallet
  assert.deepEqual(
    [checks.flow, checks.flowReason, checks.panType, checks.network, numberKind],
    ['card', 'processing key, provider takes decrypted data', 'DPAN', 'visa', 'device number'],
  )
  assert.ok(deviceId && eci !== undefined && displayName !== undefined && networkLabel !== undefined)
  const results = checks.checks.map(({ id, result }: { id: string; result: string }) => `${id} ${result}`)
  assert.ok(results.includes('A12 passed'))
  assert.deepEqual(
    results.filter((row: string) => !row.endsWith('passed')),
    ['A16 not applicable'],
  )
})
