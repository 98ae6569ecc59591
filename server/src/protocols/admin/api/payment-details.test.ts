/** What Transaction Details, the callback log and the refused tokens tell beside the payment itself. Chapter 50 §8. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openAccount } from '../../../../test/account.ts'
import { setFaults, softDeclines } from '../../../../test/cascades.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { enableWallet } from '../../../../test/wallets/wallet-device.ts'

let shop: Shop
let demo: string
let other: string
let owner: PanelClient
let viewer: PanelClient
before(async () => {
  shop = await openShop({ REFUND_APPROVAL: 'EUR:50,*:1000' }, ['back office'])
  demo = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
  owner = await panelOf(shop)
  viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
})
after(() => shop[Symbol.asyncDispose]())

const detailsOf = async (merchant: string, id: string) =>
  (await owner.get(`/merchants/${merchant}/payments/${id}`)).body

describe('what is offered', () => {
  test('a hold can be captured and released, and a settled payment refunded, voided and disputed', async () => {
    const hold = await detailsOf(demo, (await shop.sale({ auth: 'Y' })).body.trans_id)
    const { refundLimitMinor, ...offers } = hold.offers
    assert.equal(refundLimitMinor, '5000')
    assert.deepEqual(offers, {
      capture: true,
      void: false,
      refund: true,
      retry: false,
      chargeback: false,
      partialCapture: true,
      partialRefund: false,
    })
    const sale = await detailsOf(demo, (await shop.sale()).body.trans_id)
    assert.deepEqual(
      [sale.offers.capture, sale.offers.void, sale.offers.refund, sale.offers.chargeback, sale.offers.partialRefund],
      [false, true, true, true, true],
    )
  })

  test('a declined payment offers nothing', async () => {
    const { offers } = await detailsOf(demo, (await shop.sale({ card_exp_month: '02' })).body.trans_id)
    assert.ok([offers.capture, offers.void, offers.refund, offers.retry, offers.chargeback].every((one) => !one))
  })
})

test('the attempts of a cascade stand beside each of them, with the names of their MIDs', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, merchant, { 1: softDeclines })
  const order_id = randomUUID()
  const { body } = await shop.sale({ order_id }, { merchant })
  await shop.clearScenario()
  const { attempts, payment } = await detailsOf(await merchantId(shop, merchant), body.trans_id)
  assert.deepEqual(
    attempts.map(({ attempt, status }: { attempt: number; status: string }) => `${attempt} ${status}`),
    ['1 DECLINED', '2 SETTLED'],
  )
  assert.deepEqual([payment.attempt, payment.midName], [2, attempts[1].midName])
  assert.ok(attempts[0].midName !== attempts[1].midName)
})

describe('the callback log', () => {
  test('shows all merchants to those who have all, and one’s own to the others', async () => {
    await shop.sale()
    await shop.sale({}, { merchant: 'demo-dms' })
    await shop.service.awaitIdle()
    const merchantsOf = ({ callbacks }: { callbacks: readonly { merchantId: string }[] }) =>
      new Set(callbacks.map((one) => one.merchantId))
    const all = (await owner.get('/callbacks')).body
    assert.ok(merchantsOf(all).has(demo) && merchantsOf(all).has(other))
    assert.deepEqual([...merchantsOf((await viewer.get('/callbacks')).body)], [demo])
    assert.deepEqual((await viewer.get(`/callbacks?merchantId=${other}`)).body.callbacks, [])
  })

  test('goes back page by page without losing or repeating one', async () => {
    const ids = ({ callbacks }: { callbacks: readonly { id: string }[] }) => callbacks.map(({ id }) => id)
    const whole = ids((await owner.get('/callbacks?limit=200')).body)
    const first = ids((await owner.get('/callbacks?limit=2')).body)
    const rest = ids((await owner.get(`/callbacks?limit=200&before=${first[1]}`)).body)
    assert.deepEqual([...first, ...rest], whole)
    assert.deepEqual(whole, whole.toSorted().toReversed())
  })

  test('is narrowed by state, payment and time', async () => {
    const { trans_id } = (await shop.sale()).body
    await shop.service.awaitIdle()
    const found = async (query: string) => (await owner.get(`/callbacks?paymentId=${trans_id}&${query}`)).body.callbacks
    const [callback] = await found('state=delivered')
    assert.equal(callback.paymentId, trans_id)
    assert.equal(callback.attempts[0].acknowledged, true)
    assert.deepEqual(await found('state=failed'), [])
    const at = encodeURIComponent(callback.createdAt)
    assert.equal((await found(`from=${at}`)).length, 1)
    assert.deepEqual(await found(`to=${at}`), [])
  })
})

test('a refused token is found by its order, with the check that refused it, by those of its merchant alone', async () => {
  const device = await enableWallet(shop, { wallet: 'walletapay' })
  const order_id = randomUUID()
  await device.pay({ fault: 'wrong-amount' }, { order_id })
  const [token] = (await owner.get(`/refused-tokens?orderId=${order_id}`)).body.tokens
  assert.equal(token.merchantId, demo)
  assert.deepEqual(
    token.record.checks
      .filter((one: { result: string }) => one.result === 'failed')
      .map((one: { name: string }) => one.name),
    ['amount'],
  )
  assert.equal((await viewer.get(`/refused-tokens?orderId=${order_id}`)).body.tokens.length, 1)
  const stranger = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
  assert.deepEqual((await stranger.get(`/refused-tokens?orderId=${order_id}`)).body.tokens, [])
})

test('holds of one side are listed, added up and captured without those of the other', async () => {
  const live = (await shop.sale({ auth: 'Y', order_currency: 'USD' })).body.trans_id
  const tried = (await shop.sale({ auth: 'Y', order_currency: 'USD' }, { mode: 'test' })).body.trans_id
  const ids = (body: { holds: readonly { id: string }[] }) => body.holds.map(({ id }) => id)
  assert.deepEqual(ids((await owner.get('/captures?currency=USD&test=true')).body), [tried])
  assert.deepEqual(ids((await owner.get('/captures?currency=USD&test=false')).body), [live])
  const { body } = await owner.post('/captures/work', { filter: { currency: 'USD', test: 'true' } })
  assert.equal(body.total, '1')
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await owner.get(`/work/${body.id}`)).body.state !== 'running') break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.deepEqual(ids((await owner.get('/captures?currency=USD')).body), [live])
})

describe('refused requests', () => {
  test('are explained to those who have the merchant, by mode, order and request', async () => {
    const { password } = shop.merchant('demo')
    const sent = await shop.sale({ order_id: 'EXPLAINED', hash: 'x' }, { mode: 'test' })
    const elsewhere = await shop.sale({ order_id: 'EXPLAINED', hash: 'x' }, { merchant: 'demo-dms', mode: 'test' })
    await shop.service.awaitIdle()
    const found = (await viewer.get('/refused-requests?orderId=EXPLAINED&mode=test')).body.requests
    assert.deepEqual(
      found.map(({ requestId }: { requestId: string }) => requestId),
      [sent.headers.get('x-request-id')],
    )
    const [{ checks, refusal }] = found
    assert.equal(checks.find(({ result }: { result: string }) => result === 'refused').step, 'hash')
    assert.equal(refusal.hash.text, 'MOC.ELPMAXE@**D********1111******')
    assert.ok(!JSON.stringify(found).includes(password))
    const requestId = elsewhere.headers.get('x-request-id')
    assert.deepEqual((await viewer.get(`/refused-requests?requestId=${requestId}`)).body.requests, [])
    assert.equal((await owner.get(`/refused-requests?requestId=${requestId}`)).body.requests.length, 1)
    assert.deepEqual((await owner.get(`/refused-requests?orderId=EXPLAINED&mode=live`)).body.requests, [])
  })

  test('come page by page', async () => {
    for (const order_amount of ['a', 'b', 'c']) await shop.sale({ order_id: 'PAGED', order_amount })
    await shop.service.awaitIdle()
    const idsOf = async (more: string): Promise<readonly string[]> =>
      (await owner.get(`/refused-requests?orderId=PAGED${more}`)).body.requests.map(({ id }: { id: string }) => id)
    const all = await idsOf('')
    const first = await idsOf('&limit=2')
    assert.deepEqual([...first, ...(await idsOf(`&limit=2&before=${first.at(-1)}`))], all)
    assert.equal(all.length, 3)
  })
})
