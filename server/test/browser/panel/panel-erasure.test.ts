/** Erasing a payer in the panel: from a payment, after a preview of what is removed and what stays. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId } from '../../panel/admin.ts'
import { checkState, type PanelScene, panelScene } from '../../panel/panel-scene.ts'

let scene: PanelScene
before(async () => {
  scene = await panelScene()
})
after(() => scene.close())

test('the preview shows what is removed and what stays; after the erasure the payment says so', async () => {
  const { shop } = scene
  const email = 'ann@example.com'
  const { trans_id } = (await shop.sale({ payer_email: email, payer_last_name: 'Quill' })).body
  const hold = (await shop.sale({ payer_email: email, auth: 'Y' })).body.trans_id
  await shop.service.awaitIdle()
  const demo = await merchantId(shop, 'demo')
  const { page, open } = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })

  await open(`/merchants/${demo}/payments/${trans_id}?tab=payer`)
  await page.getByText('Quill').waitFor()
  await page.getByRole('button', { name: 'Erase payer data' }).click()
  await page.getByText(`payment ${hold}: The hold is neither captured nor released.`).waitFor()
  await checkState(page, 'payment-erase-payer')
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await page.getByText('Payer data erased on').waitFor()
  const display = await page.evaluate(`getComputedStyle(document.querySelector('main .notice')).display`)
  assert.equal(display, 'block', 'pieces of a sentence are no items with gaps')
  assert.equal(await page.getByText('Quill').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Erase payer data' }).count(), 0)
  await checkState(page, 'payment-erased')
  await page.getByRole('tab', { name: 'Callbacks' }).click()
  await page.getByText('The callbacks were erased with the payer’s data.').waitFor()
  assert.equal(await page.getByText('No callbacks.').count(), 0)
})

test('the card number is offered until it is erased', async () => {
  const demo = await merchantId(scene.shop, 'demo')
  const sale = async (): Promise<string> => (await scene.shop.sale({ payer_email: 'cid@example.com' })).body.trans_id
  const [kept, erased] = [await sale(), await sale()]
  await scene.shop.service.awaitIdle()
  await scene.shop.base.pool.query('update payments set erased_at = now() where id = $1', [erased])
  const { page, open } = await scene.seat({ role: 'owner' })
  for (const [id, offers] of [
    [kept, 1],
    [erased, 0],
  ] as const) {
    await open(`/merchants/${demo}/payments/${id}?tab=method`)
    await page.getByText('Source').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show number' }).count(), offers)
  }
})

test('a user without the permission has no button to erase', async () => {
  const { trans_id } = (await scene.shop.sale({ payer_email: 'bob@example.com' })).body
  const demo = await merchantId(scene.shop, 'demo')
  const { page, open } = await scene.seat({ role: 'support' })
  await open(`/merchants/${demo}/payments/${trans_id}?tab=payer`)
  await page.getByText('bob@example.com').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Erase payer data' }).count(), 0)
})
