/** Hosted Payment Fields in a merchant's page on another site, in a real browser, with the real service behind. Chapter 30 §8. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, describe, test } from 'node:test'
import type { Frame, Locator, Page } from 'playwright-core'
import { signReturn } from '#domain/signature/payer-return.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { isFirefox, openBrowser, violationsOn } from '../../pages/chromium.ts'
import { startFieldsFront } from '../../pages/fields-front.ts'
import { tabsOf } from '../../pages/tabs.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const checkout = new CheckoutClient(shop)

/** The page and the server that the documentation shows. */
const documentation = readFileSync(new URL('../../../../docs/interface/hosted-fields.md', import.meta.url), 'utf8')
const sampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(documentation)?.[1] ??
  assert.fail(`There is no sample in ${language}.`)
const sampleServer = (await import(`data:text/javascript,${encodeURIComponent(sampleIn('js'))}`)) as {
  pay(baseUrl: string, order: unknown, body: unknown): Promise<unknown>
}
/** As the sample's server has stored it. */
let sampleOrder = { token: '', amount: '10.00', currency: 'EUR' }
const front = await startFieldsFront(shop.url, {
  page: (clientToken) => sampleIn('html').replaceAll('{base_url}', shop.url).replace('{client_token}', clientToken),
  pay: (body) => sampleServer.pay(shop.url, sampleOrder, body),
})
const browser = await openBrowser()
const tabs = tabsOf(browser)
after(async () => {
  await browser.close()
  await front.stop()
  await shop[Symbol.asyncDispose]()
})
afterEach(async () => {
  await tabs.clear()
  await checkout.choose({})
})

type Name = 'card' | 'expiry' | 'cvv'

const token = async (over: object = {}): Promise<string> => (await openSession(over)).token

async function openSession(over: object = {}): Promise<{ readonly token: string; readonly client_token: string }> {
  const body = checkout.purchase({ success_url: undefined, return_url: `${front.url}/return?basket=7`, ...over })
  const answer = await checkout.post('/api/v1/session/token', 'session', body)
  assert.equal(answer.http, 200, answer.text)
  return answer.body
}

async function visit(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await tabs.open()
  const complaints: string[] = []
  // Firefox also reports that the policy keeps it from looking for an icon, as a message or as an error.
  const complain = (text: string): void => {
    if (!text.includes('/favicon.ico')) complaints.push(text)
  }
  page.on('console', (message) => message.type() === 'error' && complain(message.text()))
  page.on('pageerror', (error) => complain(String(error)))
  await page.goto(front.url)
  return { page, complaints }
}

const allFields = { card: { id: 'c', placeholder: '0000 0000' }, expiry: { id: 'e' }, cvv: { id: 'v' } }

/** The fields of a session in the merchant's page. */
async function showFields(sessionToken: string, config: object = {}) {
  const { page, complaints } = await visit()
  const whole = { sessionToken, fields: allFields, ...config }
  await page.evaluate(`fields.init(${JSON.stringify(whole)})`)
  return { page, complaints }
}

function frameOf(page: Page, name: Name): Frame {
  const frame = page.frame({ name: `gatehouse-${name}` })
  return frame ?? assert.fail(`There is no frame ${name}.`)
}

const inputOf = (page: Page, name: Name) => frameOf(page, name).locator('input')

/** The keys of Firefox's driver do not reach a frame of another origin. */
const type = (input: Locator, text: string): Promise<void> =>
  isFirefox ? input.fill(text) : input.pressSequentially(text)

async function typeCard(page: Page, expiry = '0138', number = '4111111111111111', code = '123'): Promise<void> {
  await inputOf(page, 'card').fill('')
  await type(inputOf(page, 'card'), number)
  await inputOf(page, 'expiry').fill('')
  await type(inputOf(page, 'expiry'), expiry)
  await inputOf(page, 'cvv').fill(code)
}

const collect = (page: Page): Promise<unknown> => page.evaluate('fields.collectIframesData()')

/** An event that the page received: a field or `result`, the event, and its data. */
type PageEvent = readonly [string, unknown, ({ readonly valid?: boolean; readonly empty?: boolean } | undefined)?]

const logOf = (page: Page): Promise<readonly PageEvent[]> => page.evaluate('window.log')

