/**
 * Wallets on the hosted page, with the sandbox's replacements of the wallet APIs in a real browser. Chapter 30 §7.7, chapter 40 §17, §20.5.
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionRecord } from '#server/contracts/session-records.ts'
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
})

async function open(
  browserKind: string,
  methods: readonly string[] = ['card', 'walletapay', 'walletbpay'],
): Promise<Page> {
  const answer = await checkout.session({ methods, success_url: `${front.url}/return` })
  assert.equal(answer.http, 200, answer.text)
  const page = await tabs.open()
  // The wallet provider's session is for the registered domain, which is `localhost`.
  const url = answer.body.redirect_url.replace('127.0.0.1', 'localhost')
  await page.goto(`${url}?wallet_browser=${browserKind}`)
  await page.locator('.work').waitFor()
  return page
}

const buttonA = (page: Page) => page.getByRole('button', { name: 'Pay with Device wallet A' })
const buttonB = (page: Page) => page.getByRole('button', { name: 'Pay with Device wallet B' })
const sheet = (page: Page) => page.getByRole('dialog')

for (const [what, button, stale] of [
  ['A', buttonA, 'stale'],
  ['B', buttonB, 'b-expired'],
] as const) {
  test(`wallet ${what}: its button is above the card form, and its sheet pays`, async () => {
    const page = await open('maker')
    await button(page).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL((url) => url.pathname === '/return')
  })

  test(`wallet ${what}: a closed sheet is not an attempt, and the next one pays`, async () => {
    const page = await open('maker')
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Cancel' }).click()
    await sheet(page).waitFor({ state: 'detached' })
    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL((url) => url.pathname === '/return')
  })

  test(`wallet ${what}: a declined payment counts as an attempt, a refused token does not`, async () => {
    const page = await open('maker')
    await button(page).waitFor()
    await page.evaluate(`gatehouseWallet.next({ fault: '${stale}' })`)
    await button(page).click()
    await page.getByText('Please confirm again').waitFor()
    await page.evaluate(`gatehouseWallet.next({ card: 'decline' })`)
    await button(page).click()
    await page.getByText('You have 2 attempts left.').waitFor()
  })
}

test('in another browser than the wallet provider’s, the payer scans a code and confirms on the phone', async () => {
  const page = await open('other')
  await buttonA(page).click()
  await sheet(page).getByText('npm start -- --lan').waitFor()
  const address = await sheet(page).getByText('/simulator/phone?code=').textContent()
  const phone = await page.context().newPage()
  await phone.goto(address ?? '')
  await phone.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((url) => url.pathname === '/return')
})

test('a browser that supports no wallet shows none, and the card form stays', async () => {
  const page = await open('unsupported')
  await page.getByLabel('Card number').waitFor()
  await page.waitForTimeout(500)
  assert.equal(await page.locator('.wallets').count(), 0)
})

test('if only a wallet is offered and the browser does not support it, the page says so', async () => {
  const page = await open('unsupported', ['walletapay'])
  await page.getByRole('heading', { name: 'No payment method works on this device' }).waitFor()
})

const sessionOf = (page: Page): Promise<SessionRecord> =>
  checkout.byToken(new URL(page.url()).pathname.split('/auth/')[1] ?? '')

/** The interface refuses updates of a page's session (chapter 30 §8.5), so the test calls the update directly. */
async function update(session: SessionRecord, amount: string): Promise<void> {
  const request = { ...session.request, order: { ...session.request.order, amount } }
  assert.equal(await shop.service.operations.payerSessions.update(session, request), 'changed')
}

async function paidOn({ id }: SessionRecord): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ minor: string }>(
    'select amount_minor::text as minor from payments where session_id = $1',
    [id],
  )
  return rows.map(({ minor }) => minor)
}

// Chapter 40 §13, "Hosted page".
test('wallet A: a session update closes the sheet, and the next one shows and pays the new amount', async () => {
  const page = await open('maker')
  const session = await sessionOf(page)
  await buttonA(page).click()
  await sheet(page).getByText('10.00 EUR').waitFor()
  await update(session, '12.50')
  await sheet(page).waitFor({ state: 'detached' })
  await page.getByText('The amount has changed').first().waitFor()
  assert.deepEqual(await paidOn(session), [])
  await buttonA(page).click()
  await sheet(page).getByText('12.50 EUR').waitFor()
  await sheet(page).getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((url) => url.pathname === '/return')
  assert.deepEqual(await paidOn(session), ['1250'])
})

test('wallet A: an update that the page has not received yet closes the sheet with the old amount', async () => {
  const page = await open('maker')
  await buttonA(page).waitFor()
  await update(await sessionOf(page), '12.50')
  await buttonA(page).click()
  await page.getByText('The amount has changed').first().waitFor()
  assert.equal(await sheet(page).count(), 0)
})

