/** Each state of the hosted page in a real browser: its texts and its accessibility. Chapter 30 §7.2, §7.9. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { languages } from '#domain/place/language.ts'
import { qrPath } from '#domain/qr/qr.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import {
  bankMethod,
  type CheckoutScene,
  cardMethod,
  checkoutScene,
  everythingMethod,
  fault,
  readySession,
  savedCards,
} from '../../pages/checkout-scene.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { tabsOf } from '../../pages/tabs.ts'

const browser = await openBrowser()
const tabs = tabsOf(browser)
const cleanups: (() => Promise<unknown>)[] = []
after(() => browser.close())
afterEach(async () => {
  await tabs.clear()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const redirect = { url: 'https://shop.example.com/back', target: '_self', continue: false }
const outside = { ...redirect, target: '_blank', continue: true }
const terms = { url: 'https://shop.example.com/terms' }
const schedule = { amount: '9.90', interval: 1, unit: 'month', first_date: '2026-12-15' }
const voucher = {
  kind: 'voucher',
  reference: '1234 5678',
  url: 'https://pay.example.com/v',
  until: '2026-11-18T10:00:00Z',
}
const crypto = {
  kind: 'crypto',
  address: 'bc1qexample',
  network: 'Bitcoin',
  amount: '0.00020000',
  currency: 'BTC',
  qr: qrPath('bc1qexample'),
  until: null,
}

const transferMethod = {
  ...cardMethod,
  fields: [
    ...cardMethod.fields,
    { name: 'payee_card.number', type: 'card-number', required: true },
    { name: 'amount', type: 'amount', required: true },
  ],
}

async function show(scene: CheckoutScene, options: BrowserContextOptions = {}): Promise<Page> {
  cleanups.push(() => scene.stop())
  const page = await tabs.open({ viewport: { width: 320, height: 640 }, ...options })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(scene.url)
  await page.locator('.page:not(.loading) .work').waitFor()
  assert.deepEqual(
    complaints.filter((text) => !/status of (?:404|409|429|503)/.test(text)),
    [],
  )
  return page
}

async function enterCard(page: Page): Promise<void> {
  await page.locator('#field-card-number').fill('4111111111111111')
  await page.locator('#field-card-expiry').fill('01/38')
  await page.locator('#field-card-cvv').fill('123')
  await page.locator('#field-customer-name').fill('Jane Roe')
}

const submit = (page: Page): Promise<void> => page.locator('.pay').click({ force: true })

interface ShownState {
  readonly session?: object
  /** The answer of the payment call. */
  readonly answer?: object
  readonly http?: number
  readonly act?: (page: Page) => Promise<unknown>
}

const attempt = async (page: Page): Promise<void> => {
  await enterCard(page)
  await submit(page)
}

const cancel = async (page: Page): Promise<void> => {
  await page.locator('.work > .link').click()
  await page.locator('dialog.question .second').click()
  await page.locator('.pay').waitFor({ state: 'detached' })
}

// biome-ignore format: a table is read in columns.
const states: Readonly<Record<string, ShownState>> = {
  ready:               { },
  'all methods':       { session: { methods: [cardMethod, bankMethod, everythingMethod], terms, card_tokens: savedCards } },
  'every field':       { session: { methods: [everythingMethod] }, act: submit },
  'mistakes':          { session: { terms }, act: submit },
  'saved cards':       { session: { card_tokens: savedCards } },
  'schedule, consent': { session: { schedule, consent: true, vat_amount: '7.97' } },
  moto:                { session: { moto: true } },
  'last minute':       { session: readySession(0.9) },
  paying:              { act: attempt },
  declined:            { answer: { result: 'decline', decline_message: 'The payment was declined.', declines_left: 2 }, act: attempt },
  limit:               { answer: { result: 'decline', decline_message: 'The payment was declined.', declines_left: 0, redirect: outside }, act: attempt },
  success:             { answer: { result: 'success', redirect: outside }, act: attempt },
  continue:            { answer: { result: 'redirect', redirect: outside }, act: attempt },
  waiting:             { session: { state: 'waiting', redirect } },
  voucher:             { session: { state: 'waiting', redirect, waiting_for: voucher } },
  crypto:              { session: { state: 'waiting', redirect, waiting_for: crypto } },
  undefined:           { session: { state: 'undefined', redirect } },
  busy:                { session: { state: 'busy', redirect } },
  'at the bank':       { session: { state: 'away', redirect, confirms_at: 'bank', leave: redirect } },
  'with the method':   { session: { state: 'away', redirect: outside, confirms_at: 'method', leave: outside } },
  complete:            { session: { state: 'complete', redirect } },
  closed:              { act: cancel },
  expired:             { session: { state: 'expired' } },
  'no method':         { session: { methods: [] } },
  'too many':          { answer: {}, http: 429, act: attempt },
  unreachable:         { answer: {}, http: 503, act: attempt },
  transfer:            { session: { operation: 'transfer', methods: [transferMethod] } },
}

