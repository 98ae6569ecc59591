/** Chapter 50 §4: the circuit breaker, visible and within an operator's reach. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

const merchant = 'demo-routing'
const north = 'sandbox-north-live'

let shop: Shop
let owner: PanelClient
let midId: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  const { mids } = (await owner.get('/mids')).body
  midId = mids.find(({ name }: { name: string }) => name === north).id
})
after(() => shop[Symbol.asyncDispose]())

const health = async () => {
  await shop.service.midHealth.share()
  return (await owner.get(`/mids/${midId}/health`)).body
}

test('payments show as approval rates by cell', async () => {
  for (let sale = 0; sale < 3; sale += 1) await shop.sale({}, { merchant })
  await shop.scenario({ mid: north, approval_percent: 0 })
  await shop.sale({}, { merchant })
  await shop.clearScenario()
  const { health: state, since, approval, exchanges } = await health()
  const rate = { approved: 3, declined: 1, rate: 0.75 }
  assert.deepEqual([state, since], ['closed', null])
  assert.deepEqual(approval, { ...rate, cells: [{ network: 'visa', country: null, currency: 'EUR', ...rate }] })
  assert.deepEqual(exchanges, { attempts: 4, failed: 0, failureRate: 0 })
})

test('a MID that fails shows as open, since when, and how much of it failed', async () => {
  await shop.scenario({ mid: north, down: true })
  await Promise.all(Array.from({ length: limits.breaker.attempts }, () => shop.sale({}, { merchant })))
  const { health: state, since, override, exchanges } = await health()
  assert.deepEqual([state, override], ['open', null])
  assert.ok(Math.abs(Date.parse(since) - shop.base.clock.now().getTime()) < 10_000)
  assert.ok(exchanges.failureRate > 0.5 && exchanges.failed >= limits.breaker.attempts / 2)
  const { mids } = (await owner.get('/mid-health?minutes=5')).body
  assert.equal(mids.find(({ name }: { name: string }) => name === north).health, 'open')
})

test('an operator closes it again, and the audit log has it', async () => {
  await shop.clearScenario()
  const answer = await owner.send('PUT', `/mids/${midId}/health`, { override: null })
  assert.deepEqual([answer.http, answer.body.health], [200, 'closed'])
  const [entry] = (await owner.get('/audit?action=mid.health&limit=1')).body.entries
  assert.deepEqual(JSON.parse(entry.before), { health: 'open', hand: null })
  assert.deepEqual(JSON.parse(entry.after), { health: 'closed', hand: null })
  await shop.service.midHealth.share()
  assert.equal(shop.service.midHealth.admits(midId), true)
})

test('what is no state of a breaker, no MID or no window is refused', async () => {
  assert.equal((await owner.send('PUT', `/mids/${midId}/health`, { override: 'half-open' })).http, 422)
  assert.equal((await owner.get(`/mids/${crypto.randomUUID()}/health`)).http, 404)
  assert.equal((await owner.get('/mid-health?minutes=0')).http, 422)
})

test('the check of credentials reports the acquirer’s answer, and the MID has an address for notifications', async () => {
  const credentials = { secret_key: 'sk_test_1', base_url: 'http://127.0.0.1:9' }
  const created = await owner.send('POST', '/mids', { name: 'checked', connector: 'stripe', mode: 'test', credentials })
  const { body } = await owner.send('POST', `/mids/${created.body.id}/check`, {})
  assert.deepEqual([body.kind, body.field], ['no-answer', null])
  assert.match(body.text, /^The credentials could not be checked\. Stripe could not be reached\.$/)
  const { notificationUrl } = (await owner.get(`/mids/${created.body.id}`)).body
  assert.match(notificationUrl, /^http:\/\/[^/]+\/acquirers\/checked\/notifications$/)
  assert.equal((await owner.get(`/mids/${midId}`)).body.notificationUrl, null, 'the sandbox sends none')
  assert.equal((await owner.send('POST', `/mids/${crypto.randomUUID()}/check`, {})).http, 404)
})
