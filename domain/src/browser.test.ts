import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knowsBrowser, mergeBrowserFacts } from './browser.ts'
import type { BrowserFacts } from './payment/facts.ts'

const whole: BrowserFacts = {
  colorDepth: '24',
  screenHeight: '720',
  screenWidth: '1280',
  javaEnabled: null,
  javascriptEnabled: 'true',
  language: 'en',
  timezoneOffset: '-60',
  userAgent: 'Example/1',
  acceptHeaders: 'text/html',
  platform: null,
}

test('a browser is known when it has every fact that 3-D Secure needs', () => {
  assert.equal(knowsBrowser(whole), true)
  assert.equal(knowsBrowser({ ...whole, screenWidth: null }), false)
  assert.equal(knowsBrowser(undefined), false)
  assert.equal(knowsBrowser(null), false)
})

test("observed values take precedence, and the merchant's values fill the gaps", () => {
  const seen = { ...whole, language: 'de', colorDepth: null }
  const merged = mergeBrowserFacts(seen, { ...whole, platform: 'Linux' })
  assert.deepEqual([merged.language, merged.colorDepth, merged.platform], ['de', '24', 'Linux'])
  assert.equal(mergeBrowserFacts(seen, undefined), seen)
})