async function showState({ session, answer, http, act }: ShownState, language: string): Promise<Page> {
  const scene = await checkoutScene({ ...session, language }, language)
  scene.answer('payment', answer ? { http: http ?? 200, body: answer } : 'never')
  scene.answer('close', { body: { state: 'ready', redirect: outside } })
  const page = await show(scene)
  await act?.(page)
  return page
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const brokenChoices = `[...document.querySelectorAll('.choice')].map((choice) => [
  choice.querySelector('input').getBoundingClientRect(),
  choice.querySelector('span:not(.mark)'),
]).filter(([button, text]) => text.getBoundingClientRect().top >= button.bottom).map(([, text]) => text.textContent)`

/** The states that are shown in Arabic, too; the others consist of the same parts. `npm run test:full` shows all. */
const statesInArabic = ['all methods', 'every field', 'schedule, consent', 'declined', 'voucher']

/** Together they have every part of the page, so that colours and sizes are judged in them. `npm run test:full` judges all. */
const statesWithEveryPart = [
  'every field',
  'mistakes',
  'saved cards',
  'schedule, consent',
  'last minute',
  'declined',
  'success',
  'voucher',
  'crypto',
  'at the bank',
]

for (const [name, shown] of Object.entries(states)) {
  for (const language of isFullRun || statesInArabic.includes(name) ? ['en', 'ar'] : ['en']) {
    test(`${name}: no accessibility violations, and fits the width of a small phone: ${language}`, async () => {
      const page = await showState(shown, language)
      await page.waitForTimeout(150)
      // Colours and sizes do not depend on the language.
      const isWhole = isFullRun || (language === 'en' && statesWithEveryPart.includes(name))
      assert.deepEqual(await violationsOn(page, isWhole ? 'whole' : 'structure'), [])
      if (isWhole) {
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await violationsOn(page, 'colours'), [], 'dark')
      }
      assert.ok(Number(await page.evaluate(overflow)) <= 0)
      assert.equal(await page.evaluate('document.dir'), language === 'ar' ? 'rtl' : 'ltr')
      for (const button of await page.locator('.button, .link').all()) {
        const { height = 0 } = (await button.boundingBox()) ?? {}
        assert.ok(height >= 44, `${height} px`)
      }
    })
  }
}

test('every language fits the width of a small phone, also with a large font', async () => {
  const session = { methods: [cardMethod, everythingMethod], terms, card_tokens: savedCards, schedule, consent: true }
  const page = await show(await checkoutScene(session))
  for (const { code, tag, direction } of languages) {
    await page.locator('#language').selectOption(code)
    await page.locator(`html[lang="${tag}"][dir="${direction}"]`).waitFor()
    assert.ok(Number(await page.evaluate(overflow)) <= 0, code)
    assert.deepEqual(await page.evaluate(brokenChoices), [], `${code}: the text of a choice is below its button`)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    assert.ok(Number(await page.evaluate(overflow)) <= 0, `${code} at 200 %`)
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
  }
})

