/** Brands, connectors, schedules and the wallet simulator in the panel, as an operator uses them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  checkPage,
  checkState,
  type PanelScene,
  panelScene,
  type Seat,
  waitUntilLoaded,
} from '../../panel/panel-scene.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

let scene: PanelScene
let operator: Seat
let merchantId: string
before(async () => {
  scene = await panelScene()
  operator = await scene.seat({ role: 'owner' })
  merchantId = (await operator.client.get('/merchants')).body.merchants[0].id
})
after(() => scene.close())

test('a brand is switched off, found by its state, and switched on again', async () => {
  const { page, open } = operator
  await open('/brands?kind=redirect')
  const row = page.getByRole('row').nth(1)
  const code = await row.locator('.mono').first().innerText()
  await row.getByRole('button', { name: 'Disable' }).click()
  await page.getByText(`${code} disabled`).waitFor()
  await page.getByLabel('State').selectOption('disabled')
  await page.getByRole('row', { name: code }).getByRole('button', { name: 'Enable' }).click()
  await page.getByText(`${code} enabled.`).waitFor()
  const { body } = await operator.client.get(`/brands/${code}`)
  assert.equal(body.enabled, true)
  await checkState(page, 'brands')
})

test('the record of an operator’s own brand is validated while it is typed, and saved', async () => {
  const { page, open } = operator
  await open('/brands/new')
  const record = page.getByLabel('Record in JSON')
  const text = await record.inputValue()
  await record.fill(text.replace('"redirect"', '"nothing"'))
  await page.getByText('kind', { exact: true }).waitFor()
  await checkState(page, 'brand-new')
  await record.fill(text.replace('my-brand', 'lamp-pay').replace('My brand', 'Lamp Pay'))
  await page.getByRole('button', { name: 'Create brand' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lamp Pay' }).waitFor()
  await waitUntilLoaded(page)
  await checkState(page, 'brand')
  const { body } = await operator.client.get('/brands/lamp-pay')
  assert.equal(body.record.built_in, false)
})

test('a connector shows its capabilities and the fields of its credentials', async () => {
  const { page, open } = operator
  await open('/connectors')
  const adyen = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Adyen' }) })
  await adyen.getByText('Partial capture', { exact: true }).waitFor()
  await adyen.getByText('repeated under its idempotency key').waitFor()
  await checkState(page, 'connectors')
})

test('a connector of the family is found by its name, says what it needs, and is offered for no new MID without it', async () => {
  const { page, open } = operator
  await open('/connectors')
  await page.getByLabel('Search').fill('authorize.net')
  await page.getByText(/^1 of \d+ connectors$/).waitFor()
  const member = page.locator('details').filter({ hasText: 'prism-authorizedotnet' })
  await member.getByText('decided by an operator').waitFor()
  await page.getByText('gatehouse connectors add prism').waitFor()
  assert.equal(await page.getByRole('link', { name: 'New MID' }).count(), 0)
  await checkState(page, 'connectors-found')
  await page.getByLabel('Search').fill('no such acquirer')
  await page.getByText('No connector has this name.').waitFor()
  await open('/mids/new?connector=prism-authorizedotnet')
  const offered = await page.getByLabel('Connector').locator('option').allInnerTexts()
  assert.ok(offered.includes('Adyen'))
  assert.deepEqual(
    offered.filter((title) => /Authorize/.test(title)),
    [],
  )
})

test('a schedule is created, its plan is in the calendar, and a pause removes it', async () => {
  const { page, open } = operator
  await open(`/schedules?tab=schedules&merchantId=${merchantId}`)
  await page.getByRole('button', { name: 'New schedule' }).click()
  await page.getByLabel('Name').fill('Every day')
  await page.getByLabel('Unit', { exact: true }).selectOption('day')
  await page.getByLabel('Number of payments').fill('5')
  await checkState(page, 'schedule-new')
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByText('Schedule Every day created.').waitFor()
  const { body } = await operator.client.get(`/merchants/${merchantId}/schedules`)
  const { id } = body.schedules[0]
  const sale = await scene.shop.sale({ recurring_init: 'Y', schedule_id: id })
  assert.equal(sale.body.result, 'SUCCESS')

  await open(`/schedules?merchantId=${merchantId}`)
  const charge = page.getByRole('button', { name: /1 charge/ })
  await charge.first().waitFor()
  await charge.first().click()
  await page.getByRole('cell', { name: 'Every day' }).waitFor()
  await checkPage(page, 'calendar')
  await page.getByRole('tab', { name: 'Plans' }).click()
  await page.getByText('running', { exact: true }).waitFor()
  await checkPage(page, 'subscriptions')
  await page.getByRole('tab', { name: 'Schedules', exact: true }).click()
  await checkState(page, 'schedules')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused. Nothing is charged').waitFor()
  await page.getByRole('tab', { name: 'Calendar' }).click()
  await waitUntilLoaded(page)
  assert.equal(await charge.count(), 0)
})

test('a token is minted for a merchant and pays; a faulty one shows which check finds it', async () => {
  const device = await enableWallet(scene.shop, { wallet: 'walletapay' })
  const { page, open } = operator
  await open('/simulator')
  await page.getByLabel('Merchant').selectOption(merchantId)
  await page.getByLabel('Fault').selectOption('data-flip')
  await page.getByText('Detected by A9; answer 250003.').waitFor()
  await page.getByLabel('Fault').selectOption('')
  await page.getByLabel('Amount').fill('10.00')
  await page.getByLabel('Currency').fill('EUR')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByLabel('Token', { exact: true }).innerText()
  await checkState(page, 'simulator')
  assert.equal((await device.sale(token)).body.result, 'SUCCESS')
})

test('a MID is created with the credentials of its connector, limited, and taken out of routing manually', async () => {
  const { page, open } = operator
  await open('/mids/new?connector=sandbox')
  await page.getByLabel('Name').fill('second-acquirer')
  await page.getByLabel('MID', { exact: true }).fill('m-2')
  await page.getByLabel('Base URL').fill('not an address')
  await page.getByRole('button', { name: 'Create MID' }).click()
  await page.getByRole('alert').waitFor()
  await checkState(page, 'mid-new')
  await page.getByLabel('Base URL').fill(scene.shop.sandbox.url)
  await page.getByRole('button', { name: 'Create MID' }).click()
  await page.getByText('MID second-acquirer created.').waitFor()
  await page.getByLabel('Payments per day').fill('3')
  await page.getByRole('button', { name: 'Add amount limit' }).click()
  await page.getByLabel('Currency', { exact: true }).fill('eur')
  await page.getByLabel('Amount per day').fill('12.345')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('"12.345" is not an amount in EUR.').waitFor()
  await checkState(page, 'mid-limits')
  await page.getByLabel('Amount per day').fill('1,000.50')
  await page.getByLabel('Payment mode').selectOption('DMS')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('MID second-acquirer saved.').waitFor()
  await checkPage(page, 'mid-settings')
  await page.getByRole('tab', { name: 'Health' }).click()
  await page.getByRole('button', { name: 'Block payments' }).click()
  await checkState(page, 'mid-question')
  await page.getByRole('dialog').getByRole('button', { name: 'Block payments' }).click()
  await page.getByText('(manual)').waitFor()
  await checkPage(page, 'mid-health')
  const { body } = await operator.client.get('/mids')
  const mid = body.mids.find(({ name }: { name: string }) => name === 'second-acquirer')
  assert.deepEqual([mid.dayLimit, mid.paymentMode], [{ amounts: { EUR: '100050' }, count: 3 }, 'DMS'])
  await open('/mids')
  await page.getByRole('row', { name: 'second-acquirer' }).getByText('failing').waitFor()
  await checkState(page, 'mids')
})
