import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser, violationsOn } from './chromium.ts'

const browser = await openBrowser()
after(() => browser.close())

const pale = '<p style="color: #ccc; background: #fff">Pale</p>'

test('a violation is found in the whole page, and of parts only in the given ones', async () => {
  const page = await browser.newPage()
  await page.setContent(
    `<title>Parts</title><nav>${pale}</nav><main><h1>Parts</h1>${pale}<dialog open>${pale}</dialog></main>`,
  )
  const countOf = async (parts?: readonly string[]): Promise<number> => {
    const contrast = (await violationsOn(page, 'colours', parts)).filter((line) => line.startsWith('color-contrast'))
    return contrast.join().split('Pale').length - 1
  }
  assert.equal(await countOf(), 3)
  assert.equal(await countOf(['main', '.missing']), 2)
  assert.equal(await countOf(['dialog[open]', '.missing']), 1)
})
