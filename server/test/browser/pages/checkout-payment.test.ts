/** Paying on the hosted page in a real browser, with the real server and the real sandbox behind it. Chapter 30 §7, §11. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { buildWeb } from '../../../../tools/build-web.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { startShopFront } from '../../pages/shop-front.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

await buildWeb()
const shop = await openShop()
const checkout = new CheckoutClient(shop)
const front = await startShopFront()
const browser = await openBrowser()
const tabs = tabsOf(browser, { hurries: true })
after(async () => {
  await browser.close()
  await front.stop()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
  await choose({})
})

const choose = (options: object): Promise<void> =>
  shop.configure(
    `update protocol_mappings set options = $1
     where protocol = 'CHECKOUT' and merchant_id = (select id from merchants where name = 'demo')`,
    [JSON.stringify(options)],
  )

async function link(over: object = {}): Promise<string> {
  const urls = { success_url: `${front.url}/return?as=success`, cancel_url: `${front.url}/return?as=cancel` }
  const answer = await checkout.session({ ...urls, methods: ['card'], ...over })
  assert.equal(answer.http, 200, answer.text)
  return answer.body.redirect_url
}

async function open(over: object = {}, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await tabs.open(options)
  await page.goto(await link(over))
  return page
}

/** Where the last message is looked at, or the time until the page departs. */
async function openPatiently(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(await link())
  return page
}

type CardForm = Pick<FrameLocator, 'getByLabel' | 'getByRole'>

async function enterCard(page: CardForm, expiry: string, number = '4111111111111111', code = '123'): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiry date').pressSequentially(expiry)
  await page.getByLabel('Security code').fill(code)
  await page.getByLabel('Name on card').fill('Zoë O’Neill-Doe')
}

/** The issuer of this card refuses to be shown in a frame. */
const enterUnframedCard = (page: CardForm): Promise<void> => enterCard(page, '0538', '378282246310005', '1234')

const bankFrame = (page: Page): FrameLocator => page.frameLocator('.challenge iframe').frameLocator('iframe')

const payButton = (page: CardForm) => page.getByRole('button', { name: /^Pay / })
const waitUntilBack = (page: Page, as: string) =>
  page.waitForURL((url) => url.pathname === '/return' && url.searchParams.get('as') === as)