describe('fields', () => {
  test('the first invalid one gets the focus, and each shows its error', async () => {
    const page = await show(await checkoutScene())
    await page.locator('#field-card-number').fill('4111111111111111')
    await submit(page)
    await page.locator('#field-card-expiry:focus').waitFor()
    const described = await page.locator('#field-card-expiry').getAttribute('aria-describedby')
    assert.equal(await page.locator(`#${described}`).textContent(), 'Enter the expiry date')
    assert.equal(await page.locator('#field-card-expiry').getAttribute('aria-invalid'), 'true')
    await page.locator('[role="status"]').getByText('Please check 3 entries').waitFor()
  })

  test('a summary of the faults of a long form leads to each of its fields', async () => {
    const page = await show(await checkoutScene({ methods: [everythingMethod] }))
    await submit(page)
    await page.getByRole('heading', { name: /^Please check [0-9]+ entries$/ }).waitFor()
    await page.getByRole('link', { name: /^Document number/ }).click()
    await page.locator('#field-fields-document-number:focus').waitFor()
  })

  test('an invalid entry is reported when the field is left, an empty one is not', async () => {
    const page = await show(await checkoutScene())
    await page.locator('#field-card-number').focus()
    await page.locator('#field-card-expiry').focus()
    assert.equal(await page.locator('.error').count(), 0)
    await page.locator('#field-card-expiry').fill('13/38')
    await page.locator('#field-card-cvv').focus()
    assert.equal(await page.locator('.error').textContent(), 'Enter a month from 01 to 12')
  })

  test('a digit typed in the middle of a number stays where it was typed', async () => {
    const page = await show(await checkoutScene())
    const number = page.locator('#field-card-number')
    await number.pressSequentially('411111111111')
    await page.keyboard.press('Home')
    for (const _ of '4111') await page.keyboard.press('ArrowRight')
    await page.keyboard.type('22')
    assert.equal(await number.inputValue(), '4111 2211 1111 11')
    await page.keyboard.type('3')
    assert.equal(await number.inputValue(), '4111 2231 1111 111')
  })

  test('have the attributes for autofill and on-screen keyboards', async () => {
    const page = await show(await checkoutScene({ methods: [everythingMethod, cardMethod] }))
    await page.getByLabel('Cash at a counter').check()
    const tokens = await page
      .locator('.fields [autocomplete]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')))
    await page.getByLabel('Card', { exact: true }).check()
    const card = await page
      .locator('.fields [autocomplete]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')))
    for (const token of ['email', 'country', 'postal-code', 'address-line1', 'tel-country-code', 'tel-national'])
      assert.ok(tokens.includes(token), token)
    assert.deepEqual(card.slice(0, 3), ['cc-number', 'cc-exp', 'cc-csc'])
    assert.equal(await page.locator('#field-card-number').getAttribute('inputmode'), 'numeric')
  })

  test('a state is asked for only in countries that have states', async () => {
    const page = await show(await checkoutScene({ methods: [everythingMethod] }))
    assert.equal(await page.getByLabel('State').count(), 0)
    await page.getByLabel('Country', { exact: true }).selectOption('US')
    await page.getByLabel('State').selectOption('TX')
    await page.getByLabel('Country', { exact: true }).selectOption('DE')
    assert.equal(await page.getByLabel('State').count(), 0)
  })

  test('a calling code is found by typing, with the keyboard alone', async () => {
    const page = await show(await checkoutScene({ methods: [everythingMethod] }))
    const code = page.getByRole('combobox', { name: 'Country code' })
    await code.focus()
    await page.keyboard.type('united')
    assert.deepEqual(await page.locator('[role=option]').allTextContents(), [
      'United Kingdom (+44)',
      'United States (+1)',
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await code.inputValue(), 'United States (+1)', 'also the code of Canada')
    assert.equal(await page.locator('[role=option]').count(), 0)
    await code.click()
    await page.getByRole('option', { name: 'United Kingdom (+44)' }).click()
    assert.equal(await code.inputValue(), 'United Kingdom (+44)', 'also the code of Guernsey')
  })

  test('a transfer asks for the amount in its currency first, then for the payer’s card and the recipient’s', async () => {
    const page = await show(await checkoutScene({ operation: 'transfer', methods: [transferMethod] }))
    await page.getByRole('group', { name: 'Your card' }).getByLabel('Card number').waitFor()
    await page.getByRole('group', { name: 'Recipient' }).getByLabel('Recipient’s card number').waitFor()
    const labels = await page.locator('.fields label').allTextContents()
    assert.deepEqual([labels[0], labels.at(-1)], ['Amount (EUR)', 'Recipient’s card number'])
  })
})

