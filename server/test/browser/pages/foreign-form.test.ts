/**
 * A malicious merchant form: what its script can reach in the browser of an operator who is signed in to the panel, and what one merchant's
 * page can learn of another's. Chapter 30 §9.4, chapter 50 §8.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { moveForm, uploadForm } from '#server/setup/forms/forms.ts'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import { approveForm, attack, signInOperator, startThief } from '../../pages/attacking-form.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser } from '../../pages/chromium.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({ FORMS_DOMAIN: 'none' })
const checkout = new CheckoutClient(shop)
const browser = await openBrowser()
const thief = await startThief()
const panelCalls: { readonly path: string; readonly cookie: string }[] = []
shop.service.app.server.on('request', ({ url = '', headers }) => {
  if (url.startsWith('/admin')) panelCalls.push({ path: url, cookie: headers.cookie ?? '' })
})
after(async () => {
  await browser.close()
  await thief.stop()
  await shop[Symbol.asyncDispose]()
})

async function link(over: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await checkout.session(over)
  assert.equal(answer.http, 200, answer.text)
  return answer.body.redirect_url
}

const waitForAttack = (page: Page): Promise<unknown> => page.locator('html[data-attacked]').waitFor()

describe('a form that attacks the panel, opened by a signed-in operator', () => {
  test('reads nothing of the panel, sends nothing out of the browser, and still works as a form', async () => {
    assert.equal((await shop.sale()).body.result, 'SUCCESS')
    await approveForm(shop, 'attack', attack(thief.url))
    const context = await signInOperator(shop, browser)
    const panel = await context.newPage()
    await panel.goto(`${shop.url}/admin`)
    await panel.getByRole('heading', { level: 1 }).waitFor()
    await panel.close()
    panelCalls.length = 0
    const page = await context.newPage()
    await page.goto(await link({ form_id: 'attack' }))
    await page.locator('#order:not(:empty)').waitFor()
    await waitForAttack(page)
    assert.deepEqual(await page.evaluate('loot'), {})
    assert.deepEqual(thief.received, [])
    assert.deepEqual(
      panelCalls.filter(({ cookie }) => cookie !== ''),
      [],
    )
    await context.close()
  })
})

describe('documents of merchants', () => {
  test('a file of an archive that is opened directly runs no script and has no origin', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "ran " + origin</script></svg>'
    const archive = zipOf({ 'index.html': '<p>form</p>', 'img/a.svg': svg, 'js/a.js': 'document.title = "ran"' })
    const context = { ...shop.base, by: 'test' }
    const merchantId = shop.service.configuration.byKey(shop.merchant().key)?.merchant.id ?? ''
    const uploaded = await uploadForm(context, { merchantId, formId: 'files', archive, baseUrl: shop.url })
    assert.ok(uploaded.ok && (await moveForm(context, uploaded.form, 'approved')).ok)
    const page = await (await browser.newContext()).newPage()
    for (const file of ['img/a.svg', 'js/a.js']) {
      const reply = await page.goto(`${shop.url}/forms/${uploaded.form.id}/${file}`)
      assert.equal(await page.evaluate('self.origin'), 'null', file)
      assert.doesNotMatch(await page.title(), /ran/, file)
      assert.equal(reply?.headers()['x-content-type-options'], 'nosniff', file)
    }
    await page.context().close()
  })

  test('two forms that are open side by side can access neither each other’s document nor its storage', async () => {
    await approveForm(shop, 'left', '')
    await approveForm(shop, 'right', '', 'demo-sha256')
    const context = await browser.newContext()
    const left = await context.newPage()
    await left.goto(await link({ form_id: 'left' }))
    const { redirect_url: other } = (
      await checkout.session({ form_id: 'right' }, { merchant: 'demo-sha256', digest: 'sha256' })
    ).body
    const outcome = await left.evaluate(`(async () => {
      const tried = (get) => { try { return String(get()) } catch (error) { return error.name } }
      const opened = window.open(${JSON.stringify(other)})
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return [
        tried(() => opened.document.body.innerHTML),
        tried(() => opened.location.href),
        tried(() => localStorage.length),
        tried(() => document.cookie),
      ]
    })()`)
    assert.deepEqual(outcome, ['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError'])
    const [, right] = context.pages()
    assert.equal(
      await right?.evaluate('(() => { try { return opener.document.title } catch (e) { return e.name } })()'),
      'SecurityError',
    )
    await context.close()
  })
})

describe('a document without an origin', () => {
  const ask = (token: string, path = 'session') =>
    fetch(`${shop.url}/page/v1/${path}`, { headers: { token, origin: 'null' } })

  test('gets answers for a session that shows a form, without credentials, and is refused for any other', async () => {
    await approveForm(shop, 'plain', '')
    const [shown = '', standard = ''] = [await link({ form_id: 'plain' }), await link({})].map(
      (url) => url.split('/auth/')[1],
    )
    const answer = await ask(shown)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'null')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.equal((await ask(standard)).status, 403)
  })

  test('is offered no wallet, because wallets need an origin', async () => {
    await approveForm(shop, 'walletless', '')
    const token = (await link({ form_id: 'walletless', methods: ['card', 'walletapay', 'walletbpay'] })).split(
      '/auth/',
    )[1]
    const { methods } = (await (await ask(token ?? '')).json()) as { methods: { code: string }[] }
    assert.deepEqual(
      methods.map(({ code }) => code),
      ['card'],
    )
  })
})

describe('the hosted page in a frame', () => {
  test('is shown on the site that its session names, and on no other', async () => {
    const token = (await link({ success_url: `${thief.url}/paid` })).split('/auth/')[1]
    const other = (await link({})).split('/auth/')[1]
    const page = await (await browser.newContext()).newPage()
    await page.goto(thief.url)
    const frame = (of: string | undefined): Promise<unknown> =>
      page.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.src = '${shop.url}/auth/${of}'
        frame.onload = resolve
        document.body.append(frame)
      })`)
    await frame(token)
    await page.frameLocator('iframe').getByLabel('Card number').waitFor()
    await page.reload()
    await frame(other)
    assert.equal(await page.frameLocator('iframe').getByLabel('Card number').count(), 0)
    await page.context().close()
  })
})