test('wallet B: the result of a sheet from before the update is discarded, because its token contains no amount', async () => {
  const page = await open('maker')
  const session = await sessionOf(page)
  await buttonB(page).click()
  await sheet(page).waitFor()
  await update(session, '12.50')
  await page.getByText('The amount has changed').first().waitFor()
  await sheet(page).getByRole('button', { name: 'Confirm' }).click()
  await sheet(page).waitFor({ state: 'detached' })
  await buttonB(page).click()
  await sheet(page).getByText('12.50 EUR').waitFor()
  assert.deepEqual(await paidOn(session), [])
  await sheet(page).getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((url) => url.pathname === '/return')
  assert.deepEqual(await paidOn(session), ['1250'])
})

test('an order that is paid elsewhere closes the sheet, and the page says so', async () => {
  const page = await open('maker')
  const session = await sessionOf(page)
  await buttonA(page).click()
  await sheet(page).waitFor()
  await checkout.pay(session)
  await page.getByRole('heading', { name: 'This order is already paid' }).waitFor()
  assert.equal(await sheet(page).count(), 0)
  assert.deepEqual(await paidOn(session), ['1000'])
})

const switchWallet = (wallet: string, enabled: boolean): Promise<void> =>
  shop.configure('update wallet_settings set enabled = $2 where wallet = $1', [wallet, enabled])

// Chapter 30 §7.7, "Failure".
for (const [wallet, refused, other] of [
  ['walletapay', buttonA, buttonB],
  ['walletbpay', buttonB, buttonA],
] as const) {
  test(`204018 removes only the button of ${wallet}: the other wallet and the card stay, and it pays`, async () => {
    const page = await open('maker')
    await refused(page).click()
    await sheet(page).waitFor()
    await switchWallet(wallet, false)
    try {
      const answered = page.waitForResponse((one) => one.url().endsWith('/page/v1/payment'))
      await sheet(page).getByRole('button', { name: 'Confirm' }).click()
      const answer: unknown = await (await answered).json()
      assert.equal(Reflect.get(Object(answer), 'error_code'), 204018)
      await refused(page).waitFor({ state: 'detached' })
      await page.getByLabel('Card number').waitFor()
      await other(page).click()
      await sheet(page).getByRole('button', { name: 'Confirm' }).click()
      await page.waitForURL((url) => url.pathname === '/return')
    } finally {
      await switchWallet(wallet, true)
    }
  })
}

const readMissingCounts = async (): Promise<ReadonlyMap<string, number>> => {
  const lines = (await shop.service.metrics.composeText()).matchAll(
    /missing_total\{wallet="(.*?)",reason="(.*?)",.*\} (\d+)/g,
  )
  return new Map([...lines].map(([, wallet, reason, count]) => [`${wallet}: ${reason}`, Number(count)]))
}

/** What was counted since `before`: returns at `most` reasons, or after the time in which none may come. */
async function missingSince(before: ReadonlyMap<string, number>, most: number): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    const risen = [...(await readMissingCounts())]
      .filter(([key, count]) => count > (before.get(key) ?? 0))
      .map(([key]) => key)
    if ((most > 0 && risen.length >= most) || tries === 20) return risen.toSorted()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

// Chapter 40 §17: the first failing row is the recorded reason.
for (const [kind, expected] of [
  ['maker', []],
  ['other', []],
  ['maker-no-card', ['walletapay: no card']],
  ['unsupported', ['walletapay: browser unsupported', 'walletbpay: browser unsupported']],
] as const) {
  test(`in a browser that is ${kind}, the reason of a missing button is recorded: ${expected.join(', ') || 'nothing'}`, async () => {
    const before = await readMissingCounts()
    const page = await open(kind)
    await page.getByLabel('Card number').waitFor()
    assert.deepEqual(await missingSince(before, expected.length), [...expected])
  })
}

test('in a frame that does not allow payment, that is the recorded reason', async () => {
  const before = await readMissingCounts()
  const methods = ['walletapay', 'walletbpay', 'card']
  const { body } = await checkout.session({ methods, success_url: `${front.url}/return` })
  const page = await tabs.open()
  await page.goto(`${front.url}/return`)
  await page.evaluate(`document.body.innerHTML = '<iframe title="Payment" src="${body.redirect_url}"></iframe>'`)
  assert.deepEqual(await missingSince(before, 2), ['walletapay: frame', 'walletbpay: frame'])
})

test('the payer can pay even if the service does not accept the recorded reasons', async () => {
  const page = await tabs.open()
  await page.route('**/page/v1/wallet-missing', (route) => route.abort())
  const { body } = await checkout.session({ methods: ['walletapay', 'card'], success_url: `${front.url}/return` })
  await page.goto(`${body.redirect_url}?wallet_browser=unsupported`)
  await page.getByLabel('Card number').fill('4111 1111 1111 1111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Jane Roe')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL((url) => url.pathname === '/return')
})
