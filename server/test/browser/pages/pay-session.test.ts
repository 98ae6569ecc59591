/** The Checkout SDK in the sample form and in a merchant's own page, in a real browser with the real service behind. Chapter 30 §9. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { buyer, CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { askSession, formScene, paymentIn, waitUntilBack } from '../../pages/form-scene.ts'
import { startShopFront } from '../../pages/shop-front.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'
import { startWalletPage } from '../../wallets/wallet-page.ts'

// Without an origin, as on an instance without a forms domain; form-own-host.test.ts has the others.
const shop = await openShop({ FORMS_DOMAIN: 'none' })
const checkout = new CheckoutClient(shop)
const front = await startShopFront()
const walletPage = await startWalletPage(shop.url)
const browser = await openBrowser()
const tabs = tabsOf(browser)
const { link, open, form } = formScene({ checkout, front, tabs })
after(async () => {
  await browser.close()
  await walletPage.stop()
  await front.stop()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
  await checkout.choose({})
})

async function enterCard(
  page: Pick<Page, 'getByLabel'>,
  expiry = '01/38',
  number = '4111 1111 1111 1111',
): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on the card').fill('Jane Roe')
}

const pay = (page: Pick<Page, 'getByRole'>): Promise<void> => page.getByRole('button', { name: /^Pay 1/ }).click()
const charges = async (paymentId: string): Promise<number> => (await shop.readExecuted(paymentId)).length

describe('a card in the sample form', () => {
  test('is paid, and the payer is back at the shop with the parameters of the return', async () => {
    const { page, complaints } = await form()
    await enterCard(page)
    await pay(page)
    await waitUntilBack(page, 'success')
    assert.equal(await charges(paymentIn(page)), 1)
    assert.match(new URL(page.url()).searchParams.get('hash') ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual(complaints, [])
  })

  test('of another amount than the form showed is not charged: the form is drawn again with the new amount and says so', async () => {
    const { page } = await form()
    const session = await checkout.byToken(new URL(page.url()).pathname.split('/auth/')[1] ?? '')
    const order = { ...session.request.order, amount: '12.50' }
    await shop.service.operations.payerSessions.update(session, { ...session.request, order })
    await enterCard(page)
    await page.getByRole('button', { name: 'Pay 10.00 EUR' }).click()
    await page.locator('#notice', { hasText: 'The amount has changed.' }).waitFor()
    await page.getByRole('heading', { name: '12.50 EUR' }).waitFor()
    await enterCard(page)
    await pay(page)
    await waitUntilBack(page, 'success')
    assert.deepEqual(
      (await shop.readExecuted(paymentIn(page))).map(({ amount }) => amount),
      ['1250'],
    )
  })

  test('declined: the reason is shown, card data is cleared, and another card is accepted', async () => {
    const { page } = await form()
    await enterCard(page, '02/38')
    await pay(page)
    await page.locator('#notice:not(:empty)').waitFor()
    for (const label of ['Card number', 'Expiry date', 'Security code'])
      assert.equal(await page.getByLabel(label).inputValue(), '')
    assert.equal(await page.getByLabel('Name on the card').inputValue(), 'Jane Roe')
    assert.deepEqual(await violationsOn(page, 'again'), [])
    await enterCard(page)
    await pay(page)
    await waitUntilBack(page, 'success')
  })

  test('at the decline limit the payer goes to the cancel address', async () => {
    await checkout.choose({ maxDeclines: 1 })
    const { page } = await form()
    await enterCard(page, '02/38')
    await pay(page)
    await waitUntilBack(page, 'cancel')
  })

  test('3-D Secure: the SDK leads to the bank, and the payer comes back paid', async () => {
    const { page } = await form()
    await enterCard(page, '05/38')
    await pay(page)
    await page.locator('.approve').click()
    await waitUntilBack(page, 'success')
    assert.equal(await charges(paymentIn(page)), 1)
  })

  test('inside a frame that must be left, the payer opens the bank in a new window, and the form follows the payment', async () => {
    const address = await link({ url_target: '_top' })
    const { page } = await open(front.begin({ url: address, method: 'get', params: {} }, true))
    const inside = page.frameLocator('iframe')
    await enterCard(inside, '05/38')
    await pay(inside)
    const opened = page.context().waitForEvent('page')
    await inside.getByRole('link', { name: 'Continue' }).click()
    await (await opened).locator('.approve').click()
    await inside.getByText('Thank you').or(inside.getByText('Welcome back')).first().waitFor()
  })

  test('an unknown outcome is reported, and so is its result later', async () => {
    const { page } = await form()
    await enterCard(page, '04/38')
    await pay(page)
    await page.getByText('We could not confirm the result yet. Please do not pay again.').waitFor()
    assert.equal(await askSession(page, 'session.getSessionState()'), 'waiting')
    await shop.advance(10 * 60_000)
    await waitUntilBack(page, 'success')
  })

  test('after a lost answer the attempt is sent again and charged once', async () => {
    const { page } = await form()
    let lost = 0
    await page.route('**/page/v1/payment', async (route) => {
      lost += 1
      if (lost > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await enterCard(page)
    await pay(page)
    await waitUntilBack(page, 'success')
    assert.equal(await charges(paymentIn(page)), 1)
  })

  test('two presses are one attempt', async () => {
    const { page } = await form()
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/payment') && sent.push(request.url()))
    await enterCard(page)
    await page.evaluate('document.forms[0].requestSubmit(); document.forms[0].requestSubmit()')
    await waitUntilBack(page, 'success')
    assert.equal(sent.length, 1)
  })

  test('a refusal is reported in the service’s own words', async () => {
    const { page } = await form()
    await page.route('**/page/v1/payment', (route) =>
      route.fulfill({ status: 429, json: { error_code: 100000, error_message: 'Too many requests.', errors: [] } }),
    )
    await enterCard(page)
    await pay(page)
    await page.getByText('Too many requests.').waitFor()
  })
})