/** Polled from here, because the page's policy forbids `waitForFunction`; the fields report by messages, which take a moment. */
async function waitForEvent(page: Page, isIt: (entry: PageEvent) => boolean): Promise<readonly PageEvent[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const log = await logOf(page)
    if (log.some(isIt)) return log
    await page.waitForTimeout(50)
  }
  return assert.fail('The page was never told.')
}

async function resultOf(page: Page): Promise<unknown> {
  return (await waitForEvent(page, ([what]) => what === 'result')).find(([what]) => what === 'result')?.[1]
}

const process = (sessionToken: string, body: object = {}, operation = 'purchase') =>
  checkout.send(
    `/api/v1/processing/${operation}/card`,
    { name: 'Jane Roe', with_hosted_fields: true, ...body },
    { headers: { token: sessionToken } },
  )

const success = { result: 'success' }

/** The orders of the script of release 1.0, which pinned pages keep: check every frame, then let each send, without naming a collection. */
const earlierScript = `
  window.ports = []
  window.openEarlier = ({ base, sessionToken }) =>
    Promise.all([['card', 'c'], ['expiry', 'e'], ['cvv', 'v']].map(([name, id], at) => new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.src = base + '/hosted-fields/' + name
      frame.name = 'gatehouse-' + name
      addEventListener('message', ({ source }) => {
        if (source !== frame.contentWindow) return
        const { port1, port2 } = new MessageChannel()
        ports[at] = port1
        port1.onmessage = ({ data }) => data.report === 'ready' && resolve()
        const welcome = { gatehouse: 'welcome', token: sessionToken, style: {}, placeholder: '', language: 'en' }
        source.postMessage(welcome, '*', [port2])
      })
      document.getElementById(id).append(frame)
    })))
  const ask = (port, order) => new Promise((resolve) => {
    const number = Math.random()
    port.addEventListener('message', ({ data }) => data.number === number && resolve(data.fault))
    port.postMessage({ order, number })
  })
  window.collectEarlier = async () => {
    const checks = await Promise.all(ports.map((port) => ask(port, 'check')))
    if (checks.some((fault) => fault)) return checks
    const sendings = []
    for (const port of ports) sendings.push(await ask(port, 'send'))
    return sendings
  }
  null
`

describe('paying', () => {
  test('the card goes from the frames to the service, and the merchant’s server charges it', async () => {
    const sessionToken = await token()
    const { page, complaints } = await showFields(sessionToken)
    await typeCard(page)
    await page.getByRole('button', { name: 'Pay' }).click()
    assert.deepEqual(await resultOf(page), success)
    const { body } = await process(sessionToken)
    assert.equal(body.result, 'success', JSON.stringify(body))
    assert.equal(body.redirect_url, `${front.url}/return?basket=7`)
    const { fields } = await checkout.lastCallback(body.public_id)
    assert.deepEqual([fields['type'], fields['order_status'], fields['card']], ['sale', 'settled', '411111******1111'])
    assert.deepEqual(complaints, [])
  })

  test('3-D Secure leads to the bank and back to the return address with its parameters', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken)
    await typeCard(page, '0538')
    assert.deepEqual(await collect(page), success)
    const { body } = await process(sessionToken)
    assert.equal(body.result, 'redirect', JSON.stringify(body))
    await page.goto(body.redirect_url)
    await page.locator('.approve').click()
    await page.waitForURL((url) => url.pathname === '/return')
    const { hash, ...query } = Object.fromEntries(new URL(page.url()).searchParams)
    const { hash: before, ...named } = body.return_url_query_params
    assert.deepEqual(query, { basket: '7', ...named })
    // The outcome is part of the hash: it was open, and the payer confirmed.
    const order = { ...named, order_amount: '10.00', order_currency: 'EUR' }
    const hashes = ['open', 'success'].map((outcome) => signReturn({ ...order, outcome }, shop.merchant().password))
    assert.deepEqual([before, hash], hashes)
    const status = await checkout.status({ payment_id: body.public_id })
    assert.equal(status.body.status, 'settled')
  })

  test('a debit is collected in the same way', async () => {
    const sessionToken = await token({ operation: 'debit' })
    const { page } = await showFields(sessionToken)
    await typeCard(page)
    assert.deepEqual(await collect(page), success)
    assert.equal((await process(sessionToken, {}, 'debit')).body.result, 'success')
  })

  test('after a decline the same frames collect another card', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken)
    await typeCard(page, '0238')
    assert.deepEqual(await collect(page), success)
    const declined = await process(sessionToken)
    assert.equal(declined.body.result, 'decline')
    assert.notEqual(declined.body.decline_message, '')
    await typeCard(page, '0138')
    assert.deepEqual(await collect(page), success)
    assert.equal((await process(sessionToken)).body.result, 'success')
  })

  test('the order may change in between, and the fields stay as they are', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken)
    await typeCard(page)
    const update = { method: 'PUT', headers: { token: sessionToken }, body: '{"order_amount":"15.00"}' }
    assert.deepEqual((await checkout.request('/api/v1/session/update', update)).body, success)
    assert.deepEqual(await collect(page), success)
    const { body } = await process(sessionToken)
    assert.equal((await checkout.lastCallback(body.public_id)).fields['order_amount'], '15.00')
  })

  test('a saved card needs only the frame of the security code', async () => {
    const saved = await checkout.makePayment({ req_token: true })
    const { fields } = await checkout.lastCallback(saved.payment.id)
    const sessionToken = await token({ card_token: [fields['card_token']] })
    const { page } = await showFields(sessionToken, { fields: { cvv: { id: 'v' } } })
    assert.equal(page.frames().length, 2)
    await inputOf(page, 'cvv').fill('123')
    assert.deepEqual(await collect(page), success)
    const { body } = await process(sessionToken, { card_token: fields['card_token'] })
    assert.equal(body.result, 'success', JSON.stringify(body))
  })

  test('with a MOTO value the security code may stay empty', async () => {
    const sessionToken = await token({ moto_type: 'phone_moto' })
    const { page } = await showFields(sessionToken)
    await typeCard(page, '0138', '4111111111111111', '')
    assert.deepEqual(await collect(page), success)
    assert.equal((await process(sessionToken)).body.result, 'success')
  })
})

