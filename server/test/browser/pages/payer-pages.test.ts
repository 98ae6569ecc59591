/** Each page that payers see, in a real browser: accessible, readable at 320 px, in light and dark. Chapter 30 §7.9. */
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { languages } from '#domain/place/language.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { openBrowser, violationsOn } from '../../pages/chromium.ts'
import { key, payerScene, type Staging, transId } from '../../pages/payer-scene.ts'
import { tabsOf } from '../../pages/tabs.ts'

const browser = await openBrowser()
const tabs = tabsOf(browser)
const cleanups: (() => Promise<unknown>)[] = []
after(() => browser.close())
afterEach(async () => {
  await tabs.clear()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const storedForm = {
  url: 'https://acs.example.com/start',
  method: 'POST',
  params: { PaReq: 'x', submit: 'y' },
} as const

interface ShownPage {
  readonly path: string
  readonly staging: Staging
}

// biome-ignore format: a table is read in columns.
const pages: Readonly<Record<string, ShownPage>> = {
  // page              address                                        state behind it
  collector:         { path: `/verify/3ds/${transId}/${key}`,         staging: {} },
  form:              { path: `/redirect/${transId}/${key}`,           staging: { stored: storedForm } },
  continue:          { path: `/verify/redirect/${transId}/${key}`,    staging: { finished: true, override: '_blank' } },
  'used up':         { path: `/redirect/${transId}/${key}`,           staging: {} },
  invalid:           { path: `/verify/3ds/${transId}/wrong`,          staging: {} },
  fault:             { path: `/verify/3ds/${transId}/${key}`,         staging: { fails: true } },
}

async function show({ path, staging }: ShownPage, language = 'en', options: BrowserContextOptions = {}): Promise<Page> {
  const { app } = await payerScene({ ...staging, language, title: 'The Shop of Very Good Shoes' })
  cleanups.push(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const tag = languages.find(({ code }) => code === language)?.tag ?? 'en'
  const page = await tabs.open({ viewport: { width: 320, height: 600 }, locale: tag, ...options })
  // Scripts of the pages may not submit, so that the page stays for inspection.
  await page.addInitScript('HTMLFormElement.prototype.submit = () => {}')
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const response = await page.goto(`${url}${path}`)
  // A page answered with an error status also logs that to the console; only messages of its policy or script count.
  const own = complaints.filter((text) => !text.includes(`status of ${response?.status()}`))
  assert.deepEqual(own, [])
  return page
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

for (const [name, shown] of Object.entries(pages)) {
  describe(name, () => {
    for (const language of ['en', 'ar'])
      test(`no accessibility violations, in light and in dark: ${language}`, async () => {
        const page = await show(shown, language)
        // Colours and sizes do not depend on the language.
        const isWhole = isFullRun || language === 'en'
        assert.deepEqual(await violationsOn(page, isWhole ? 'whole' : 'structure'), [])
        await page.emulateMedia({ colorScheme: 'dark' })
        if (isWhole) assert.deepEqual(await violationsOn(page, 'colours'), [], 'dark')
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
        assert.equal(await page.evaluate('document.dir'), language === 'ar' ? 'rtl' : 'ltr')
      })

    test('buttons are 44 px high and show the keyboard focus', async () => {
      const page = await show(shown, 'en', { javaScriptEnabled: false })
      for (const button of await page.locator('.button').all()) {
        const { height = 0 } = (await button.boundingBox()) ?? {}
        assert.ok(height >= 44, `${height} px`)
      }
      await page.keyboard.press('Tab')
      assert.equal(await page.locator('.button:focus-visible').count(), await page.locator('.button').count())
    })
  })
}

test('every language fits the width of a small phone, also with a large font', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 600 } })
  const page = await context.newPage()
  for (const { code } of languages) {
    const { app } = await payerScene({ override: '_blank', finished: true, language: code })
    cleanups.push(() => app.close())
    await page.goto(`${await app.listen({ host: '127.0.0.1', port: 0 })}/verify/3ds/${transId}/${key}`)
    assert.ok(Number(await page.evaluate(overflow)) <= 0, code)
    await page.evaluate(`document.documentElement.style.setProperty('font-size', '200%')`)
    assert.ok(Number(await page.evaluate(overflow)) <= 0, `${code} at 200 %`)
  }
})

test('a page whose script works hides its button, one whose script does not shows it', async () => {
  const shown = pages['form']
  assert.ok(shown)
  assert.equal(await (await show(shown)).getByRole('button').count(), 0)
  const without = await show(shown, 'en', { javaScriptEnabled: false })
  assert.equal(await without.getByRole('button', { name: 'Continue' }).isVisible(), true)
})

test('a field called submit does not prevent a form from being sent', async () => {
  const { app } = await payerScene({ stored: { ...storedForm, url: 'http://127.0.0.1:9/acs' } })
  cleanups.push(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await (await browser.newContext()).newPage()
  const sent = page.waitForRequest('http://127.0.0.1:9/acs')
  await page.goto(`${url}/redirect/${transId}/${key}`).catch(() => null)
  assert.equal((await sent).postData(), 'PaReq=x&submit=y')
})
