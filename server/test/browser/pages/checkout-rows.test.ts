/** Rows of chapter 30 §7 that only a browser can show: texts, visibility, and input that stays. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bankMethod, cardMethod, checkoutScene } from '../../pages/checkout-scene.ts'
import { openBrowser } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'

const browser = await openBrowser()
const tabs = tabsOf(browser)
const scenes: { stop(): Promise<void> }[] = []
after(() => browser.close())
afterEach(async () => {
  await tabs.clear()
  for (const scene of scenes.splice(0)) await scene.stop()
})

async function sceneOf(session: object = {}) {
  const scene = await checkoutScene(session)
  scenes.push(scene)
  return scene
}

async function show(session: object = {}): Promise<Page> {
  const page = await tabs.open()
  await page.goto((await sceneOf(session)).url)
  return page
}

const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel payment' })

test('if no method works on this device, the page says so and can still be closed', async () => {
  const page = await show({ methods: [{ ...bankMethod, code: 'walletapay', kind: 'wallet' }] })
  await page.getByRole('heading', { name: 'No payment method works on this device' }).waitFor()
  await cancel(page).waitFor()
})

test('without a return address the page cannot be closed', async () => {
  const page = await show({ cancel_url: null })
  await page.getByLabel('Card number').waitFor()
  assert.equal(await cancel(page).count(), 0)
})

test('autofill: a card asks for the cardholder’s name, a bank method for the payer’s name', async () => {
  const nameField = { name: 'customer.name', type: 'name', required: true }
  const page = await show({ methods: [cardMethod, { ...bankMethod, fields: [nameField] }] })
  assert.equal(await page.getByLabel('Name on card').getAttribute('autocomplete'), 'cc-name')
  await page.getByLabel('Bank transfer').check()
  assert.equal(await page.getByLabel('First and last name').getAttribute('autocomplete'), 'name')
})

const texts: readonly (readonly [string, object, string])[] = [
  ['a purchase', {}, 'Pay 49.90 EUR'],
  ['a hold', { auth: true }, 'Authorise 49.90 EUR'],
  ['a payout', { operation: 'credit' }, 'Receive 49.90 EUR'],
]
for (const [what, session, text] of texts) {
  test(`the button of ${what} names the action and the amount`, async () => {
    const page = await show(session)
    await page.getByRole('button', { name: text }).waitFor()
  })
}

test('a MOTO session says so, and the security code may stay empty', async () => {
  const fields = cardMethod.fields.map((field) => ({ ...field, required: Reflect.get(field, 'name') !== 'card.cvv' }))
  const page = await show({ moto: true, methods: [{ ...cardMethod, fields }] })
  await page.getByText('Telephone or mail order').waitFor()
  assert.equal(await page.getByLabel(/Security code/).getAttribute('required'), null)
})

test('a press on Pay counts even if the field it leaves is invalid, and all faults are listed', async () => {
  const page = await show()
  await page.getByLabel('Card number').pressSequentially('4111111111111112')
  await page.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
  await page.locator('#field-card-number:focus').waitFor()
  for (const text of ['Invalid card number', 'The expiration date is not valid', 'Enter first and last name'])
    assert.equal(await page.locator('.error', { hasText: text }).count(), 1)
  // By the label of the field.
  await page.getByRole('link', { name: 'Name on card: Enter first and last name' }).waitFor()
})

test('the last input is part of the attempt, and a phone’s keyboard closes while it is sent', async () => {
  const scene = await sceneOf()
  scene.answer('payment', 'never')
  const page = await tabs.open()
  await page.goto(scene.url)
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Jane Roe')
  await page.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
  await page.getByText('Processing').first().waitFor()
  assert.equal(await page.locator('input:focus').count(), 0)
  assert.equal(scene.calls.find(({ path }) => path === 'payment')?.body.customer?.name, 'Jane Roe')
})
