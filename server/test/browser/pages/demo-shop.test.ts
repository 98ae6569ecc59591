/** The demo shop in a real browser: every way to pay from its front page to the verified callback. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const address = `${shop.sandbox.url}/shop`
const demo = { base_url: shop.url, merchants: [shop.merchant()] }
await writeFile(join(shop.base.config.dataDir, 'demo.json'), JSON.stringify(demo))
await shop.configure('update merchants set notification_url = $1', [`${address}/callbacks`])
const browser = await openBrowser()
const tabs = tabsOf(browser, { hurries: true })
after(async () => {
  await browser.close()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
})

async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await tabs.open(options)
  await page.goto(address)
  return page
}

const choose = (page: Page, title: string): Promise<void> =>
  page.getByRole('button', { name: new RegExp(`^${title}`) }).click()

/** On the gateway's own page. */
async function payThere(page: Page, expiry: string): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^(?:Pay|Authorise|Confirm)/ }).click()
}

/** Back at the shop: it shows the payment, and its front page shows the callback with a verified signature. */
async function isPaid(page: Page, status = 'settled'): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/shop/return')
  await page.getByText('Thank you').waitFor()
  assert.equal(await page.getByText(status, { exact: true }).count(), 1)
  assert.equal(await page.getByText('verified', { exact: true }).count(), 1)
  const order = (await page.locator('dd').first().textContent()) ?? ''
  await shop.service.awaitIdle()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  const callback = page.locator('#list li', { hasText: order }).first()
  await callback.getByText('Signature verified').waitFor()
}

/** The shop treats those of a table alike; `npm run test:full` tries all. */
const tried = <Row>(rows: readonly Row[]): readonly Row[] => (isFullRun ? rows : rows.slice(0, 1))

for (const [title, expiry, status] of tried([
  ['Card Expiry 01/38', '01/38', 'settled'],
  ['Hold', '01/38', 'pending'],
  ['Debit', '01/38', 'settled'],
] as const)) {
  test(`${title}: paid on the hosted page, and the callback arrives`, async () => {
    const page = await visit()
    await choose(page, title)
    await payThere(page, expiry)
    await isPaid(page, status)
  })
}

test('a hold is captured and then refunded from its callback, each by a request that the page shows', async () => {
  const page = await visit()
  await choose(page, 'Hold')
  await payThere(page, '01/38')
  await isPaid(page, 'pending')
  await page.locator('#list summary').first().click()
  await page.getByRole('link', { name: 'Capture or refund' }).first().click()
  for (const [button, kind] of [
    ['Capture 49.90 EUR', 'capture'],
    ['Refund 49.90 EUR', 'refund'],
  ] as const) {
    await page.getByText('Show the request').click()
    await page.getByText(`POST /api/v1/payment/${kind}`).waitFor()
    assert.deepEqual(await violationsOn(page, 'structure'), [])
    await page.getByRole('button', { name: new RegExp(`^${button}`) }).click()
    await page.getByText(`The gateway has accepted the ${kind}.`).waitFor()
  }
})

test('3-D Secure: confirmed at the bank, and the callback arrives', async () => {
  const page = await visit()
  await choose(page, 'Card with 3-D Secure')
  await payThere(page, '05/38')
  await page.frameLocator('.challenge iframe').frameLocator('iframe').locator('.approve').click()
  await isPaid(page)
})

test('a saved card is offered the second time and needs its code only', async () => {
  const page = await visit()
  await choose(page, 'Saved card')
  await payThere(page, '01/38')
  await isPaid(page)
  await choose(page, 'Saved card')
  await page.getByLabel(/1111/).check()
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await isPaid(page)
})

test('a subscription begins with a free month', async () => {
  const page = await visit()
  await choose(page, 'Subscription')
  await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
  await page.getByRole('checkbox').check()
  await payThere(page, '01/38')
  await isPaid(page)
  await page.locator('#list summary').first().click()
  await page.locator('#list dt', { hasText: 'recurring_token' }).first().waitFor()
})

test('hosted fields: the shop’s own page pays, also through 3-D Secure', async () => {
  for (const expiry of ['0138', '0538']) {
    const page = await visit()
    await page.getByRole('link', { name: /^Hosted Fields/ }).click()
    const frame = async (name: string): Promise<Frame> => {
      await page.frameLocator(`iframe[name=gatehouse-${name}]`).locator('input').waitFor()
      return page.frame({ url: new RegExp(`/hosted-fields/${name}`) }) ?? assert.fail()
    }
    await (await frame('card')).locator('input').pressSequentially('4111111111111111')
    await (await frame('expiry')).locator('input').pressSequentially(expiry)
    await (await frame('cvv')).locator('input').fill('123')
    await page.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
    if (expiry === '0538') await page.locator('.approve').click()
    await isPaid(page)
  }
})

for (const button of tried(['Pay with the wallet of this device', 'Pay with Device wallet B'])) {
  test(`the form of the SDK shows the button "${button}", which pays`, async () => {
    const page = await visit()
    await choose(page, 'SDK form')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await isPaid(page)
  })
}

test('the form of the SDK pays', async () => {
  const page = await visit()
  await choose(page, 'SDK form')
  await page.locator('#order:not(:empty)').waitFor()
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay 49/ }).click()
  await isPaid(page)
})

for (const [title, button] of tried([
  ['Wallet B', /wallet B/i],
  ['Wallet A On a device', /wallet A/i],
] as const)) {
  test(`${title}: paid with the sandbox’s wallet simulator`, async () => {
    const page = await visit()
    await choose(page, title)
    await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await isPaid(page)
  })
}

test('Wallet A by phone: a code on the screen, the sheet on the phone, and the screen continues', async () => {
  const page = await visit()
  await choose(page, 'Wallet A by phone')
  await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
  await page.getByRole('button', { name: /wallet A/i }).click()
  const [phone] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .getByRole('dialog')
      .getByRole('link', { name: /simulator\/phone/ })
      .click(),
  ])
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await isPaid(page)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the front page has no accessibility violations, ${colorScheme}, and fits 320 px`, async () => {
    const page = await visit({ colorScheme, viewport: { width: 320, height: 640 } })
    assert.deepEqual(await violationsOn(page), [])
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
    await page.goto(`${address}/fields`)
    await page.locator('iframe').first().waitFor()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
  })
}

test('the documentation fits a phone, passes axe in light and dark, and its search finds a guide', async () => {
  for (const [path, colorScheme] of [
    ['/', 'light'],
    ['/docs', 'dark'],
    ['/docs/first-payment', 'light'],
    ['/docs/reference-hosted-fields', 'dark'],
  ] as const) {
    const page = await tabs.open({ viewport: { width: 360, height: 740 }, colorScheme })
    await page.goto(`${shop.url}${path}`)
    if (path !== '/') await page.getByText('copy and run them').waitFor()
    // `docs-pages.full.test.ts` has every page in both themes.
    assert.deepEqual(await violationsOn(page, path.startsWith('/docs/') ? 'again' : 'whole'), [], path)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
  }
  const page = await tabs.open()
  await page.goto(`${shop.url}/docs/first-payment`)
  await page.getByRole('button', { name: 'Python' }).first().click()
  const example = page.locator('.language:not([hidden]) code').first()
  await example.getByText(shop.merchant().password).waitFor()
  assert.match((await example.textContent()) ?? '', /^import hashlib/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('refund part')
  await page
    .getByRole('link', { name: /^Refunds, captures and cancellations/ })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname === '/docs/refunds')
})
