import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type IdentityHost,
  oidcSettings,
  startIdentityHost,
  Traveller,
} from '../../../../../test/oidc/identity-host.ts'
import { makeUser, merchantId, PanelClient } from '../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../test/shop.ts'

const people = {
  ann: { email: 'ann@acme.example', name: 'Ann Smith', groups: ['help', 'other'] },
  bob: { email: 'bob@acme.example', name: 'Bob', groups: ['shop'], amr: ['pwd', 'mfa'] },
  eve: { email: 'eve@acme.example', name: 'Eve', groups: ['visitors'] },
  dan: { email: 'dan@acme.example', name: 'Dan', groups: ['help'], email_verified: false },
  ned: { email: 'ned@acme.example', name: 'Ned', groups: ['shop'], amr: ['mfa'], authenticatedSecondsAgo: 5 * 3600 },
  kim: { email: 'kim@acme.example', name: 'Kim', groups: ['owners'] },
  max: { email: 'local@acme.example', name: 'Max', groups: ['owners'] },
}
const groups = 'owners=owner; help=support; shop=merchant-admin:demo'

let host: IdentityHost
let shop: Shop
before(async () => {
  host = await startIdentityHost(people)
  shop = await openShop({ ...oidcSettings(host, groups), REQUIRE_SECOND_FACTOR: 'merchant-admin,owner' })
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const start = (at = shop) => `${at.url}/admin/sso/start?next=/payments`
const refusal = (reply: Response) => new URL(reply.headers.get('location') ?? '').searchParams.get('sso')

async function signIn(person: string, at = shop) {
  const traveller = new Traveller()
  const back = await traveller.signInAt(start(at), person)
  const reply = await traveller.visit(back)
  const browser = new PanelClient(at.url)
  browser.cookie = traveller.cookiesFor(at.url)
  return { traveller, back, reply, browser, session: await browser.get('/session') }
}

test('a user of the provider is made at the first sign-in, with the rights of the groups, and comes to the requested page', async () => {
  const { reply, browser, session } = await signIn('ann')
  assert.equal(reply.headers.get('location'), `${shop.url}/admin/payments`)
  assert.equal(session.http, 200, session.text)
  const { user, permissions, proofs, merchantIds } = session.body
  assert.deepEqual([user.email, user.name, user.role, merchantIds], ['ann@acme.example', 'Ann Smith', 'support', null])
  assert.ok(permissions.includes('callbacks.resend'))
  assert.deepEqual(proofs, ['sso'])
  const { rows } = await shop.base.pool.query(`select action, actor from audit_log where subject = $1 order by seq`, [
    `user ${user.id}`,
  ])
  assert.deepEqual(rows, [
    { action: 'user.create', actor: 'single sign-on' },
    { action: 'session.open', actor: 'ann@acme.example' },
  ])
  browser.csrf = session.body.csrf
  const gone = await browser.send('DELETE', '/session', {})
  assert.ok(gone.body.leaveTo.startsWith(`${host.issuer}/session/end`), 'signs out at the provider as well')
})

test('groups decide at every sign-in, and name merchants', async () => {
  const demo = await merchantId(shop, 'demo')
  const { session } = await signIn('bob')
  assert.deepEqual([session.body.user.role, session.body.merchantIds], ['merchant-admin', [demo]])
  await shop.base.pool.query(`update users set role = 'owner', all_merchants = true where email = 'bob@acme.example'`)
  const again = await signIn('bob')
  assert.deepEqual([again.session.body.user.role, again.session.body.merchantIds], ['merchant-admin', [demo]])
  const { rows } = await shop.base.pool.query(`select id from users where email = 'bob@acme.example'`)
  assert.equal(rows.length, 1)
})

test('a user without a group, without a confirmed second factor or address, disabled, or with the address of a local account stays out', async () => {
  await shop.base.pool.query(`update users set status = 'disabled' where email = 'ann@acme.example'`)
  const { id } = await makeUser(shop)
  await shop.base.pool.query(`update users set email = 'local@acme.example' where id = $1`, [id])
  for (const [person, reason] of [
    ['eve', 'group'],
    ['kim', 'factor'],
    ['dan', 'invalid'],
    ['ann', 'disabled'],
    ['max', 'taken'],
    ['nobody', 'refused'],
  ] as const) {
    const { reply, session } = await signIn(person)
    assert.deepEqual([refusal(reply), session.http], [reason, 401], person)
  }
  const { rows } = await shop.base.pool.query<{ reason: string }>(
    `select after::json ->> 'reason' as reason from audit_log where subject = 'single sign-on' order by seq`,
  )
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['group', 'factor', 'invalid', 'disabled', 'taken', 'refused'],
  )
})

test('the answer counts once, in the browser that asked, from the issuer that was asked', async () => {
  const { back, traveller } = await signIn('bob')
  assert.equal(refusal(await traveller.visit(back)), 'expired', 'replayed')

  const victim = new Traveller()
  const planted = await victim.signInAt(start(), 'bob')
  assert.equal(refusal(await new Traveller().visit(planted)), 'expired', 'of another browser')

  for (const [change, reason] of [
    [(url: URL) => url.searchParams.set('iss', 'https://evil.example'), 'invalid'],
    [(url: URL) => url.searchParams.set('code', 'forged'), 'invalid'],
    [(url: URL) => url.searchParams.set('state', 'forged'), 'expired'],
  ] as const) {
    const other = new Traveller()
    const url = new URL(await other.signInAt(start(), 'bob'))
    change(url)
    assert.equal(refusal(await other.visit(url.href)), reason, url.search)
  }
})

/** Only with a proof of the last five minutes. */
const createUser = async (by: PanelClient, { session }: Awaited<ReturnType<typeof signIn>>) => {
  by.csrf = (await by.get('/session')).body.csrf
  const user = { email: 'new@acme.example', name: 'New', role: 'merchant-viewer', allMerchants: false }
  return by.post('/users', { ...user, merchantIds: session.body.merchantIds })
}

test('a sign-in proves the identity from the moment of the authentication at the provider, and for five minutes', async () => {
  const arrival = await signIn('bob')
  await shop.base.pool.query(
    `update admin_sessions set proven_at = proven_at - interval '301 seconds' where method = 'sso'`,
  )
  assert.equal((await createUser(arrival.browser, arrival)).body.error.code, 'step_up_required')
  assert.equal((await arrival.browser.post('/session/proof', { password: 'kettle of my own 7' })).http, 409)

  // An open session at the provider lets the browser in without its user.
  const unattended = await signIn('ned')
  assert.equal(unattended.session.http, 200)
  assert.equal((await createUser(unattended.browser, unattended)).body.error.code, 'step_up_required')

  const traveller = new Traveller()
  const address = await traveller.visit(`${start()}&fresh=1`)
  assert.match(address.headers.get('location') ?? '', /prompt=login&max_age=0/)
  await traveller.visit(await traveller.signInAt(`${start()}&fresh=1`, 'bob'))
  const again = new PanelClient(shop.url)
  again.cookie = traveller.cookiesFor(shop.url)
  const creation = await createUser(again, arrival)
  assert.equal(creation.http, 200, creation.text)
})

test('a provider that was asked to authenticate the user anew and does not, or does not say when it did, is refused', async () => {
  for (const habits of [{ ignoresPrompts: true }, { hidesAuthTime: true, ignoresPrompts: true }]) {
    const lax = await startIdentityHost(people, habits)
    await using other = await openShop(oidcSettings(lax, groups))
    const traveller = new Traveller()
    const back = await traveller.signInAt(`${start(other)}&fresh=1`, 'ned')
    assert.equal(refusal(await traveller.visit(back)), 'stale')
    const silent = await signIn('ned', other)
    assert.equal((await createUser(silent.browser, silent)).body.error.code, 'step_up_required')
    await lax.stop()
  }
})

test('behind https the cookie of the state has the prefix that ties it to this host, and no other cookie stands for it', async () => {
  await using secure = await openShop({ ...oidcSettings(host, groups), ADMIN_URL: 'https://panel.example' })
  const from = (path: string, cookie = '') =>
    fetch(`${secure.url}/admin/sso/${path}`, { redirect: 'manual', headers: { host: 'panel.example', cookie } })
  // The state is the right one, and the answer without its issuer is what is refused.
  for (const [prefix, reason] of [
    ['', 'expired'],
    ['__Host-', 'invalid'],
  ] as const) {
    const [cookie = ''] = (await from('start')).headers.getSetCookie()
    assert.match(cookie, /^__Host-gatehouse-sso=[\w-]+; HttpOnly; SameSite=Lax; Path=\/; Secure; Max-Age=900$/)
    const [, state = ''] = cookie.split(/[=;]/)
    const back = await from(`callback?state=${state}&error=access_denied`, `${prefix}gatehouse-sso=${state}`)
    assert.equal(refusal(back), reason)
  }
})

test('a user of the provider has no local way in: neither password, nor reset, nor a factor of their own', async () => {
  const { browser, session } = await signIn('bob')
  browser.csrf = session.body.csrf
  for (const path of ['/account/second-factor', '/account/passkeys/challenge'])
    assert.equal((await browser.post(path)).http, 409, path)
  const owner = new PanelClient(shop.url)
  const local = await makeUser(shop, { role: 'owner' })
  await shop.base.pool.query(`update users set require_second_factor = false where id = $1`, [local.id])
  await shop.base.pool.query(
    `update users set password_hash = (select password_hash from users where id = $1) where email = 'bob@acme.example'`,
    [local.id],
  )
  assert.equal(
    (await owner.signIn({ email: 'bob@acme.example', password: local.password })).body.error.code,
    'wrong_credentials',
  )
})

test('a wrong clock is named, and a provider that is down leaves the local accounts their way in', async () => {
  const late = await startIdentityHost(people, { clockOffsetMs: -3 * 3_600_000 })
  const early = await startIdentityHost(people, { clockOffsetMs: 3_600_000 })
  for (const wrong of [late, early]) {
    await using other = await openShop(oidcSettings(wrong, groups))
    assert.equal(refusal((await signIn('ann', other)).reply), 'clock')
    await wrong.stop()
    const traveller = new Traveller()
    const known = await traveller.signInAt(start(other), 'ann').catch((error: Error) => error.message)
    assert.match(String(known), /fetch failed/, 'the browser itself finds the provider down')
    const local = new PanelClient(other.url)
    assert.equal((await local.signIn(await makeUser(other))).http, 200)
  }
  await using cold = await openShop(oidcSettings(late, groups))
  assert.equal(refusal(await new Traveller().visit(start(cold))), 'unavailable')
  assert.equal((await new PanelClient(cold.url).get('/session/options')).body.singleSignOn, 'Acme ID')
})
