import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeUser, PanelClient } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { cookieOf } from './cookie.ts'

const secure = { origin: 'https://pay.example.com', host: 'pay.example.com' }
const local = { origin: 'http://127.0.0.1:8080', host: '127.0.0.1' }

let shop: Shop
before(async () => {
  shop = await openShop({ BASE_URL: 'https://pay.example.com' }, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())

test('behind https the session’s cookie has the prefix that ties it to this host', async () => {
  const browser = new PanelClient(shop.url)
  const answer = await browser.signIn(await makeUser(shop))
  assert.equal(answer.http, 200)
  assert.match(
    answer.headers.get('set-cookie') ?? '',
    /^__Host-gatehouse-admin=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
  )
  assert.equal((await browser.get('/session')).http, 200)
})

test('there a cookie without the prefix, which another host could have set, opens nothing', async () => {
  const browser = new PanelClient(shop.url)
  await browser.signIn(await makeUser(shop))
  browser.cookie = browser.cookie.replace('__Host-', '')
  assert.equal((await browser.get('/session')).http, 401)
})

test('signing out takes the cookie away', async () => {
  const browser = new PanelClient(shop.url)
  await browser.signIn(await makeUser(shop))
  const answer = await browser.send('DELETE', '/session')
  assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-gatehouse-admin=; .*Secure; Max-Age=0$/)
})

test('the cookie is found among others, by its own name alone', () => {
  const header = 'a=1; x__Host-gatehouse-admin=no; __Host-gatehouse-admin=yes; gatehouse-admin=local'
  assert.equal(cookieOf(secure, header), 'yes')
  assert.equal(cookieOf(local, header), 'local')
  assert.equal(cookieOf(secure, 'gatehouse-admin=local'), '')
})