describe('a card', () => {
  test('is paid, the page says so, and the payer is back at the shop after three seconds', async () => {
    const page = await openPatiently()
    await enterCard(page, '0138')
    assert.equal(await page.getByLabel('Card number').inputValue(), '4111 1111 1111 1111')
    assert.equal(await page.getByLabel('Expiry date').inputValue(), '01/38')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor()
    await waitUntilBack(page, 'success')
    const { searchParams } = new URL(page.url())
    assert.equal((await shop.readExecuted(searchParams.get('payment_id') ?? '')).length, 1)
  })

  test('that was declined leaves no number in the page, and a second card is accepted', async () => {
    const page = await open()
    await enterCard(page, '0238')
    await payButton(page).click()
    await page.getByText('You have 2 attempts left.').waitFor()
    assert.equal(await page.getByLabel('Card number').inputValue(), '')
    assert.equal(await page.getByLabel('Security code').inputValue(), '')
    assert.equal(await page.getByLabel('Name on card').inputValue(), 'Zoë O’Neill-Doe')
    assert.deepEqual(await violationsOn(page, 'again'), [])
    await enterCard(page, '0138')
    await payButton(page).click()
    await waitUntilBack(page, 'success')
  })

  test('without funds stays in the form, and only its code is asked for again', async () => {
    const page = await open()
    await enterCard(page, '1038')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'There is not enough money on the card.' }).waitFor()
    await page.locator('#field-card-cvv:focus').waitFor()
    const entered = ['Card number', 'Expiry date', 'Security code', 'Name on card'].map((label) =>
      page.getByLabel(label).inputValue(),
    )
    assert.deepEqual(await Promise.all(entered), ['4111 1111 1111 1111', '10/38', '', 'Zoë O’Neill-Doe'])
    await page.getByRole('status').getByText('There is not enough money on the card.').waitFor()
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
    assert.equal(await page.evaluate('JSON.stringify(history.state) + document.cookie'), 'null')
    await page.getByLabel('Expiry date').fill('01/38')
    await page.getByLabel('Security code').fill('123')
    await payButton(page).click()
    await waitUntilBack(page, 'success')
  })

  test('that is declined up to the merchant’s limit leads to the cancel address', async () => {
    await choose({ maxDeclines: 1 })
    const page = await openPatiently()
    await enterCard(page, '0238')
    await payButton(page).click()
    await page.getByText('No further attempts are possible.').waitFor()
    await waitUntilBack(page, 'cancel')
  })

  test('whose issuer challenges is confirmed in a frame over the page, which fills a phone', async () => {
    const page = await open({}, { viewport: { width: 360, height: 640 } })
    const link = page.url()
    await enterCard(page, '0538')
    await payButton(page).click()
    await bankFrame(page).locator('.approve').waitFor()
    assert.equal(page.url(), link)
    const dialog = page.getByRole('dialog', { name: 'Your bank asks you to confirm this payment' })
    assert.deepEqual(await dialog.boundingBox(), { x: 0, y: 0, width: 360, height: 640 })
    assert.deepEqual(await violationsOn(page, 'again'), [])
    await dialog.getByRole('button', { name: 'Use another card' }).focus()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Back to the payment' }).click()
    await bankFrame(page).locator('.approve').click()
    await waitUntilBack(page, 'success')
    const { searchParams } = new URL(page.url())
    assert.equal((await shop.readExecuted(searchParams.get('payment_id') ?? '')).length, 1)
  })

  test('that its issuer does not authenticate in the frame stays in the form', async () => {
    const page = await open()
    await enterCard(page, '0538')
    await payButton(page).click()
    await bankFrame(page).locator('.decline').click()
    await page.getByRole('heading', { name: 'Your bank could not confirm that it is you.' }).waitFor()
    assert.equal(await page.getByLabel('Card number').inputValue(), '4111 1111 1111 1111')
    assert.equal(await page.getByLabel('Security code').inputValue(), '')
  })

  test('can be replaced by another one while its issuer asks', async () => {
    const page = await open()
    await enterCard(page, '0538')
    await payButton(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Use another card' }).click()
    await dialog.getByRole('alertdialog').getByRole('button', { name: 'Use another card' }).click()
    await page.getByLabel('Card number').waitFor()
    assert.equal(await page.getByLabel('Card number').inputValue(), '')
  })

  test('whose issuer refuses to be shown in a frame is confirmed in the same window', async () => {
    const page = await open()
    await enterUnframedCard(page)
    await payButton(page).click()
    await page.locator('.approve').click()
    await waitUntilBack(page, 'success')
  })

  test('whose issuer does not appear in the frame is confirmed in the same window', async () => {
    const context = await browser.newContext()
    await context.addInitScript(`{
      const later = setTimeout
      globalThis.setTimeout = (act, ms, ...rest) => later(act, ms === 8000 ? 500 : ms, ...rest)
    }`)
    const page = await context.newPage()
    // Playwright leaves the request of the frame without an answer.
    await page.route('**/sandbox/acs', (route) =>
      route.request().frame() === page.mainFrame() ? route.continue() : null,
    )
    await page.goto(await link())
    await enterCard(page, '0538')
    await payButton(page).click()
    await page.locator('.approve').click()
    await waitUntilBack(page, 'success')
  })

  test('of an unsupported network is refused before anything is sent', async () => {
    const page = await open()
    await enterCard(page, '0138', '1111222233334444')
    await payButton(page).click()
    await page.locator('#field-card-number-error').getByText('Cards of this brand are not accepted.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-card-number')
  })

  test('can be paid with the keyboard alone', async () => {
    const page = await openPatiently()
    await page.getByLabel('Card number').waitFor()
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.id'), 'language')
    for (const text of ['4111111111111111', '0138', '123', 'Jane Roe']) await type(text)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor()
  })
})

test('a payer who cancels is asked first, is back at the shop, and can pay after the browser’s Back', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Cancel payment' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this payment?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await question.count(), 0)
  await page.getByRole('button', { name: 'Cancel payment' }).click()
  assert.deepEqual(await violationsOn(page, 'again'), [])
  await question.getByRole('button', { name: 'Cancel payment' }).click()
  await waitUntilBack(page, 'cancel')
  await page.goBack()
  await enterCard(page, '0138')
  await payButton(page).click()
  await waitUntilBack(page, 'success')
})

test('a paid link says so when it is opened again', async () => {
  const page = await open()
  const url = page.url()
  await enterCard(page, '0138')
  await payButton(page).click()
  await waitUntilBack(page, 'success')
  await page.goto(url)
  await page.getByRole('heading', { name: 'This order is already paid' }).waitFor()
  assert.deepEqual(await violationsOn(page, 'again'), [])
})

