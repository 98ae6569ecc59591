/** The checks of a live instance in the panel: a banner above every page, and the complete list on the Health page. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../../../../tools/build-web.ts'
import { openBrowser } from '../../pages/chromium.ts'
import { adminContext, makeUser, PanelClient } from '../../panel/admin.ts'
import { checkPage, waitUntilLoaded } from '../../panel/panel-scene.ts'
import { openShop, type Shop } from '../../shop.ts'

const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }

let shop: Shop
let browser: Browser
let panelUrl: string
before(async () => {
  await buildWeb()
  shop = await openShop({
    GATEHOUSE_MODE: 'live',
    GATEHOUSE_KEYS: JSON.stringify(keys),
    BASE_URL: 'https://pay.example',
    ADMIN_PORT: '0',
  })
  panelUrl = (await shop.service.adminApp?.listen({ host: '127.0.0.1', port: 0 })) ?? assert.fail()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await shop.service.adminApp?.close()
  await shop[Symbol.asyncDispose]()
})

/** A live panel requires a second factor of every user. */
async function seat(role: string): Promise<{ readonly page: Page; readonly client: PanelClient }> {
  const client = new PanelClient(panelUrl)
  assert.equal((await client.signIn(await makeUser(shop, { role }))).http, 200)
  const { secret } = (await client.post('/account/second-factor')).body
  const timestamp = adminContext(shop).machine.now().getTime()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  assert.equal((await client.send('PUT', '/account/second-factor', { code })).http, 200)
  const context = await browser.newContext()
  context.setDefaultTimeout(10_000)
  const [name = '', value = ''] = client.cookie.split('=')
  await context.addCookies([{ name, value, url: `${panelUrl}/admin` }])
  return { page: await context.newPage(), client }
}

const midSentence = (name: string): string => `The live MID "${name}" uses the sandbox connector, which moves no money.`

test('a failed check is above every page with its remedy, Health lists all checks, and both disappear when it is fixed', async () => {
  const { page, client } = await seat('owner')
  const { findings } = (await client.get('/system/findings')).body
  assert.ok(findings.length > 1)
  await page.goto(`${panelUrl}/admin/payments`)
  const banner = page.getByRole('alert')
  await banner.getByText(findings[0].sentence).waitFor()
  const text = (await banner.textContent()) ?? ''
  assert.ok(text.includes(findings[0].remedy), text)
  const red = findings.filter(({ severity }: { severity: string }) => severity === 'red').length
  assert.ok(red > 1)
  assert.ok(text.includes(` And ${red - 1} more.`), text)
  await waitUntilLoaded(page)
  await checkPage(page, 'live-banner')

  await banner.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  const checks = page.locator('section', { has: page.getByRole('heading', { name: 'Live instance checks' }) })
  await checks.getByText(findings[0].sentence).waitFor()
  const listed = (await checks.getByRole('listitem').allTextContents()).map((one) => one.replace(/\s+/g, ' '))
  assert.equal(listed.length, findings.length)
  for (const { sentence, remedy } of findings)
    assert.ok(
      listed.some((one) => one.includes(sentence) && one.includes(remedy)),
      sentence,
    )
  await waitUntilLoaded(page)
  await checkPage(page, 'live-health')

  const name = findings
    .map((one: { sentence: string }) => /^The live MID "([^"]+)"/.exec(one.sentence)?.[1])
    .find(Boolean)
  await checks.getByText(midSentence(name)).waitFor()
  await shop.base.pool.query('update mids set enabled = false where name = $1', [name])
  await page.reload()
  await checks.getByRole('listitem').first().waitFor()
  assert.equal(await page.getByText(midSentence(name)).count(), 0)
  await page.context().close()
})

test('a user without the permission sees no banner, and the browser does not request it', async () => {
  const { page, client } = await seat('support')
  const requestPaths: string[] = []
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
  assert.equal((await client.get('/system/findings')).http, 403)
  await page.goto(`${panelUrl}/admin/payments`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.ok(requestPaths.includes('/admin/api/session'), requestPaths.join(' '))
  assert.ok(!requestPaths.includes('/admin/api/system/findings'), requestPaths.join(' '))
  await page.context().close()
})

test("the documentation beside the panel has the test key of the signed-in user's merchant, and no password", async () => {
  const { page, client } = await seat('owner')
  const { merchants }: { readonly merchants: readonly { readonly title: string; readonly testKey: string }[] } = (
    await client.get('/merchants')
  ).body
  const [first, second] = merchants
  assert.ok(first && second)
  await page.goto(`${panelUrl}/docs/first-payment`)
  await page.getByText('The examples have the test key of').waitFor()
  const example = page.locator('.language:not([hidden]) code').first()
  const shown = (await example.textContent()) ?? ''
  for (const line of ["BASE_URL='https://pay.example'", `KEY='${first.testKey}'`, "PASSWORD='YOUR_PASSWORD'"])
    assert.ok(shown.includes(line), shown)
  await page.getByLabel('Merchant of the examples').selectOption({ label: second.title })
  await example.getByText(second.testKey).waitFor()

  const stranger = await browser.newPage()
  await stranger.goto(`${panelUrl}/docs/first-payment`)
  await stranger.getByText("BASE_URL='https://pay.example'").first().waitFor()
  assert.ok(((await stranger.locator('main').textContent()) ?? '').includes("KEY='YOUR_KEY'"))
  await stranger.close()
  await page.context().close()
})
