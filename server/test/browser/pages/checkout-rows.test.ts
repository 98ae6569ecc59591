/** Rows of chapter 30 §7 that only a browser can show: texts, visibility, and input that stays. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { languages } from '#domain/place/language.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { bankMethod, cardMethod, checkoutScene, everythingMethod } from '../../pages/checkout-scene.ts'
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

const pay = (page: Page) => page.getByRole('button', { name: /^Pay/ })
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
  ['a purchase', {}, 'Pay €49.90'],
  ['a hold', { auth: true }, 'Authorise €49.90'],
  ['a payout', { operation: 'credit' }, 'Receive €49.90'],
]
// `checkout-states.test.ts` has the text of each; here it is the button's accessible name.
for (const [what, session, text] of isFullRun ? texts : texts.slice(0, 1)) {
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

test('a press on Pay counts even if the field it leaves is invalid, and every field says what to do, once', async () => {
  const page = await show()
  await page.getByRole('heading', { name: 'Card details' }).waitFor()
  await page.getByLabel('Card number').pressSequentially('4111111111111112')
  await pay(page).click()
  await page.locator('#field-card-number:focus').waitFor()
  assert.deepEqual(await page.locator('.error').allTextContents(), [
    'Check the card number: a digit is wrong',
    'Enter the expiry date',
    'Enter the security code',
    'Enter your name',
  ])
  assert.equal(await page.locator('.notice').count(), 0)
})

test('a long form lists its faults, each with a link by the label of its field', async () => {
  const page = await show({ methods: [everythingMethod] })
  await page.getByRole('heading', { name: everythingMethod.title }).waitFor()
  await pay(page).click()
  await page.getByRole('link', { name: 'E-mail: Enter a valid e-mail' }).waitFor()
})

test('a month that does not exist is refused while it is typed', async () => {
  const page = await show()
  await page.getByLabel('Expiry date').pressSequentially('13')
  assert.equal(await page.locator('.error').textContent(), 'Enter a month from 01 to 12')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('2')
  assert.equal(await page.locator('.error').count(), 0)
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12/')
})

test('the number field shows the accepted networks while it is empty, then that of the number, and its length', async () => {
  const page = await show({ methods: [{ ...cardMethod, marks: { amex: '/web/own-amex.svg' } }] })
  const number = page.getByLabel('Card number')
  await page.getByRole('img', { name: 'Visa, Mastercard, Amex' }).waitFor()
  assert.equal(await number.getAttribute('placeholder'), '1234 1234 1234 1234')
  await number.fill('60')
  assert.equal(await page.locator('.mark').count(), 0)
  await number.fill('3782')
  assert.equal(await page.getByRole('img', { name: 'Amex', exact: true }).getAttribute('src'), '/web/own-amex.svg')
  await page.getByText('4 digits on the front').waitFor()
  await number.fill('6011')
  await page.locator('.unserved').getByRole('img', { name: 'Discover' }).waitFor()
  await number.fill('')
  await page.getByLabel('Card number').pressSequentially('5555555555554444999')
  assert.equal(await page.getByLabel('Card number').inputValue(), '5555 5555 5555 4444')
  await page.getByRole('img', { name: 'Mastercard', exact: true }).waitFor()
})

test('the page says that data is encrypted only where it is', async () => {
  const scene = await sceneOf()
  const page = await tabs.open()
  await page.goto(scene.url)
  await pay(page).waitFor()
  assert.equal(await page.getByText('Your data is sent encrypted.').count(), 0)
  await page.route('https://pay.example.com/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname + search, scene.url).href }) })
  })
  await page.goto('https://pay.example.com/auth/token')
  await page.getByText('Your data is sent encrypted.').waitFor()
})

test('a description of 1024 characters leaves the form in view, and can be opened', async () => {
  const description = 'Running shoes and socks, '.repeat(41).slice(0, 1024)
  const order = { number: 'ORDER-1001', amount: '49.90', currency: 'EUR', description }
  const page = await tabs.open({ viewport: { width: 360, height: 740 } })
  await page.goto((await sceneOf({ order })).url)
  const top = async (): Promise<number> => (await page.getByLabel('Card number').boundingBox())?.y ?? Infinity
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  assert.ok((await top()) < 740, `${await top()} px`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  assert.ok((await top()) > 740)
})

test('a short description has no button to open it', async () => {
  const page = await show()
  await pay(page).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test('the hint for the security code takes at most two lines on a phone, in every language', async () => {
  const page = await tabs.open({ viewport: { width: 360, height: 740 } })
  await page.goto((await sceneOf({ methods: [cardMethod, bankMethod] })).url)
  for (const { code, tag } of languages) {
    await page.locator('#language').selectOption(code)
    await page.locator(`html[lang="${tag}"]`).waitFor()
    const { height = Infinity } = (await page.locator('#field-card-cvv-hint').boundingBox()) ?? {}
    assert.ok(height <= 2 * 13 * 1.5 + 1, `${code}: ${height} px`)
  }
})

test('the last input is part of the attempt, which closes a phone’s keyboard and leaves the button its colour', async () => {
  const scene = await sceneOf()
  scene.answer('payment', 'never')
  const page = await tabs.open()
  await page.goto(scene.url)
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  // A single word is a name.
  await page.getByLabel('Name on card').fill('Suharto')
  const colour = (): Promise<unknown> =>
    page.evaluate(`getComputedStyle(document.querySelector('.pay')).backgroundColor`)
  const resting = await colour()
  await pay(page).hover()
  const hovered = await colour()
  // The page says that it works before its call has arrived.
  const sent = page.waitForRequest((request) => request.url().endsWith('/page/v1/payment'))
  await pay(page).click()
  await page.getByText('Processing').first().waitFor()
  assert.notEqual(hovered, resting)
  assert.equal(await colour(), resting)
  assert.equal(await page.locator('input:focus').count(), 0)
  assert.equal((await sent).postDataJSON().customer?.name, 'Suharto')
})
