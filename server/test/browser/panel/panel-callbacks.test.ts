/**
 * The callback log in the panel: one mode at a time, with the order, and the current state of resent callbacks. Chapter 50 §8. And the page
 * of the merchant's developer, which contains it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId } from '../../panel/admin.ts'
import { type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'

let scene: PanelScene
let support: Seat
let demo: string
before(async () => {
  scene = await panelScene()
  support = await scene.seat({ role: 'support' })
  demo = await merchantId(scene.shop, 'demo')
})
after(() => scene.close())

test('the log shows one mode, and its orders link to their payments', async () => {
  const { shop } = scene
  const live = (await shop.sale({ order_id: 'LIVE-1' })).body.trans_id
  await shop.sale({ order_id: 'TEST-1' }, { mode: 'test' })
  await shop.service.awaitIdle()
  const { page, open } = support
  await open(`/callbacks?merchantId=${demo}`)
  await page.getByRole('link', { name: 'LIVE-1' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'TEST-1' }).count(), 0)
  const target = await page.getByRole('link', { name: 'LIVE-1' }).getAttribute('href')
  assert.match(target ?? '', new RegExp(`/merchants/${demo}/payments/${live}$`))
})

test('a callback that is sent again shows its new state without a reload', async () => {
  const { shop } = scene
  const { trans_id } = (await shop.sale({ order_id: 'AGAIN-1' })).body
  await shop.service.awaitIdle()
  await shop.base.pool.query(
    `update callbacks set state = 'failed', ended_at = now(), next_at = null where payment_id = $1`,
    [trans_id],
  )
  const { page, open } = support
  await open(`/callbacks?merchantId=${demo}&state=failed`)
  const row = page.getByRole('row').filter({ hasText: 'AGAIN-1' })
  await row.getByText('failed', { exact: false }).waitFor()
  await row.getByRole('button', { name: 'View' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await page.getByText('The callback is being sent again').waitFor()
  await shop.service.awaitIdle()
  await page.getByRole('dialog').locator('dl').first().getByText('delivered', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('delivered', { exact: false }).waitFor()
})

test('a long order number is cut, and the actions of its row stay in view', async () => {
  const { shop } = scene
  const order = `LONG-${'0123456789'.repeat(20)}`
  await shop.sale({ order_id: order })
  await shop.service.awaitIdle()
  const { page, open } = support
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(`/callbacks?merchantId=${demo}`)
  const row = page.getByRole('row').filter({ hasText: 'LONG-0123' })
  const box = await row.getByRole('button', { name: 'View' }).boundingBox()
  assert.ok(box !== null && box.x + box.width <= 1440, JSON.stringify(box))
  assert.equal(await row.getByTitle(order).count(), 1)

  await page.setViewportSize({ width: 1280, height: 900 })
  const [created, actions] = await Promise.all(
    ['Created', 'Actions'].map((title) => row.locator(`td[data-title=${title}]`).boundingBox()),
  )
  assert.ok(created && actions && created.x + created.width <= actions.x, JSON.stringify([created, actions]))
})

test('a page that a user may not use is not in the navigation, and roles that the user may not grant are not offered', async () => {
  const finance = await scene.seat({ role: 'finance' })
  await finance.open('/payments')
  await finance.page.getByRole('link', { name: 'Transactions' }).waitFor()
  assert.equal(await finance.page.getByRole('link', { name: 'Wallet simulator' }).count(), 0)
  const admin = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
  await admin.open('/users')
  await admin.page.getByRole('button', { name: 'New user' }).click()
  const roles = admin.page.getByRole('dialog').getByLabel('Role')
  await roles.locator('option', { hasText: 'merchant-viewer' }).waitFor({ state: 'attached' })
  const offered = await roles.locator('option').allInnerTexts()
  assert.deepEqual(offered.toSorted(), ['Select a role', 'merchant-admin', 'merchant-viewer'])
})

test("the merchant's developer sees why a request was refused, its callbacks to resend, test cards and keys", async () => {
  const { shop } = scene
  const { key, test_key, password } = shop.merchant()
  const refused = await shop.sale({ order_id: 'WRONG-HASH', hash: '0'.repeat(32) })
  assert.equal(refused.http, 400)
  const { trans_id } = (await shop.sale({ order_id: 'DEVELOPER-1' })).body
  await shop.service.awaitIdle()
  const { page, open } = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })

  await open('/integration')
  const row = page.getByRole('row').filter({ hasText: 'WRONG-HASH' })
  await row.getByText('Hash is not valid', { exact: false }).waitFor()
  await row.getByRole('button', { name: 'Explain' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Text before the digest').waitFor()
  const explained = (await drawer.textContent()) ?? ''
  assert.match(explained, /SALE[\s\S]*WRONG-HASH[\s\S]*HTTP 400[\s\S]*\*{3,}[\s\S]*The hash is correct/)
  for (const secret of [password, password.toUpperCase(), '4111111111111111'])
    assert.ok(!explained.includes(secret), explained)
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Callbacks' }).click()
  const callback = page.getByRole('row').filter({ hasText: 'DEVELOPER-1' })
  await callback.getByRole('button', { name: 'View' }).click()
  await drawer.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('The callback is being sent again').waitFor()
  await shop.service.awaitIdle()
  assert.equal((await shop.callbacks(trans_id)).length, 2)
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Test cards' }).click()
  await page.getByText('05/2038', { exact: false }).first().waitFor()
  await page.getByRole('tab', { name: 'Keys' }).click()
  for (const text of [key, test_key]) await page.getByText(text).waitFor()
  assert.ok(!((await page.locator('main').textContent()) ?? '').includes(password))
})
