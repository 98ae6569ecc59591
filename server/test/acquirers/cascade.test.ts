/** A merchant with MIDs at Adyen and at Stripe: a payment that one cannot take goes to the other, in the order that a rule states. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { openAdyen } from '#sandbox/acquirers/adyen/stand-in.ts'
import { openStripe } from '#sandbox/acquirers/stripe/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { FakeAcquirer } from '#server/connectors/testing/fake-acquirer.ts'
import { changeCredentials, createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openAccount } from '../account.ts'
import { attemptPath, resultsCalledBack } from '../cascades.ts'
import { publishRules } from '../rules.ts'
import { openShop, type RequestFields } from '../shop.ts'

const raise = (fault: unknown): never => {
  throw fault
}

const shop = await openShop({}, ['back office'])
const folder = await mkdtemp(join(tmpdir(), 'cascade-'))
const adyen = await openAdyen(join(folder, 'adyen'))
const stripe = await openStripe(join(folder, 'stripe'))
const adyenHere = await startServices([adyen], 0, raise)
const stripeHere = await startServices([stripe], 0, raise)
const busy = new FakeAcquirer()
await busy.listen()
after(async () => {
  busy.close()
  await adyenHere.stop()
  await stripeHere.stop()
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const merchant = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
const adyenCredentials = adyen.credentials(adyenHere.url).live
const settings = { mode: 'live', descriptor: 'EXAMPLE SHOP' } as const
const atAdyen = await createMid(shop.base, { ...settings, name: 'live-adyen', connector: 'adyen' }, adyenCredentials)
const atStripe = await createMid(
  shop.base,
  { ...settings, name: 'live-stripe', connector: 'stripe' },
  stripe.credentials(stripeHere.url).live,
)
// By priority Stripe goes first: only the rule puts Adyen before it.
await linkMerchant(shop.base, { priority: 1, merchantId, midId: atStripe.id })
await linkMerchant(shop.base, { priority: 2, merchantId, midId: atAdyen.id })
await shop.service.configuration.refresh()
await publishRules(shop, merchant, {
  name: 'Adyen first',
  conditions: [{ kind: 'currency', values: ['EUR'] }],
  action: { kind: 'use', mids: ['live-adyen', 'live-stripe'], only: false },
})

async function reachAdyenWith(changes: object): Promise<void> {
  await changeCredentials(shop.base, atAdyen.id, { ...adyenCredentials, ...changes })
  await shop.service.configuration.refresh()
}

beforeEach(() => reachAdyenWith({}))

const executedAt = async (url: string): Promise<readonly string[]> => {
  const entries: readonly Record<string, string>[] = JSON.parse(await (await fetch(`${url}/ledger`)).text())
  return entries.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)
}

/** What the order led to: its attempts, the callbacks, and what each acquirer recorded for it. */
async function pay(over: RequestFields = {}) {
  const before = { adyen: (await executedAt(adyenHere.url)).length, stripe: (await executedAt(stripeHere.url)).length }
  const order_id = randomUUID()
  const { body } = await shop.sale({ order_id, ...over }, { merchant })
  return {
    status: body.status,
    attempts: await attemptPath(shop, order_id),
    called: await resultsCalledBack(shop, order_id),
    adyen: (await executedAt(adyenHere.url)).slice(before.adyen),
    stripe: (await executedAt(stripeHere.url)).slice(before.stripe),
  }
}

test('a payment that Adyen declines softly is approved at Stripe, and called back once', async () => {
  assert.deepEqual(await pay({ payer_first_name: 'Not enough', payer_last_name: 'balance' }), {
    status: 'SETTLED',
    attempts: ['adyen DECLINED', 'stripe SETTLED'],
    called: ['2 SUCCESS'],
    adyen: ['sale 1000 declined'],
    stripe: ['sale 1000 executed'],
  })
})

test('a payment that Adyen declines for good does not go to Stripe', async () => {
  assert.deepEqual(await pay({ payer_first_name: 'Block', payer_last_name: 'card' }), {
    status: 'DECLINED',
    attempts: ['adyen DECLINED'],
    called: ['1 DECLINED'],
    adyen: ['sale 1000 declined'],
    stripe: [],
  })
})

test('a payment that Adyen answers with 429 and Retry-After is sent there once and goes to Stripe at once', async () => {
  busy.answer({ status: 429, body: { status: 429, errorCode: '00_429' }, headers: { 'retry-after': '1' } })
  await reachAdyenWith({ base_url: busy.url })
  const { status, attempts, stripe: taken } = await pay()
  assert.deepEqual([status, attempts, taken], ['SETTLED', ['adyen DECLINED', 'stripe SETTLED'], ['sale 1000 executed']])
  await shop.advance(60_000)
  assert.equal(busy.sent.length, 1)
})

test('a payment for which Adyen refuses the API key goes to Stripe', async () => {
  await reachAdyenWith({ api_key: 'AQEwithdrawn-key-of-another-account' })
  const { status, attempts, adyen: recorded, stripe: taken } = await pay()
  assert.deepEqual([status, attempts], ['SETTLED', ['adyen DECLINED', 'stripe SETTLED']])
  assert.deepEqual([recorded, taken], [[], ['sale 1000 executed']])
})