describe('a payment in crypto currency', () => {
  test('says what to send, in which network and where, as text to copy and as a code to scan', async () => {
    const page = await show(await checkoutScene({ state: 'waiting', waiting_for: crypto }))
    await page.getByRole('heading', { name: 'Send the amount to this address' }).waitFor()
    assert.deepEqual(await page.locator('.steps bdi').allTextContents(), ['0.00020000 BTC', 'Bitcoin', 'bc1qexample'])
    await page.getByRole('img', { name: 'Address' }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const [name, text] of [
      ['Copy: Amount', '0.00020000'],
      ['Copy: Address', 'bc1qexample'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name }).getByText('Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
    }
  })
})

describe('a saved card', () => {
  test('asks only for its security code, an expired one cannot be chosen, and another card can be used', async () => {
    const scene = await checkoutScene({ card_tokens: savedCards })
    scene.answer('payment', { body: { result: 'waiting' } })
    const page = await show(scene)
    assert.equal(await page.getByRole('radio', { name: /^Mastercard/ }).isDisabled(), true)
    assert.equal(await page.getByLabel('Card number').count(), 0)
    await page.getByLabel('Use another card').check()
    await page.getByLabel('Card number').waitFor()
    await page.getByRole('radio', { name: /^Visa ending in 1111/ }).check()
    await page.getByLabel('Security code').fill('123')
    await submit(page)
    await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor()
    const { card_token: token, cvv, card } = scene.calls.find(({ path }) => path === 'payment')?.body ?? {}
    assert.deepEqual([token, cvv, card], ['a'.repeat(64), '123', undefined])
  })

  test('for a payout does not show its expiry, and a wrong one is marked', async () => {
    const [card] = savedCards
    const scene = await checkoutScene({ operation: 'credit', card_tokens: [{ ...card, asks: ['expiry'] }] })
    const errors = [{ error_code: 100000, error_message: 'expiry: This value is not valid.' }]
    scene.answer('payment', { http: 400, body: { error_code: 0, error_message: 'Request data is invalid.', errors } })
    const page = await show(scene)
    assert.equal(await page.getByText('01/38').count(), 0)
    await page.getByLabel('Expiry date').fill('02/39')
    await submit(page)
    await page.locator('#field-card-expiry[aria-invalid=true]').waitFor()
  })
})

describe('a lost connection', () => {
  test('is reported, and the same attempt is sent again after asking for the state', async () => {
    const scene = await checkoutScene()
    scene.answer('payment', fault, { body: { result: 'waiting' } })
    scene.answer('state', { body: { state: 'ready' } }, 'never')
    const page = await show(scene)
    await attempt(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor()
    const [first, asked, second] = scene.calls.filter(({ path }) => path === 'payment' || path === 'state')
    assert.equal(asked?.path, 'state')
    assert.deepEqual(second, first)
  })

  test('of an attempt that was charged meanwhile sends nothing again', async () => {
    const scene = await checkoutScene()
    scene.answer('payment', fault)
    scene.answer('state', { body: { state: 'complete', redirect: outside } })
    const page = await show(scene)
    await attempt(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor()
    assert.equal(scene.calls.filter(({ path }) => path === 'payment').length, 1)
  })
})

test('another card is offered again if the attempt could not be stopped, and then opens the form', async () => {
  const away = { state: 'away', redirect, confirms_at: 'bank', leave: redirect }
  const scene = await checkoutScene(away)
  scene.answer('state', { body: away })
  scene.answer('cancel-step', { body: away }, { body: { state: 'ready' } })
  const page = await show(scene)
  const otherCard = page.getByRole('button', { name: 'Use another card' })
  await otherCard.click()
  await page.getByText('This attempt cannot be stopped right now.').waitFor()
  await otherCard.click()
  await page.getByLabel('Card number').waitFor()
})

test('a page that is reloaded while the payment is sent says that it is being confirmed', async () => {
  const page = await show(await checkoutScene({ state: 'busy', redirect }))
  await page.getByRole('heading', { name: 'We are confirming your payment' }).waitFor()
  await page.getByRole('link', { name: 'Return to' }).waitFor()
})

test('an order that another session has paid is reported as paid', async () => {
  const scene = await checkoutScene()
  const errors = [{ error_code: 100000, error_message: 'order_id: Duplicate payment.' }]
  scene.answer('payment', { http: 400, body: { error_code: 0, error_message: 'Request data is invalid.', errors } })
  const page = await show(scene)
  await attempt(page)
  await page.getByRole('heading', { name: 'This order is already paid' }).waitFor()
  assert.equal(
    await page.getByRole('link', { name: 'Return to' }).getAttribute('href'),
    'https://shop.example.com/cancel',
  )
})

test('an order that another session is paying is reported as such, and the form stays', async () => {
  const scene = await checkoutScene()
  const refusal = { error_code: 100000, error_message: 'Previous payment not completed.', errors: [] }
  scene.answer('payment', { http: 400, body: refusal })
  const page = await show(scene)
  await attempt(page)
  await page.getByText('This order is being paid right now. Please wait for the result.').first().waitFor()
  await page.getByLabel('Card number').waitFor()
})

test('screen readers hear each state once, and never an old one', async () => {
  const scene = await checkoutScene()
  scene.answer('payment', { body: { result: 'success', redirect: outside } })
  const page = await show(scene)
  const said = page.locator('[role="status"]')
  await submit(page)
  await said.getByText('Please check 4 entries').waitFor()
  await attempt(page)
  await page.getByRole('heading', { name: 'Payment successful' }).waitFor()
  assert.equal(await said.textContent(), '')
})

test('the focus is visible on a checkbox that is in error', async () => {
  const page = await show(await checkoutScene({ terms }))
  await attempt(page)
  await page.locator('#tick-terms:focus').waitFor()
  const outline = `getComputedStyle(document.querySelector('#tick-terms')).outline`
  const focused = await page.evaluate(outline)
  await page.keyboard.press('Tab')
  assert.notEqual(await page.evaluate(outline), focused)
})

test('a payment in another tab is awaited, and its success is shown', async () => {
  const scene = await checkoutScene()
  scene.answer('payment', { http: 409, body: { error_code: 400, error_message: 'Duplicate request.', errors: [] } })
  scene.answer('state', { body: { state: 'busy' } }, { body: { state: 'complete', redirect: outside } })
  const page = await show(scene)
  await attempt(page)
  await page.getByRole('heading', { name: 'Payment successful' }).waitFor()
})

test('a session that expires is over, and all input is cleared', async () => {
  const scene = await checkoutScene(readySession(0.03))
  scene.answer('state', { body: { state: 'expired', redirect: outside } })
  const page = await show(scene)
  await enterCard(page)
  await page.getByRole('heading', { name: 'The time to pay has run out' }).waitFor()
  assert.doesNotMatch(await page.content(), /4111/)
})

describe('the pay button names its action', () => {
  const amount = { name: 'amount', type: 'amount', required: true }
  const order = { number: '1', amount: '0.00', currency: 'EUR', description: 'Trial' }
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [object, string])[] = [
    [{},                                                                        'Pay €49.90'],
    [{ auth: true },                                                            'Authorise €49.90'],
    [{ operation: 'credit' },                                                   'Receive €49.90'],
    [{ operation: 'transfer', methods: [{ ...cardMethod, fields: [amount] }] }, 'Transfer'],
    [{ order, total_amount: '0.00' },                                           'Confirm card'],
    [{ total_amount: null },                                                    'Pay'],
  ]
  for (const [session, name] of rows) {
    test(name, async () => {
      const page = await show(await checkoutScene(session))
      assert.equal((await page.locator('.pay').innerText()).replace('\u00a0', ' '), name)
    })
  }
})

test('the remaining time is announced at five minutes', async () => {
  const page = await show(await checkoutScene(readySession(5.01)))
  await page.getByRole('timer').waitFor()
  await page.locator('[role="status"]').getByText('5 minutes left to pay').waitFor()
})

test('a single redirect method starts automatically, once, and not if terms must be accepted first', async () => {
  const scene = await checkoutScene({ methods: [{ ...bankMethod, terms: false }] })
  scene.answer('payment', { body: { result: 'redirect', redirect: outside } })
  const page = await show(scene)
  await page.getByRole('link', { name: 'Continue' }).waitFor()
  assert.equal(scene.calls.filter(({ path }) => path === 'payment').length, 1)

  const held = await checkoutScene({ methods: [bankMethod], terms })
  await show(held)
  assert.equal(
    held.calls.some(({ path }) => path === 'payment'),
    false,
  )
})

test('a page that is restored by the browser works again, without the previous input', async () => {
  const scene = await checkoutScene()
  const page = await show(scene)
  await enterCard(page)
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
  assert.equal(await page.locator('#field-card-number').inputValue(), '')
  scene.answer('session', { body: { ...readySession(), state: 'complete', redirect: outside } })
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await page.getByRole('heading', { name: 'This order is already paid' }).waitFor()
})

test('text on a merchant’s colours is readable', async () => {
  const branding = {
    name: 'Shop',
    logo: null,
    colours: { heading: '#7a1f1f', background: '#fff3e0', button: '#ffd777' },
  }
  const page = await show(await checkoutScene({ branding }))
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.pay')).color`), 'rgb(0, 0, 0)')
  assert.deepEqual(await violationsOn(page), [])
})