describe('inputs', () => {
  test('invalid ones are named on submit, the first gets the focus, and nothing is sent', async () => {
    const { page } = await form()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.getByLabel('Card number').fill('4111 1111 1111 1112')
    await pay(page)
    const errors = await page.locator('.error:not(:empty)').allTextContents()
    assert.deepEqual(errors, [
      'Invalid card number',
      'The expiration date is not valid',
      'Invalid security code',
      'Enter your name',
    ])
    assert.equal(await page.evaluate('document.activeElement.id'), 'payer_card')
    assert.deepEqual(sent, [])
    assert.deepEqual(await violationsOn(page, 'again'), [])
  })

  test('with validateOnInput each input is reported while typing', async () => {
    const { page } = await form()
    await page.evaluate(`(async () => {
      window.log = []
      const session = new PaySession({ validateOnInput: true })
      session.onInputValidation = (event) => log.push(event)
      await session.begin()
    })()`)
    await page.getByLabel('Security code').fill('12')
    await page.getByLabel('Security code').fill('123')
    assert.deepEqual(await page.evaluate('log'), [
      { result: 'error', inputId: 'payer_cvv' },
      { result: 'success', inputId: 'payer_cvv' },
    ])
  })

  test('card data is gone when the payer leaves and comes back', async () => {
    const { page } = await form()
    await enterCard(page)
    await page.goto(`${front.url}/return`)
    await page.goBack()
    assert.equal(await page.getByLabel('Card number').inputValue(), '')
    assert.equal(await page.getByLabel('Security code').inputValue(), '')
  })
})

describe('what a form can read', () => {
  test('order, customer, address, own data, expiry, limits and countries', async () => {
    const customer = { name: 'Jane Roe', email: 'jane@example.com' }
    const billing_address = { country: 'DE', city: 'Berlin', zip: '10115', address: 'Some street 1' }
    const order = { number: 'order-sdk', amount: '12.50', description: 'Ticket' }
    const { page } = await form({ order, customer, billing_address, custom_data: { plan: 'gold' } })
    const details = await askSession<Record<string, unknown>>(
      page,
      `({
        order: session.getOrderInfo(), customer: session.getCustomerInfo(), address: session.getBillingAddress(),
        own: session.getCustomData(), state: session.getSessionState(), max: session.getDeclinesMax(),
        cancel: session.getCancelUrl(), tokens: session.getCardTokens(), active: session.getActiveCardToken(),
      })`,
    )
    const { cancel, ...rest } = details
    assert.deepEqual(rest, {
      order: { ...order, currency: 'EUR' },
      customer: { ...customer, birth_date: '' },
      address: { ...billing_address, phone: '', state: '' },
      own: { plan: 'gold' },
      state: '',
      max: 3,
      tokens: [],
      active: '',
    })
    assert.ok(String(cancel).startsWith(`${front.url}/return?as=cancel`))
    const expiry = await askSession<number>(page, 'session.getSessionExpiry()')
    assert.ok(Number.isInteger(expiry) && expiry > shop.base.clock.now().getTime() / 1000)
    const countries = await askSession<{ value: string; regions: unknown }[]>(page, 'session.getCountries()')
    assert.ok(countries.length > 200)
    assert.ok(Array.isArray(countries.find(({ value }) => value === 'US')?.regions))
    assert.equal(countries.find(({ value }) => value === 'DE')?.regions, null)
  })

  test('a session that was paid or declined before is reported on load', async () => {
    const paid = await link()
    await checkout.pay(await checkout.byToken(paid.split('/auth/')[1] ?? ''))
    const { page } = await open(paid)
    await waitUntilBack(page, 'success')

    const declined = await link()
    await checkout.pay(await checkout.byToken(declined.split('/auth/')[1] ?? ''), '02/38')
    const again = await open(declined)
    await again.page.locator('#notice:not(:empty)').waitFor()
    assert.equal(await askSession(again.page, 'session.getSessionState()'), 'decline')
  })

  test('a saved card needs only its security code, until the payer chooses another', async () => {
    const saved = await checkout.makePayment({ req_token: true, customer: buyer })
    const { fields } = await checkout.lastCallback(saved.payment.id)
    const { page } = await form({ card_token: [fields['card_token']] })
    const [card] = await askSession<Record<string, string>[]>(page, 'session.getCardTokens()')
    assert.deepEqual(
      { ...card, token: '' },
      { token: '', last: '1111', month: '01', year: '2038', brand: 'visa', cardholder_name: 'Jane Roe' },
    )
    assert.ok(await page.getByLabel('Card number').isHidden())
    await page.getByLabel('Another card').check()
    assert.ok(await page.getByLabel('Card number').isVisible())
    await page.getByLabel(/1111/).check()
    await page.getByLabel('Security code').fill('123')
    await pay(page)
    await waitUntilBack(page, 'success')
  })

  test('the active card token can be set, read and cleared', async () => {
    const { page } = await form()
    const question = `(() => {
      const before = session.getActiveCardToken()
      session.setCardToken('t')
      const set = session.getActiveCardToken()
      session.clearCardToken()
      return [before, set, session.getActiveCardToken()]
    })()`
    assert.deepEqual(await askSession(page, question), ['', 't', ''])
  })
})