describe('what the page learns', () => {
  test('input reports validity, emptiness and the network; focus and blur are reported as such', async () => {
    const { page } = await showFields(await token())
    await inputOf(page, 'card').pressSequentially('37')
    await inputOf(page, 'card').fill('371449635398431')
    await inputOf(page, 'card').fill('')
    await inputOf(page, 'expiry').fill('01/38')
    await inputOf(page, 'cvv').fill('12')
    const log = await waitForEvent(page, ([name, what]) => name === 'cvv' && what === 'input')
    assert.deepEqual(log[0], ['card', 'focus'])
    assert.deepEqual(log[1], ['card', 'input', { valid: false, empty: false, brand: '' }])
    assert.deepEqual(log[2], ['card', 'input', { valid: false, empty: false, brand: 'amex' }])
    assert.deepEqual(log[3], ['card', 'input', { valid: true, empty: false, brand: 'amex' }])
    assert.deepEqual(log[4], ['card', 'input', { valid: false, empty: true, brand: '' }])
    assert.ok(log.some(([name, what]) => name === 'card' && what === 'blur'))
    assert.ok(log.some(([name, what, data]) => name === 'expiry' && what === 'input' && data?.valid))
    assert.ok(
      log.some(
        ([name, what, data]) => name === 'cvv' && what === 'input' && data?.valid === false && data.empty === false,
      ),
    )
  })

  test('every invalid field is named, the first gets the focus, and no value is sent', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken)
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/page/v1/fields') && sent.push(request.url()))
    await typeCard(page, '0125', '4111111111111112', '12')
    assert.deepEqual(await collect(page), {
      result: 'error',
      message: 'Invalid card number',
      errors: [
        { field: 'card', message: 'Invalid card number' },
        { field: 'expiry', message: 'The expiration date is not valid' },
        { field: 'cvv', message: 'Invalid security code' },
      ],
    })
    assert.equal(await frameOf(page, 'card').evaluate('document.activeElement.id'), 'field')
    assert.equal(await inputOf(page, 'card').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(sent, [])
    assert.equal((await process(sessionToken)).body.error_message, 'Card data is not collected.')
  })

  test('a failed collection leaves nothing to charge, neither its own values nor those of an earlier one', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken)
    const assertNothingCollected = async () =>
      assert.equal((await process(sessionToken)).body.error_message, 'Card data is not collected.')

    await typeCard(page)
    assert.deepEqual(await collect(page), success)
    await typeCard(page, '1338')
    assert.partialDeepStrictEqual(await collect(page), { result: 'error' })
    await assertNothingCollected()

    await typeCard(page, '0138', '5555555555554444', '')
    assert.partialDeepStrictEqual(await collect(page), { result: 'error' })
    await typeCard(page, '0138', '1111222233334444')
    assert.partialDeepStrictEqual(await collect(page), { result: 'error' })
    await assertNothingCollected()

    await typeCard(page)
    assert.deepEqual(await collect(page), success)
    assert.equal((await process(sessionToken)).body.result, 'success')
  })

  test('a value that the service never received leaves nothing to charge', async () => {
    const sessionToken = await token({ moto_type: 'phone_moto' })
    const { page } = await showFields(sessionToken)
    await page.route('**/page/v1/fields', (route) =>
      route.request().postDataJSON().field === 'cvv' ? route.abort() : route.continue(),
    )
    await typeCard(page)
    assert.partialDeepStrictEqual(await collect(page), { result: 'error', errors: [] })
    assert.equal((await process(sessionToken)).body.error_message, 'Card data is not collected.')
  })

  test('a page with the script of an earlier release also collects from nothing each time', async () => {
    const sessionToken = await token()
    const { page } = await visit()
    await page.evaluate(earlierScript)
    await page.evaluate(`openEarlier(${JSON.stringify({ base: shop.url, sessionToken })})`)
    await typeCard(page)
    assert.deepEqual(await page.evaluate('collectEarlier()'), [null, null, null])
    await typeCard(page, '1338')
    assert.partialDeepStrictEqual(await page.evaluate('collectEarlier()'), [null, { ofField: true }, null])
    assert.equal((await process(sessionToken)).body.error_message, 'Card data is not collected.')
    await typeCard(page)
    assert.deepEqual(await page.evaluate('collectEarlier()'), [null, null, null])
    assert.equal((await process(sessionToken)).body.result, 'success')
  })

  test('all empty fields are named at once', async () => {
    const { page } = await showFields(await token())
    const { errors } = (await collect(page)) as { readonly errors: readonly { readonly field: string }[] }
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['card', 'expiry', 'cvv'],
    )
  })

  test('a security code that is missing, or too short for the card’s network, is invalid', async () => {
    const { page } = await showFields(await token())
    const wrong = {
      result: 'error',
      message: 'Invalid security code',
      errors: [{ field: 'cvv', message: 'Invalid security code' }],
    }
    await typeCard(page, '0138', '4111111111111111', '')
    assert.deepEqual(await collect(page), wrong)
    await typeCard(page, '0138', '371449635398431', '123')
    assert.deepEqual(await collect(page), wrong)
  })

  test('a card of a network that no MID accepts is reported as such', async () => {
    const { page } = await showFields(await token())
    await typeCard(page, '0138', '1111222233334444')
    const message = 'Cards of this brand are not accepted.'
    assert.deepEqual(await collect(page), { result: 'error', message, errors: [{ field: 'card', message }] })
  })

  test('a paid session accepts no more card data, and blames no field', async () => {
    const sessionToken = await token()
    const { page } = await showFields(sessionToken, { language: 'de' })
    await typeCard(page)
    assert.deepEqual(await collect(page), success)
    assert.equal((await process(sessionToken)).body.result, 'success')
    const message = 'Für diese Bestellung ist keine weitere Zahlung möglich.'
    assert.deepEqual(await collect(page), { result: 'error', message, errors: [] })
  })

  test('an invalid session token is reported in the payer’s language, and blames no field', async () => {
    const { page } = await showFields('nonsense', { language: 'de' })
    await typeCard(page)
    const message = 'Diese Zahlungssitzung ist nicht mehr gültig. Bitte beginnen Sie im Shop von vorn.'
    assert.deepEqual(await collect(page), { result: 'error', message, errors: [] })
  })

  test('an unreachable service is reported in the payer’s language', async () => {
    const { page } = await showFields(await token(), { language: 'de' })
    await page.route('**/page/v1/*', (route) => route.abort())
    await typeCard(page)
    assert.deepEqual(await collect(page), {
      result: 'error',
      message: 'Die Kartendaten konnten nicht gesendet werden. Bitte versuchen Sie es erneut.',
      errors: [],
    })
  })

  test('two presses at once are one collection', async () => {
    const { page } = await showFields(await token())
    await typeCard(page)
    assert.deepEqual(await page.evaluate('Promise.all([fields.collectIframesData(), fields.collectIframesData()])'), [
      success,
      success,
    ])
    assert.equal((await logOf(page)).filter(([what]) => what === 'result').length, 1)
  })

  test('a missing container, and fields that were never shown, are reported', async () => {
    const { page } = await visit()
    const missing = page.evaluate('fields.init({ sessionToken: "T", fields: { card: { id: "nowhere" } } })')
    await assert.rejects(missing, /There is no element with the id nowhere/)
    assert.deepEqual(await collect(page), {
      result: 'error',
      message: 'The fields are not ready: call init first.',
      errors: [],
    })
  })

  test('destroy removes the frames, and a new init starts again', async () => {
    const { page } = await showFields(await token())
    await typeCard(page)
    await page.evaluate('fields.destroy()')
    assert.equal(await page.locator('iframe').count(), 0)
    await page.evaluate(`fields.init(${JSON.stringify({ sessionToken: await token(), fields: allFields })})`)
    assert.equal(await inputOf(page, 'card').inputValue(), '')
    await typeCard(page)
    assert.deepEqual(await collect(page), success)
  })
})

