/** Cascading with wallets, brands, chains and plans, and on Checkout. Chapter 20 §5.1, chapter 30 §5, §7.8, chapter 40 §9, chapter 50 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import { type AccountMid, openAccount } from '../../account.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import {
  attemptPath,
  attemptsOf,
  outage,
  resultsCalledBack,
  setFaults,
  softDeclines,
  withCascade,
} from '../../cascades.ts'
import { chargeChain, createSchedule, startChain } from '../../chains.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { expiryFields, readEffects } from '../../payments.ts'
import { openShop } from '../../shop.ts'
import { enableWallet, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop({ PLAN_RETRY_HOURS: '24' })
const apm = new Apm(shop)
const checkout = new CheckoutClient(shop)
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const day = 24 * 3_600_000
const decryptingMid: AccountMid = { cardFlow: true, acceptsDecrypted: true }
const forwardingMid: AccountMid = { cardFlow: true, acceptsDecrypted: false }
const virtual: AccountMid = { cardFlow: false, acceptsDecrypted: false }

test('a decrypted wallet token cascades to the next MID with the same data, without new checks', async () => {
  const merchant = await openApmAccount(shop, { mids: [decryptingMid, decryptingMid] })
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
  await setFaults(shop, merchant, { 1: softDeclines })
  const order_id = randomUUID()
  const { body } = await device.pay({}, { order_id })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
  const { rows } = await shop.base.pool.query(
    'select count(*)::int from payment_secrets join payments on payments.id = payment_id where order_id = $1',
    [order_id],
  )
  assert.deepEqual(rows, [{ count: 0 }])
})

type WalletPayment = (
  device: WalletDevice,
  order_id: string,
) => Promise<{ readonly trans_id: string; readonly wallet_token: string }>

const softDeclined = { card: 'soft-decline' } as const

// Chapter 40 §9, last row of the table, with the built-in catalogue.
const protocols: Readonly<Record<string, WalletPayment>> = {
  'S2S CARD': async (device, order_id) => {
    const wallet_token = await device.mint(softDeclined)
    const { body } = await device.sale(wallet_token, { order_id })
    assert.deepEqual(
      [body.result, body.status, body.digital_wallet, body.pan_type],
      ['SUCCESS', 'SETTLED', device.wallet, 'DPAN'],
    )
    return { trans_id: body.trans_id, wallet_token }
  },
  'S2S APM': async (device, order_id) => {
    const wallet_token = await device.mint(softDeclined)
    const paid = { brand: device.wallet, identifier: 'payer@example.com', 'parameters[paymentToken]': wallet_token }
    const { body } = await apm.sale({ order_id, ...paid }, { merchant: device.as.merchant })
    assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
    return { trans_id: body.trans_id, wallet_token }
  },
  'the Checkout page': async (device, number) => {
    const wallet_token = await device.mint(softDeclined)
    const payer = await Payer.at(
      shop,
      { methods: [device.wallet], order: { number } },
      { merchant: device.as.merchant },
    )
    const body = await payer.payAndExpectSuccess({ method: device.wallet, card: undefined, wallet_token, customer: {} })
    assert.equal(body.result, 'success')
    return { trans_id: body.payment_id, wallet_token }
  },
}

for (const wallet of ['walletapay', 'walletbpay'] as const) {
  for (const [protocol, pay] of Object.entries(protocols)) {
    test(`${protocol}: ${wallet} with decrypted data, declined on the first MID, is paid on the next`, async () => {
      const merchant = await openApmAccount(shop, { mids: [decryptingMid, decryptingMid] })
      await onCheckout(merchant)
      const device = await enableWallet(shop, { wallet, merchant })
      const order_id = randomUUID()
      const { trans_id, wallet_token } = await pay(device, order_id)
      assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
      assert.equal(trans_id, (await attemptsOf(shop, order_id)).at(-1)?.id)
      assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000'])
      const { rows } = await shop.base.pool.query(
        `select facts -> 'wallet' ->> 'flow' as flow, card_mask from payments where order_id = $1 order by attempt`,
        [order_id],
      )
      assert.deepEqual(rows, Array(2).fill({ flow: 'decrypted', card_mask: '400000******0034' }))
      const again = await device.sale(wallet_token)
      assert.equal(again.body.error_code, 250003, 'a cascade uses its token up once')
    })
  }
}

test('a wallet token that is passed on unopened is tried at one MID', async () => {
  const merchant = await openApmAccount(shop, { mids: [forwardingMid, forwardingMid] })
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
  await setFaults(shop, merchant, { 1: softDeclines })
  const order_id = randomUUID()
  await device.pay({}, { order_id })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
})

test('a wallet in virtual flow is tried at one MID, whatever the catalogue says', async () => {
  await withCascade(shop, 'walletapay', true)
  const merchant = await openApmAccount(shop, { mids: [virtual, virtual] })
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
  await setFaults(shop, merchant, { 1: softDeclines })
  const order_id = randomUUID()
  const token = await device.mint()
  const paid = { brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token }
  await apm.sale({ order_id, ...paid }, { merchant })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
})

for (const cascade of [true, false]) {
  test(`a wallet paid as a brand ${cascade ? 'cascades' : 'does not cascade'} as the catalogue says`, async () => {
    await withCascade(shop, 'walletapay', cascade)
    const merchant = await openApmAccount(shop, { mids: [decryptingMid, decryptingMid] })
    const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
    await setFaults(shop, merchant, { 1: softDeclines })
    const order_id = randomUUID()
    const token = await device.mint()
    const paid = { brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token }
    await apm.sale({ order_id, ...paid }, { merchant })
    assert.deepEqual(await attemptPath(shop, order_id), cascade ? ['1 DECLINED', '2 SETTLED'] : ['1 DECLINED'])
  })
}

test('soft-decline: the test brand is approved on the next MID, and DECLINED without a next one', async () => {
  for (const mids of [[{}, {}], [{}]]) {
    const merchant = await openApmAccount(shop, { mids })
    const order_id = randomUUID()
    const { body } = await apm.sale({ order_id, identifier: 'soft-decline@example.com' }, { merchant })
    const way = mids.length === 2 ? ['1 DECLINED', '2 SETTLED'] : ['1 DECLINED']
    assert.deepEqual(await attemptPath(shop, order_id), way)
    assert.equal(body.trans_id, (await attemptsOf(shop, order_id)).at(-1)?.id)
    assert.deepEqual(await resultsCalledBack(shop, order_id), mids.length === 2 ? ['2 SUCCESS'] : ['1 DECLINED'])
  }
})

test('a brand that does not cascade is tried at one MID', async () => {
  await withCascade(shop, 'vcard', false)
  const merchant = await openApmAccount(shop, { mids: [{}, {}] })
  const order_id = randomUUID()
  await apm.sale({ order_id, identifier: 'soft-decline@example.com' }, { merchant })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
})

test('S2S APM: with "Cascading context for get status" the first trans_id returns the newest attempt', async () => {
  await withCascade(shop, 'vcard', true)
  const merchant = await openApmAccount(shop, { mids: [{}, {}] }, { cascadingContext: true })
  const order_id = randomUUID()
  const { body } = await apm.sale({ order_id, identifier: 'soft-decline@example.com' }, { merchant })
  const [first] = await attemptsOf(shop, order_id)
  const answer = await apm.send('GET_TRANS_STATUS', { trans_id: first?.id ?? '' }, { merchant })
  assert.deepEqual([answer.body.status, answer.body.trans_id], ['SETTLED', body.trans_id])
})

test('a charge on a chain cascades to the next MID, with the stored card', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const as = { merchant }
  const pair = await startChain(shop, {}, as)
  await setFaults(shop, merchant, { 1: softDeclines })
  const order_id = randomUUID()
  const { body } = await chargeChain(shop, pair, { order_id }, as)
  assert.equal(body.status, 'SETTLED')
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 800'])
})

test('only the last attempt of a declined cascade can be retried', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const as = { merchant }
  const pair = await startChain(shop, expiryFields('01/2039'), as)
  const order_id = randomUUID()
  await chargeChain(shop, pair, { order_id }, as)
  const [first, last] = await attemptsOf(shop, order_id)
  assert.equal((await shop.followUp('RETRY', first?.id ?? '', {}, as)).body.error_message, 'Retry is not allowed.')
  assert.equal((await shop.followUp('RETRY', last?.id ?? '', {}, as)).body.result, 'ACCEPTED')
})

test('a chain may begin with a later attempt, which is then its first payment', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const as = { merchant }
  await setFaults(shop, merchant, { 1: outage })
  const pair = await startChain(shop, {}, as)
  const { body } = await chargeChain(shop, pair, {}, as)
  assert.equal(body.status, 'SETTLED')
})

test('a plan’s payment cascades to the next MID, and only its last attempt is retried by plan', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const as = { merchant }
  const schedule = await createSchedule(shop, { interval_length: '7', interval_unit: 'day', payments_count: '2' }, as)
  const order_id = randomUUID()
  const card = { card_number: '378282246310005', card_cvv2: '0000' }
  await startChain(shop, { order_id, schedule_id: schedule.body.schedule_id, ...card }, as)
  await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
  await shop.advance(7 * day)
  const readAttempts = async () => {
    const { rows } = await shop.base.pool.query<{ attempt: number; status: string }>(
      'select attempt, status from payments where order_id = $1 and plan_date is not null order by attempt',
      [order_id],
    )
    return rows.map(({ attempt, status }) => `${attempt} ${status}`)
  }
  assert.deepEqual(await readAttempts(), ['1 DECLINED', '2 DECLINED'])
  const { rows } = await shop.base.pool.query<{ attempt: number }>(
    `select attempt from payments join deferred_commands on payment_id = id where order_id = $1 and command = 'RETRY'`,
    [order_id],
  )
  assert.deepEqual(rows, [{ attempt: 2 }])
  await shop.clearScenario()
  await shop.advance(day)
  assert.deepEqual(await readAttempts(), ['1 DECLINED', '2 SETTLED'])
})

async function checkoutAccount(faults: Readonly<Record<number, object>>, options: object = {}): Promise<string> {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await onCheckout(merchant, options)
  await setFaults(shop, merchant, faults)
  return merchant
}

async function onCheckout(merchant: string, options: object = {}): Promise<void> {
  const rows = await merchantStore(shop.base.pool).list()
  const merchantId = rows.find(({ name }) => name === merchant)?.id ?? ''
  const mapping = { merchantId, protocol: 'CHECKOUT', enabled: true, options: { ...options } } as const
  await protocolMappingStore(shop.base.pool).put(mapping)
  await shop.service.configuration.refresh()
}

test('Checkout: a cascade is one attempt of the payer, and its last payment is called back', async () => {
  const merchant = await checkoutAccount({ 1: softDeclines })
  const session = await checkout.openSession({}, { merchant })
  const { payment } = await checkout.pay(session)
  assert.deepEqual([payment.status, payment.attempt], ['SETTLED', 2])
  const order = session.request.order.number
  await shop.service.awaitIdle()
  const callbacks = shop.receiver.received.filter(({ fields }) => fields['order_number'] === order)
  assert.deepEqual(
    callbacks.map(({ fields }) => [fields['id'], fields['status']]),
    [[payment.id, 'success']],
  )
})

test('Checkout: a cascade that fails counts as one decline', async () => {
  const merchant = await checkoutAccount({ 1: softDeclines, 2: softDeclines }, { maxDeclines: 2 })
  const session = await checkout.openSession({}, { merchant })
  const { payerSessions } = shop.service.operations
  const states: unknown[] = []
  for (const _ of [1, 2]) {
    await checkout.pay(session)
    const payerSession = await payerSessions.load(await checkout.readSession(session.id))
    states.push([payerSession?.state, payerSession?.payments.length])
  }
  assert.deepEqual(states, [
    ['declined', 1],
    ['limit', 2],
  ])
})

test('Checkout: the attempt that a browser repeats is answered with its last payment', async () => {
  const merchant = await checkoutAccount({ 1: softDeclines })
  const session = await checkout.openSession({}, { merchant })
  const id = randomUUID()
  const { payment } = await checkout.pay(session, '01/38', { id })
  const recalled = await shop.service.operations.payerSessions.recall(await checkout.readSession(session.id), id)
  assert.equal(recalled?.payment.id, payment.id)
})

test('Checkout: a look-up by payment_id returns the newest payment of the cascade with the option, otherwise that one', async () => {
  for (const cascadingContext of [false, true]) {
    const merchant = await checkoutAccount({ 1: softDeclines }, { cascadingContext })
    const session = await checkout.openSession({}, { merchant })
    const { payment } = await checkout.pay(session)
    const body = { payment_id: session.firstPayment }
    const answer = await checkout.post('/api/v1/payment/status', 'payment', body, { merchant })
    const expected = cascadingContext ? [payment.id, 'settled'] : [session.firstPayment, 'decline']
    assert.deepEqual([answer.body.payment_id, answer.body.status], expected, answer.text)
  }
})
