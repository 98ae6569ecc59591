/** The merchant's branding, as the page receives it. Chapter 30 §7.1, §7.10. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { changeBranding, clearBranding } from '#server/setup/branding.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail()
after(() => shop[Symbol.asyncDispose]())
afterEach(() => clearBranding(shop.base, merchant.id))

const context = { pool: shop.base.pool, clock: shop.base.clock, by: 'test' }
const logoOf = (fill: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${fill}" d="M0 0h8v8z"/></svg>`)
const brandingOf = async () => (await (await Payer.at(shop)).session()).branding

test('a merchant without a branding has only its name', async () => {
  assert.deepEqual(await brandingOf(), { name: merchant.title, logo: null, colours: null })
})

test('the page uses the merchant’s template, or the default', async () => {
  const templateOf = async () => {
    const text = await (await fetch(`${shop.url}/auth/${(await Payer.at(shop)).token}`)).text()
    return /<body data-template="([a-z]+)">/.exec(text)?.[1]
  }
  assert.equal(await templateOf(), 'card')
  await changeBranding(context, merchant.id, { template: 'split', button: '#ffd777' })
  await changeBranding(context, merchant.id, { button: null })
  assert.equal(await templateOf(), 'split')
  await changeBranding(context, merchant.id, { template: null })
  assert.equal(await templateOf(), 'card')
})

test('colours are returned as they were saved; the others are the page’s own', async () => {
  await changeBranding(context, merchant.id, { button: '#FFD777' })
  assert.deepEqual((await brandingOf()).colours, { heading: null, background: null, button: '#ffd777' })
})

test('the logo is served from this host under its hash, cacheable for good, and cannot run scripts', async () => {
  const logo = logoOf('red')
  await changeBranding(context, merchant.id, { logo })
  const { logo: path } = await brandingOf()
  assert.match(path, /^\/branding\/[0-9a-f]{64}$/)
  const reply = await fetch(`${shop.url}${path}`)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'image/svg+xml')
  assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), logo)
})

test('another logo has another address, and the previous one is gone', async () => {
  await changeBranding(context, merchant.id, { logo: logoOf('red') })
  const before = (await brandingOf()).logo
  await changeBranding(context, merchant.id, { logo: logoOf('blue'), button: '#ffd777' })
  assert.notEqual((await brandingOf()).logo, before)
  for (const path of [before, '/branding/none', `/branding/${'0'.repeat(64)}`]) {
    assert.equal((await fetch(`${shop.url}${path}`)).status, 404)
  }
})

test('a refused branding changes nothing', async () => {
  await changeBranding(context, merchant.id, { heading: '#000000', background: '#ffffff' })
  const change = await changeBranding(context, merchant.id, { heading: '#777777', logo: logoOf('red') })
  assert.deepEqual(change, {
    ok: false,
    faults: ['The heading #777777 on the background #ffffff has a contrast of 4.47:1; at least 4.5:1 is required.'],
  })
  const { logo, colours } = await brandingOf()
  assert.deepEqual([logo, colours.heading], [null, '#000000'])
})