describe('a merchant’s own page', () => {
  async function own(over: object = {}, query = ''): Promise<Page> {
    const address = await link({ form_id: undefined, methods: ['walletapay', 'card'], ...over })
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(10_000)
    await page.exposeFunction('mint', mint)
    await page.goto(`${walletPage.url}/?token=${address.split('/auth/')[1]}${query}`)
    return page
  }

  /** Mints a token for the SDK's request, as the wallet provider would. */
  async function mint(request: string): Promise<unknown> {
    const { total, currencyCode, applicationData } = JSON.parse(request)
    const body = {
      wallet: 'walletapay',
      merchant_key: shop.merchant().key,
      amount: total.amount,
      currency: currencyCode,
      application_data: Buffer.from(applicationData, 'base64').toString(),
    }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${shop.url}/simulator/api/tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const { token } = (await reply.json()) as { token: string }
    return JSON.parse(token)
  }

  async function waitForLogEntry(page: Page, what: string): Promise<readonly unknown[]> {
    for (let tries = 0; tries < 100; tries += 1) {
      const found = (await page.evaluate<unknown[][]>('window.log ?? []')).find(([name]) => name === what)
      if (found) return found
      await page.waitForTimeout(50)
    }
    return assert.fail(`Never heard: ${what}. ${JSON.stringify(await page.evaluate('window.log'))}`)
  }

  test('pays by wallet on a registered domain, which is the one that the wallet provider validates', async () => {
    const page = await own()
    const [, number, brands] = await waitForLogEntry(page, 'ready')
    assert.match(String(number), /^order-/)
    assert.deepEqual(brands, ['walletapay'])
    await page.getByRole('button', { name: 'Pay with the wallet' }).click()
    assert.deepEqual(await waitForLogEntry(page, 'validated'), ['validated', 'localhost'])
    assert.deepEqual(await waitForLogEntry(page, 'completed'), ['completed', 0])
    const [, successUrl] = await waitForLogEntry(page, 'success')
    assert.equal(await charges(new URL(String(successUrl)).searchParams.get('payment_id') ?? ''), 1)
  })

  test('pays with the sandbox’s simulator from its own origin', async () => {
    const page = await own({ methods: ['walletapay', 'walletbpay'] }, '&simulator&wallet_browser=maker')
    const [, , brands] = await waitForLogEntry(page, 'ready')
    assert.deepEqual(brands, ['walletapay', 'walletbpay'])
    await page.getByRole('button', { name: 'Pay with the wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await waitForLogEntry(page, 'success')
  })

  test('on a domain that is not registered is told so', async () => {
    const change = (from: string, to: string) =>
      shop.configure(`update wallet_domains set state = $2 where domain = 'localhost' and state = $1`, [from, to])
    await change('verified', 'suspended')
    try {
      const [, , message] = await waitForLogEntry(await own(), 'error')
      assert.match(String(message), /^The domain localhost is not registered/)
    } finally {
      await change('suspended', 'verified')
    }
  })

  test('accepts no cards', async () => {
    const page = await own()
    await waitForLogEntry(page, 'ready')
    await page.getByLabel('Card number').fill('4111111111111111')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    const [, code, message] = await waitForLogEntry(page, 'error')
    assert.deepEqual(
      [code, message],
      ['unsupported', 'Cards can be entered only in forms that are hosted by the service.'],
    )
  })
})

describe('the sample form', () => {
  test('can be used with the keyboard alone', async () => {
    const { page } = await form()
    await page.getByLabel('Card number').focus()
    for (const text of ['4111111111111111', '0138', '123', 'Jane Roe', 'jane@example.com']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await waitUntilBack(page, 'success')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no accessibility violations, ${colorScheme}, and fits 320 px`, async () => {
      const { page } = await form({}, { colorScheme, viewport: { width: 320, height: 640 } })
      assert.deepEqual(await violationsOn(page), [])
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
    })
  }
})
