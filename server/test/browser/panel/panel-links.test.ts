/** Payment links, reviews and bank accounts in the panel, as support and finance use them. Chapter 70 §3, §7, §8. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'
import { publishRules } from '../../rules.ts'

let scene: PanelScene
let finance: Seat
before(async () => {
  scene = await panelScene()
  finance = await scene.seat({ role: 'finance' })
})
after(() => scene.close())

test('a link is created after its fault was shown, shared by address and QR code, and cancelled', async () => {
  const { page, open } = finance
  await open('/payment-links')
  await page.getByText('No payment links.').waitFor()
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Merchant').selectOption(await merchantId(scene.shop, 'demo'))
  await dialog.getByLabel('Amount').fill('abc')
  await dialog.getByLabel('Description').fill('Invoice 118')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Enter an amount such as 10.00.').waitFor()
  await checkState(page, 'payment-link-create')
  await dialog.getByLabel('Amount').fill('49.90')
  await dialog.getByLabel('Language').selectOption({ label: 'German' })
  await dialog.getByLabel('Metadata').fill('customer=42')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor()
  for (const row of ['Language\nGerman', 'customer\n42']) assert.ok((await dialog.innerText()).includes(row), row)
  await checkState(page, 'payment-link-share')
  const url = await dialog.locator('.copyable code').first().innerText()
  assert.equal((await fetch(url)).status, 200)
  await dialog.getByRole('button', { name: 'Cancel link' }).click()
  await page.getByRole('dialog', { name: 'Cancel link?' }).getByRole('button', { name: 'Cancel link' }).click()
  await page.getByText('Payment link cancelled.').waitFor()
  assert.equal((await fetch(url)).status, 410)
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('row', { name: 'Invoice 118' }).getByText('Cancelled').waitFor()
  await checkState(page, 'payment-links')
})

test('a payment in review is accepted with a reason', async () => {
  const merchant = await openAccount(scene.shop)
  const conditions = [{ kind: 'payer-country', values: ['KP'] }]
  const action = { kind: 'review', reason: 'Unusual country' }
  await publishRules(scene.shop, merchant, { name: 'odd', conditions, action })
  await scene.shop.sale({ payer_country: 'KP', order_id: 'ODD-1' }, { merchant })
  const { page, open } = finance
  await open('/reviews')
  await page.getByRole('row', { name: 'ODD-1' }).getByText('Unusual country').waitFor()
  await checkState(page, 'reviews')
  await page.getByRole('button', { name: 'Accept' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The payer was called.')
  await checkState(page, 'review-accept')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Payment accepted.').waitFor()
  await page.getByText('No live payments are in review.').waitFor()
})

test('without a choice prices and bank accounts are those of the merchant that the filter names', async () => {
  const { page, open } = finance
  await open('/price-lists')
  await page.getByText('No fees are charged to this merchant.').waitFor()
  const chosen = page.getByLabel('Merchant', { exact: true })
  assert.ok(!(await chosen.locator('option').allTextContents()).includes('Any'))
  assert.notEqual(await chosen.inputValue(), '')
})

test('a changed bank account shows the second person what it replaces', async () => {
  const { page, open } = finance
  const demo = await merchantId(scene.shop, 'demo')
  await open(`/price-lists?merchantId=${demo}&tab=banks`)
  await page.getByRole('button', { name: 'Change bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Holder').fill('Demo Ltd')
  await dialog.getByLabel('IBAN or account number').fill('DE89370400440532013000')
  await dialog.getByLabel('Reason').fill('By signed letter of 1 March.')
  await checkState(page, 'bank-account-change')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('Change requested. A second person approves it under Approvals.').waitFor()
  const colleague = await scene.seat({ role: 'finance' })
  await colleague.open('/approvals')
  await colleague.page.getByRole('row', { name: 'Change a merchant’s bank account' }).getByRole('button').click()
  await colleague.page.getByText('DE89 3704 0044 0532 0130 00').waitFor()
  await colleague.page.getByText('No account yet').waitFor()
  await checkState(colleague.page, 'bank-account-approval')
})

test('a card is charged at the virtual terminal: its fault is shown, a declined card is replaced, and the result leads to the payment', async () => {
  const { page, open } = await scene.seat({ role: 'support' })
  await open('/terminal')
  await page.getByLabel('Merchant').selectOption(await merchantId(scene.shop, 'demo'))
  await page.getByLabel('Amount').fill('abc')
  await page.getByLabel('Description').fill('Boots, size 42')
  await page.getByLabel('Name', { exact: true }).fill('Jane Roe')
  await page.getByRole('button', { name: 'Continue to card' }).click()
  await page.getByText('Enter an amount such as 10.00.').waitFor()
  await page.getByLabel('Amount').fill('1,279.23')
  await page.getByRole('button', { name: 'Continue to card' }).click()
  const charge = page.getByRole('button', { name: 'Charge', exact: true })
  await charge.click()
  await page.getByRole('alert').filter({ hasText: 'card number' }).waitFor()
  await checkState(page, 'terminal-card')
  const typeCard = async (expiry: string): Promise<void> => {
    await page.locator('#terminal-card').frameLocator('iframe').locator('input').fill('4111111111111111')
    await page.locator('#terminal-expiry').frameLocator('iframe').locator('input').fill(expiry)
    await charge.click()
  }
  await typeCard('02/38')
  await page.getByText('Declined: Declined by processing. Try another card.').waitFor()
  await typeCard('01/38')
  await page.getByText('Paid.').waitFor()
  await page.getByText('•••• 1111').waitFor()
  await checkPage(page, 'terminal-result')
  await page.locator('a[href*="/payments/"]').last().click()
  await page.getByRole('heading', { name: /^Order MOTO-/ }).waitFor()
})
