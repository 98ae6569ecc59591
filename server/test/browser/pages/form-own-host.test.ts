/**
 * Forms on hosts of their own below `localhost`, the default of a sandbox: wallets work there, and the panel is as isolated as from a form
 * without an origin. Chapter 30 §9.4, chapter 40 §17.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { approveForm, attack, signInOperator, startThief } from '../../pages/attacking-form.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openBrowser } from '../../pages/chromium.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const checkout = new CheckoutClient(shop)
const browser = await openBrowser()
const thief = await startThief()
const panelCalls: string[] = []
shop.service.app.server.on('request', ({ url = '', headers }) => {
  if (url.startsWith('/admin')) panelCalls.push(`${headers.host} ${url}`)
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

test('a form that attacks the panel of a signed-in operator reads nothing of it and sends nothing out of the browser', async () => {
  assert.equal((await shop.sale()).body.result, 'SUCCESS')
  await approveForm(shop, 'attack', attack(thief.url, shop.url))
  const context = await signInOperator(shop, browser)
  const panel = await context.newPage()
  await panel.goto(`${shop.url}/admin`)
  await panel.getByRole('heading', { level: 1 }).waitFor()
  await panel.close()
  panelCalls.length = 0
  const page = await context.newPage()
  await page.goto(await link({ form_id: 'attack' }))
  await page.locator('#order:not(:empty)').waitFor()
  await page.locator('html[data-attacked]').waitFor()
  assert.equal(new URL(page.url()).hostname, 'demo.forms.localhost')
  // It has an origin and therefore its own, empty storage.
  assert.deepEqual(await page.evaluate('loot'), { storage: '{}' })
  assert.deepEqual(thief.received, [])
  assert.deepEqual(panelCalls, [])
  await context.close()
})

test('a browser that cannot resolve names below localhost gets the form at the usual address, without an origin', async () => {
  await approveForm(shop, 'plain', '')
  const address = await link({ form_id: 'plain' })
  const program = await fetch(address, { redirect: 'manual' })
  assert.equal(program.status, 200)
  assert.match(program.headers.get('content-security-policy') ?? '', /^sandbox allow-scripts/)
  const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
  const context = await browser.newContext({ userAgent: safari })
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('#order:not(:empty)').waitFor()
  assert.equal(await page.evaluate('self.origin'), 'null')
  await context.close()
})

test('the host of a form is isolated from the hosts of other merchants and of the service', async () => {
  await approveForm(shop, 'left', '')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(await link({ form_id: 'left' }))
  await page.locator('#order:not(:empty)').waitFor()
  const { port } = new URL(shop.url)
  for (const host of ['127.0.0.1', 'localhost', 'demo-sha256.forms.localhost']) {
    const outcome = await page.evaluate(`(async () => {
      const opened = window.open('http://${host}:${port}/service/alive')
      await new Promise((resolve) => setTimeout(resolve, 500))
      try { return opened.document.body.innerHTML } catch (error) { return error.name } finally { opened.close() }
    })()`)
    assert.equal(outcome, 'SecurityError', host)
  }
  await context.close()
})