describe('what the page does not learn', () => {
  test('the value is nowhere in the merchant’s page: not in frames, messages, events or storage', async () => {
    const { page } = await showFields(await token())
    await typeCard(page)
    assert.deepEqual(await collect(page), success)
    const read = `(() => { try { return frames[0].document.querySelector('input').value } catch (error) { return error.name } })()`
    assert.equal(await page.evaluate(read), 'SecurityError')
    const known = await page.evaluate<string>(
      'JSON.stringify([heard, log, document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    assert.doesNotMatch(known, /4111|\b123\b|01\/(?:20)?38/)
  })

  test('the frames’ addresses contain no token, and they set no cookie', async () => {
    const sessionToken = await token()
    const { page } = await visit()
    const requestUrls: string[] = []
    page.on('request', (request) => requestUrls.push(request.url()))
    await page.evaluate(`fields.init(${JSON.stringify({ sessionToken, fields: allFields })})`)
    assert.equal(requestUrls.filter((url) => new URL(url).pathname.startsWith('/hosted-fields/')).length, 3)
    assert.ok(requestUrls.every((url) => !url.includes(sessionToken.slice(0, 20))))
    assert.deepEqual(await page.context().cookies(), [])
  })

  test('messages from other senders are ignored, by the page and by the frames', async () => {
    const { page } = await showFields(await token())
    const before = (await logOf(page)).length
    await page.evaluate(`
      for (let at = 0; at < frames.length; at += 1) frames[at].postMessage({ gatehouse: 'welcome', token: 'x', style: {}, placeholder: 'Evil', language: 'en' }, '*')
      postMessage({ gatehouse: 'field', field: 'card' }, '*')
      postMessage({ report: 'input', data: { valid: true, empty: false } }, '*')
    `)
    await page.waitForTimeout(200)
    assert.equal((await logOf(page)).length, before)
    assert.equal(await inputOf(page, 'card').getAttribute('placeholder'), '0000 0000')
  })

  test('the input is gone when the payer comes back to the page', async () => {
    const { page } = await showFields(await token())
    await typeCard(page)
    await page.goto(`${front.url}/return`)
    await page.goBack()
    for (const frame of page.frames().slice(1)) assert.equal(await frame.locator('input').inputValue(), '')
  })
})

/** Headings and landmarks belong to the surrounding page, of which a frame with one input is a part. */
const isOfAField = (violation: string): boolean =>
  !/^(?:landmark-one-main|page-has-heading-one|region): /.test(violation)

describe('style and language', () => {
  test('text, colour, spacing and size apply; styles that load something are dropped; no policy is violated', async () => {
    const style = {
      input: {
        'font-size': '20px',
        color: 'rgb(1, 2, 3)',
        paddingLeft: '17px',
        'background-image': 'url(/x)',
        height: '60px',
      },
      '::placeholder': { color: 'rgb(4, 5, 6)' },
    }
    const { page, complaints } = await showFields(await token(), { style })
    const frame = frameOf(page, 'card')
    const looks = await frame.evaluate(`(() => {
      const input = document.querySelector('input')
      const { fontSize, color, paddingLeft, backgroundImage } = getComputedStyle(input)
      return [fontSize, color, paddingLeft, backgroundImage, getComputedStyle(input, '::placeholder').color]
    })()`)
    assert.deepEqual(looks, ['20px', 'rgb(1, 2, 3)', '17px', 'none', 'rgb(4, 5, 6)'])
    assert.equal(await page.evaluate(`document.querySelector('#c iframe').offsetHeight`), 60)
    assert.deepEqual(complaints, [])
  })

  test('labels, titles and messages are in the payer’s language, numbers stay left to right', async () => {
    const { page } = await showFields(await token(), { language: 'ar' })
    const frame = frameOf(page, 'card')
    const { label, dir, inputDir } = await frame.evaluate<Record<string, string>>(`({
      label: document.querySelector('label').textContent,
      dir: document.documentElement.dir,
      inputDir: document.querySelector('input').dir,
    })`)
    assert.deepEqual([label, dir, inputDir], ['رقم البطاقة', 'rtl', 'ltr'])
    assert.equal(await page.getAttribute('#c iframe', 'title'), 'رقم البطاقة')
    await typeCard(page, '0138', '4111111111111112')
    assert.partialDeepStrictEqual(await collect(page), { message: 'رقم البطاقة غير صالح' })
  })

  test('the number is grouped while it is typed, and the caret stays where the payer put it', async () => {
    const { page } = await showFields(await token())
    const input = inputOf(page, 'card')
    await input.pressSequentially('411111111111111')
    await frameOf(page, 'card').evaluate('document.activeElement.setSelectionRange(2, 2)')
    await input.press('5')
    assert.equal(await input.inputValue(), '4151 1111 1111 1111')
    assert.equal(await frameOf(page, 'card').evaluate('document.activeElement.selectionStart'), 3)
    await inputOf(page, 'expiry').pressSequentially('138')
    await inputOf(page, 'expiry').fill('')
    await inputOf(page, 'expiry').pressSequentially('0138')
    assert.equal(await inputOf(page, 'expiry').inputValue(), '01/38')
  })

  test('the fields are reached and filled with the keyboard alone, in their order', async () => {
    const { page } = await showFields(await token())
    await page.focus('body')
    for (const [name, text] of [
      ['card', '4111111111111111'],
      ['expiry', '0138'],
      ['cvv', '123'],
    ] as const) {
      await page.keyboard.press('Tab')
      // The frame is a separate process and gets the focus a moment later than the test can type.
      await frameOf(page, name).locator('input:focus').waitFor()
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.deepEqual(await resultOf(page), success)
  })

  test('Enter presses the button that submits the form, once, unless the page listens itself', async () => {
    const { page } = await showFields(await token())
    await typeCard(page)
    await page.evaluate(`(() => {
      const pay = document.getElementById('pay')
      pay.type = 'submit'
      pay.onclick = null
      pay.form.onsubmit = (event) => {
        event.preventDefault()
        log.push(['form', 'submit'])
        fields.collectIframesData()
      }
    })()`)
    await inputOf(page, 'cvv').press('Enter')
    assert.deepEqual(await resultOf(page), success)
    await page.evaluate(`fields.expiryOn.enter = () => log.push(['expiry', 'enter'])`)
    await inputOf(page, 'expiry').press('Enter')
    await waitForEvent(page, ([name, what]) => name === 'expiry' && what === 'enter')
    assert.equal((await logOf(page)).filter(([name]) => name === 'form').length, 1)
  })

  test('Enter does nothing in a form without a button that submits it', async () => {
    const { page } = await showFields(await token())
    await inputOf(page, 'card').press('Enter')
    await page.evaluate(`fields.cardOn.enter = () => log.push(['card', 'enter'])`)
    await inputOf(page, 'card').press('Enter')
    await waitForEvent(page, ([name, what]) => name === 'card' && what === 'enter')
    assert.equal(new URL(page.url()).search, '')
    assert.equal((await logOf(page)).filter(([what]) => what === 'result').length, 0)
  })

  test('the page focuses a field by its name', async () => {
    const { page } = await showFields(await token())
    for (const name of ['cvv', 'card', 'expiry'] as const) {
      await page.evaluate(`fields.focus('${name}')`)
      await frameOf(page, name).locator('input:focus').waitFor()
    }
  })

  test('the focus is visible by default; the page’s styles for outline, focus and invalid fields replace ours', async () => {
    const outlineOf = (page: Page, name: Name) =>
      frameOf(page, name).evaluate<string>(`getComputedStyle(document.querySelector('input')).outline`)
    const plain = await showFields(await token())
    await inputOf(plain.page, 'card').focus()
    assert.match(await outlineOf(plain.page, 'card'), /solid 2px/)

    const style = {
      input: { outline: 'none', color: 'rgb(1, 1, 1)' },
      ':focus': { 'background-color': 'rgb(2, 2, 2)' },
      ':invalid': { color: 'rgb(3, 3, 3)' },
    }
    const { page } = await showFields(await token(), { style })
    await inputOf(page, 'card').focus()
    assert.match(await outlineOf(page, 'card'), /none/)
    const looks = () =>
      frameOf(page, 'card').evaluate(`(() => {
        const { color, backgroundColor } = getComputedStyle(document.querySelector('input'))
        return [color, backgroundColor]
      })()`)
    assert.deepEqual(await looks(), ['rgb(1, 1, 1)', 'rgb(2, 2, 2)'])
    await collect(page)
    await inputOf(page, 'expiry').focus()
    assert.deepEqual(await looks(), ['rgb(3, 3, 3)', 'rgba(0, 0, 0, 0)'])
  })

  test('the frames have no accessibility violations, in English and Arabic', async () => {
    for (const language of ['en', 'ar']) {
      const { page } = await showFields(await token(), { language })
      await typeCard(page, '0125', '4111111111111112')
      await collect(page)
      for (const name of ['card', 'expiry', 'cvv'] as const) {
        const found = await violationsOn(frameOf(page, name))
        assert.deepEqual(found.filter(isOfAField), [], `${language} ${name}`)
      }
    }
  })
})

test('the page and the server of the documentation decline, correct and take a payment', async () => {
  const page = await tabs.open()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  const session = await openSession()
  sampleOrder = { ...sampleOrder, token: session.token }
  await page.goto(`${front.url}/sample?${session.client_token}`)
  await page.getByLabel('Name on the card').fill('Jane Roe')
  await page.getByText('Expiry date').click()
  await frameOf(page, 'expiry').locator('input:focus').waitFor()
  await typeCard(page, '0238')
  await page.locator('#brand').getByText('visa').waitFor()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('alert').getByText('The payment was declined').waitFor()
  await typeCard(page, '0138', '4111111111111112')
  await inputOf(page, 'cvv').press('Enter')
  await page.getByRole('alert').getByText('Invalid card number').waitFor()
  await typeCard(page)
  await inputOf(page, 'cvv').press('Enter')
  await page.waitForURL((url) => url.pathname === '/return')
  const { basket, payment_id = '' } = Object.fromEntries(new URL(page.url()).searchParams)
  assert.equal(basket, '7')
  assert.equal((await checkout.status({ payment_id })).body.status, 'settled')
  assert.deepEqual(complaints, [])
})

test('the frames may be embedded where the mapping allows it, and run nothing inline', async () => {
  await checkout.choose({ embeddingOrigins: [front.url] })
  const sessionToken = await token()
  const { page } = await visit()
  const answered = page.waitForResponse((response) => response.url().includes('/hosted-fields/card'))
  await page.evaluate(`fields.init(${JSON.stringify({ sessionToken, fields: allFields })})`)
  const policy = (await answered).headers()['content-security-policy'] ?? ''
  assert.ok(policy.includes(`frame-ancestors ${front.url}`), policy)
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/)
  assert.match(policy, /default-src 'none'/)
})

test('the script of a release is also available under its own address, for pages that pin it', async () => {
  const { version: release } = (await (await fetch(`${shop.url}/service/version`)).json()) as { version: string }
  assert.ok(release)
  const [usual, pinned] = await Promise.all(
    ['/sdk/hosted-fields.js', `/sdk/${release}/hosted-fields.js`].map(async (path) => fetch(`${shop.url}${path}`)),
  )
  assert.equal(await usual?.text(), await pinned?.text())
  assert.match(pinned?.headers.get('cache-control') ?? '', /immutable/)
})
