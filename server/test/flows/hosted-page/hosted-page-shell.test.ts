/** The page as the server sends it, and the resources that browsers load. Chapter 30 §7.2, §7.4, §7.6, §7.9, §9.4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { release } from '#server/process/release.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const page = (token: string, headers: Record<string, string> = {}) => fetch(`${shop.url}/auth/${token}`, { headers })
const policyOf = (reply: Response) => reply.headers.get('content-security-policy') ?? ''

test('the page is a skeleton without inline scripts, cookies or payment data', async () => {
  const payer = await Payer.at(shop, { order: { description: 'A secret book' } })
  const reply = await page(payer.token)
  const text = await reply.text()
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(text, /<html lang="en" dir="ltr">/)
  assert.match(text, /<noscript><p>.+JavaScript.+<\/p><\/noscript>/)
  assert.match(text, /<div id="checkout" data-language="en"/)
  assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)/)
  assert.doesNotMatch(text, /secret book/)
  assert.equal(reply.headers.get('set-cookie'), null)
})

test('policy and headers are those of the chapter', async () => {
  const payer = await Payer.at(shop)
  const reply = await page(payer.token)
  const policy = policyOf(reply).split('; ')
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    'frame-ancestors https://shop.example https://www.shop.example',
    "require-trusted-types-for 'script'",
    'report-uri /page/v1/report',
  ]) {
    assert.ok(policy.includes(rule), `${rule} is missing in ${policy.join('; ')}`)
  }
  assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  // This instance is reached by http, so the header must be absent.
  assert.equal(reply.headers.get('strict-transport-security'), null)
  assert.equal(reply.headers.get('permissions-policy'), 'payment=(self)')
})

test('the merchant may name the pages that embed it', async () => {
  const payer = await Payer.at(shop)
  await payer.checkout.choose({ embeddingOrigins: ['https://shop.example', 'https://m.shop.example'] })
  const policy = policyOf(await page(payer.token))
  await payer.checkout.choose({})
  assert.match(policy, /frame-ancestors https:\/\/shop\.example https:\/\/m\.shop\.example;/)
})

const languageCases: readonly (readonly [string | undefined, string, string])[] = [
  [undefined, 'en', 'ltr'],
  ['de', 'de', 'ltr'],
  ['SP', 'es', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['zh', 'zh-Hans', 'ltr'],
  ['zh-tw', 'zh-Hant', 'ltr'],
  ['tlh', 'en', 'ltr'],
]
for (const [language, tag, direction] of languageCases) {
  test(`the language ${language ?? 'none'} is shown as ${tag}`, async () => {
    const payer = await Payer.at(shop, { billing_address: { language } })
    assert.match(await (await page(payer.token)).text(), new RegExp(`<html lang="${tag}" dir="${direction}">`))
    assert.equal((await payer.session()).direction, direction)
  })
}

test('without a language of the payer the mapping’s is used', async () => {
  const payer = await Payer.at(shop)
  await payer.checkout.choose({ defaultLanguage: 'ja' })
  const { language } = await payer.session()
  await payer.checkout.choose({})
  assert.equal(language, 'ja')
})

test('an invalid link is answered with 404 and a page, in the browser’s language', async () => {
  const fields = await Payer.at(shop)
  for (const token of ['nonsense', `${fields.token.slice(0, -6)}abcdef`]) {
    const reply = await page(token, { 'accept-language': 'fr' })
    assert.equal(reply.status, 404)
    assert.match(await reply.text(), /<html lang="fr"/)
  }
})

test('the page of a session that has ended is still shown', async () => {
  const payer = await Payer.at(shop)
  await payer.payAndExpectSuccess()
  assert.equal((await page(payer.token)).status, 200)
})

test('countries are named in the language, with states only for countries that have them', async () => {
  const payer = await Payer.at(shop)
  const { body } = await payer.get('/page/v1/countries?language=de')
  const named = (value: string) => body.find((one: { value: string }) => one.value === value)
  assert.equal(named('DE').text, 'Deutschland')
  assert.equal(named('DE').regions, null)
  assert.deepEqual(
    body
      .filter((one: { regions: unknown }) => one.regions !== null)
      .map((one: { value: string }) => one.value)
      .toSorted(),
    ['AU', 'CA', 'IN', 'JP', 'US'],
  )
  assert.deepEqual(named('CA').regions[0], { value: 'AB', text: 'Alberta' })
  assert.equal(body.length, 249)
})

test('the general terms exist in every language', async () => {
  const seen = new Set<string>()
  for (const { code, tag } of languages) {
    const text = await (await fetch(`${shop.url}/terms?language=${code}`)).text()
    assert.match(text, new RegExp(`<html lang="${tag}"`))
    seen.add(/<h1>(.+)<\/h1>/.exec(text)?.[1] ?? '')
  }
  assert.ok(seen.size >= 19, 'Most languages have a title of their own.')
})

test('a policy violation reported by a browser raises an alert, without the address of the page', async () => {
  const report = {
    'csp-report': {
      'document-uri': `${shop.url}/auth/secret`,
      'effective-directive': 'script-src',
      'blocked-uri': 'https://thief.example/x.js',
    },
  }
  const reply = await fetch(`${shop.url}/page/v1/report`, {
    method: 'POST',
    body: JSON.stringify(report),
    headers: { 'content-type': 'application/csp-report' },
  })
  assert.equal(reply.status, 204)
  assert.equal((await fetch(`${shop.url}/page/v1/report`, { method: 'POST', body: 'no json' })).status, 204)
  const { rows } = await shop.base.pool.query<{ text: string }>(`select text from alerts where kind = 'policy-report'`)
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['A browser reported a violation of the content security policy: script-src by https://thief.example.'],
  )
})

test('scripts of the SDK are served to any page; those of other releases are not', async () => {
  const reply = await fetch(`${shop.url}/sdk/hosted-fields.js`)
  // Without a build there is nothing to serve, and the service says so.
  assert.ok(reply.status === 200 || reply.status === 404)
  if (reply.status === 200) {
    assert.equal(reply.headers.get('access-control-allow-origin'), '*')
    const pinned = await fetch(`${shop.url}/sdk/${release}/hosted-fields.js`)
    assert.match(pinned.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(await pinned.text(), await reply.text())
  }
  assert.equal((await fetch(`${shop.url}/sdk/0.0.1/hosted-fields.js`)).status, 404)
  assert.equal((await fetch(`${shop.url}/web/..%2fmanifest.json`)).status, 404)
})

test('every script that is served is in the inventory, with its purpose', async () => {
  const reply = await fetch(`${shop.url}/sdk/inventory.json`)
  assert.equal(reply.status, 200)
  for (const { address, purpose, integrity } of (await reply.json()) as {
    address: string
    purpose: string
    integrity: string
  }[]) {
    assert.notEqual(purpose, 'Not described.')
    const script = Buffer.from(await (await fetch(`${shop.url}${address}`)).arrayBuffer())
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', script)).toString('base64')
    assert.equal(`sha256-${digest}`, integrity)
  }
})
