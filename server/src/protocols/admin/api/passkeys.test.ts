import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { Authenticator } from '../../../../test/panel/authenticator.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())
beforeEach(() => shop.base.pool.query('delete from sign_in_failures'))

/** Somebody with a passkey. */
async function registerPasskey() {
  const browser = await panelOf(shop)
  const authenticator = new Authenticator(shop.url)
  const { challengeId, options } = (await browser.post('/account/passkeys/challenge')).body
  const body = { challengeId, name: 'Phone', response: authenticator.make(options) }
  return { browser, authenticator, body, answer: await browser.post('/account/passkeys', body) }
}

async function signIn(authenticator: Authenticator, how: { verified?: boolean } = {}) {
  const browser = new PanelClient(shop.url)
  const { challengeId, options } = (await browser.post('/session/passkey/challenge')).body
  const response = authenticator.prove(options, how)
  return { browser, challengeId, response, answer: await browser.post('/session/passkey', { challengeId, response }) }
}

test('a passkey is registered, and signs in without a password', async () => {
  const { browser, authenticator, answer } = await registerPasskey()
  assert.equal(answer.http, 200)
  const entered = await signIn(authenticator)
  assert.equal(entered.answer.http, 200)
  const session = (await entered.browser.get('/session')).body
  assert.equal(session.user.id, browser.person.id)
  const sessions = (await browser.get('/sessions')).body.sessions
  assert.ok(sessions.some(({ method }: { method: string }) => method === 'passkey'))
})

test('a registration needs a fresh proof of the person', async () => {
  const { body } = await registerPasskey()
  const browser = await panelOf(shop)
  await shop.base.pool.query(`update admin_sessions set proven_at = now() - interval '6 minutes'`)
  const { challengeId, options } = (await browser.post('/account/passkeys/challenge')).body
  const response = new Authenticator(shop.url).make(options)
  const answer = await browser.post('/account/passkeys', { ...body, challengeId, response })
  assert.equal(answer.body.error.code, 'step_up_required')
})

test('challenges are not given without end: thirty of one address wait at most', async () => {
  const codes: number[] = []
  for (let requests = 0; requests < 31; requests += 1)
    codes.push((await new PanelClient(shop.url).post('/session/passkey/challenge')).http)
  assert.ok(codes.at(-1) === 429 && codes[0] === 200, codes.join())
  const { rows } = await shop.base.pool.query('select count(*)::int as open from passkey_challenges')
  assert.ok(rows[0].open <= 30)
  await shop.base.pool.query('delete from passkey_challenges')
})

test('a challenge counts once, and for who asked for it', async () => {
  const { authenticator, browser, body } = await registerPasskey()
  assert.equal((await browser.post('/account/passkeys', body)).http, 422, 'used')
  const { challengeId, response } = await signIn(authenticator)
  const again = await new PanelClient(shop.url).post('/session/passkey', { challengeId, response })
  assert.equal(again.http, 422)
  const own = (await browser.post('/account/passkeys/challenge')).body
  const misused = { challengeId: own.challengeId, response: authenticator.prove(own.options) }
  assert.equal((await new PanelClient(shop.url).post('/session/passkey', misused)).http, 422)
})

test('a passkey that nobody has, of another site, or without the person’s consent does not open anything', async () => {
  const { authenticator } = await registerPasskey()
  assert.equal((await signIn(new Authenticator(shop.url))).answer.http, 401)
  assert.equal((await signIn(authenticator, { verified: false })).answer.http, 401)
  const elsewhere = new Authenticator('https://evil.example')
  Object.assign(elsewhere, { id: authenticator.id })
  assert.equal((await signIn(elsewhere)).answer.http, 401)
})

test('a lock-out of passwords does not keep a passkey out', async () => {
  const { browser, authenticator } = await registerPasskey()
  for (let tries = 0; tries < 6; tries += 1)
    await new PanelClient(shop.url).signIn({ ...browser.person, password: 'wrong password' })
  assert.equal((await new PanelClient(shop.url).signIn(browser.person)).http, 429)
  assert.equal((await signIn(authenticator)).answer.http, 200)
})

test('one that was removed opens nothing any more', async () => {
  const { browser, authenticator, answer } = await registerPasskey()
  assert.equal((await browser.send('DELETE', `/account/passkeys/${answer.body.id}`)).http, 200)
  assert.deepEqual((await browser.get('/account/passkeys')).body.passkeys, [])
  assert.equal((await signIn(authenticator)).answer.http, 401)
})
