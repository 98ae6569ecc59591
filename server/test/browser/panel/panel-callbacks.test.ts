/** The callback log in the panel: one mode at a time, with the order, and the current state of resent callbacks. Chapter 50 §8. */
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
  await shop.service.idle()
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
  await shop.service.idle()
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
  await shop.service.idle()
  await page.getByRole('dialog').locator('dl').first().getByText('delivered', { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('delivered', { exact: false }).waitFor()
})