test('a saved card is paid with its security code alone', async () => {
  const first = await open({ req_token: true, customer: { name: 'Jane Roe', email: 'jane@example.com' } })
  assert.equal(await first.getByLabel('Name on card').count(), 0)
  await first.getByLabel('Card number').fill('4111111111111111')
  await first.getByLabel('Expiry date').fill('01/38')
  await first.getByLabel('Security code').fill('123')
  await payButton(first).click()
  await waitUntilBack(first, 'success')
  await shop.service.awaitIdle()
  const token = shop.receiver.received.map(({ fields }) => fields['card_token']).findLast((one) => one !== undefined)
  const page = await open({ card_token: [token] })
  await page.getByRole('radio', { name: 'Visa ending in 1111 Expires 01/38' }).waitFor()
  assert.deepEqual(await violationsOn(page, 'again'), [])
  await page.getByLabel('Security code').fill('123')
  await payButton(page).click()
  await waitUntilBack(page, 'success')
})

test('a redirect method without fields starts automatically and leads back', async () => {
  const page = await open({ methods: ['bank-redirect'], customer: { name: 'Jane Roe', email: 'jane@example.com' } })
  await page.locator('.approve').click()
  await waitUntilBack(page, 'success')
})

test('a payer who goes back from the bank can continue there, or pay with another card', async () => {
  const page = await open()
  await enterUnframedCard(page)
  await payButton(page).click()
  await page.locator('.approve').waitFor()
  await page.goBack()
  const question = page.getByRole('heading', { name: 'Your bank asks you to confirm this payment' })
  await question.waitFor()
  assert.equal(await page.getByLabel('Card number').count(), 0)
  for (const name of ['Return to', 'Cancel payment']) await page.getByText(name).first().waitFor()
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await page.locator('.approve').waitFor()
  await page.goBack()
  await page.reload()
  await question.waitFor()
  assert.deepEqual(await violationsOn(page, 'again'), [])
  await page.getByRole('button', { name: 'Use another card' }).click()
  await enterCard(page, '0138')
  await payButton(page).click()
  await waitUntilBack(page, 'success')
})

// Chapter 30 §7.1, Budget. Russian has the longest texts.
test('the first load is at most 40 kB in at most 6 requests', async () => {
  const page = await (await browser.newContext()).newPage()
  const requests: string[] = []
  const loaded: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().startsWith('data:')) return
    requests.push(new URL(response.url()).pathname)
    if (response.url().includes('/web/')) loaded.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(await link({ billing_address: { language: 'ru' } }), { waitUntil: 'networkidle' })
  const sizes = await Promise.all(loaded)
  assert.equal(sizes.length, 3)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 40_000, sizes.join(' + '))
  assert.ok(requests.length <= 6, requests.join(', '))
})

test('terms must be accepted before paying, and an earlier press leads to them', async () => {
  await choose({ terms: { enabled: true, url: 'https://shop.example.com/terms' } })
  const page = await open()
  await enterCard(page, '0138')
  assert.equal(await payButton(page).getAttribute('aria-disabled'), 'true')
  // Forced, because Playwright does not click elements marked as disabled; a payer can.
  await payButton(page).click({ force: true })
  await page.locator('#tick-terms:focus').waitFor()
  await page.keyboard.press('Space')
  assert.equal(await payButton(page).getAttribute('aria-disabled'), 'false')
  await payButton(page).click()
  await waitUntilBack(page, 'success')
})

test('two presses of one payer make one payment', async () => {
  const page = await open()
  await enterCard(page, '0138')
  await payButton(page).dblclick()
  await waitUntilBack(page, 'success')
  const { searchParams } = new URL(page.url())
  assert.equal((await shop.readExecuted(searchParams.get('payment_id') ?? '')).length, 1)
})

test('in a frame that the payment has to leave, the payer presses Continue, and the frame follows the payment', async () => {
  const url = await link({ url_target: '_top' })
  const page = await tabs.open()
  await page.goto(front.begin({ url, method: 'GET', params: {} }, true))
  const frame = page.frameLocator('iframe')
  await enterCard(frame, '0538')
  await frame.getByRole('button', { name: /^Pay / }).click()
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    frame.getByRole('link', { name: 'Continue' }).click(),
  ])
  await frame.getByRole('heading', { name: 'Continue in the new window' }).waitFor()
  await opened.locator('.approve').waitFor()
  await opened.close()
  // As the browser does when the payer comes back to this window.
  await frame.locator('body').evaluate('dispatchEvent(new Event("focus"))')
  await frame.locator('a[href*="again="]').waitFor()
  const [again] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Continue' }).click()])
  await again.locator('.approve').click()
  await frame.getByRole('heading', { name: 'Payment successful' }).waitFor()
})

test('the page stores nothing in the browser, and its policy forbids inline scripts and styles', async () => {
  const page = await open()
  await enterCard(page, '0138')
  const response = await page.request.get(page.url())
  const policy = response.headers()['content-security-policy'] ?? ''
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(policy, /default-src 'none'/)
  assert.deepEqual(await page.context().cookies(), [])
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
  assert.equal(await page.evaluate('JSON.stringify(history.state)'), 'null')
})
