import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeUser, merchantId, PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
let demo: string
let other: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
})
after(() => shop[Symbol.asyncDispose]())

let userCount = 0
const somebody = (rights: object = {}) => {
  userCount += 1
  const usual = { role: 'support', allMerchants: true, merchantIds: [] }
  return { email: `somebody${userCount}@example.com`, name: 'Somebody', ...usual, ...rights }
}

describe('users', () => {
  test('a new user signs in, and must change the password first', async () => {
    const wish = somebody()
    const { user, password } = (await owner.post('/users', wish)).body
    assert.equal(user.email, wish.email)
    const browser = new PanelClient(shop.url)
    assert.equal((await browser.signIn({ email: wish.email, password })).body.passwordTemporary, true)
    assert.equal((await browser.get('/payments')).body.error.code, 'password_change_first')
  })

  test('an initial password can only be changed: the person who set it cannot register a passkey with it', async () => {
    const wish = somebody()
    const { password } = (await owner.post('/users', wish)).body
    const browser = new PanelClient(shop.url)
    await browser.signIn({ email: wish.email, password })
    for (const [path, body] of [
      ['/account/passkeys/challenge', {}],
      ['/account/second-factor', {}],
    ] as const)
      assert.equal((await browser.post(path, body)).body.error?.code, 'password_change_first', path)
    assert.equal(
      (await browser.post('/account/password', { current: password, next: 'another of my own 7' })).http,
      200,
    )
    assert.equal((await browser.post('/account/passkeys/challenge')).http, 200)
  })

  test('a sandbox has a demo owner from the start, whose password every start can show', async () => {
    const { findDemoOwner } = await import('../../../../../demo/owner.ts')
    const login = await findDemoOwner(shop.base)
    assert.ok(login)
    assert.equal(login.email, 'demo@example.com')
    const browser = new PanelClient(shop.url)
    assert.equal((await browser.signIn(login)).http, 200)
    assert.equal((await browser.get('/users')).http, 200)
    await browser.post('/account/password', { current: login.password, next: 'kettle of my own 7' })
    assert.equal(await findDemoOwner(shop.base), null, 'one that was changed is not told')
  })

  test('a merchant’s admin makes people of that merchant, and nobody else', async () => {
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const own = { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] }
    assert.equal((await admin.post('/users', somebody(own))).http, 200)
    assert.equal((await admin.post('/users', somebody({ ...own, merchantIds: [demo, other] }))).http, 404)
    assert.equal((await admin.post('/users', somebody({ ...own, role: 'finance' }))).http, 403)
    assert.equal((await admin.post('/users', somebody({ ...own, allMerchants: true, merchantIds: [] }))).http, 422)
    assert.equal((await admin.post('/users', somebody({ role: 'support' }))).http, 403)
  })

  test('a merchant’s admin sees and changes neither the platform’s people nor another merchant’s', async () => {
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const foreign = await makeUser(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
    const both = await makeUser(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo, other] })
    const scopedOwner = await makeUser(shop, { role: 'owner', allMerchants: false, merchantIds: [demo] })
    const seen = (await admin.get('/users')).body.users.map(({ id }: { id: string }) => id)
    for (const { id } of [owner.person, foreign, both]) {
      assert.ok(!seen.includes(id))
      assert.equal((await admin.get(`/users/${id}`)).http, 404)
      assert.equal((await admin.send('PATCH', `/users/${id}`, { status: 'disabled' })).http, 404)
      assert.equal((await admin.post(`/users/${id}/password`)).http, 404)
    }
    assert.equal((await admin.post(`/users/${scopedOwner.id}/password`)).http, 403, 'nor takes over more rights')
  })

  test('a user cannot change their own rights, and the last owner cannot be removed', async () => {
    const raised = await owner.send('PATCH', `/users/${owner.person.id}`, { role: 'operator' })
    assert.equal(raised.http, 403)
    assert.equal((await owner.send('PATCH', `/users/${owner.person.id}`, { name: 'My name' })).http, 200)
    const { rows } = await shop.base.pool.query(
      `select id from users where role = 'owner' and all_merchants and status = 'active' and id <> $1`,
      [owner.person.id],
    )
    const second = await panelOf(shop)
    for (const { id } of rows) await second.send('PATCH', `/users/${id}`, { status: 'disabled' })
    // Two are left, and each takes the other away at the same moment: one of them stays.
    await Promise.all([
      second.send('PATCH', `/users/${owner.person.id}`, { status: 'disabled' }),
      owner.send('PATCH', `/users/${second.person.id}`, { status: 'disabled' }),
    ])
    const left = await shop.base.pool.query(
      `select id from users where role = 'owner' and all_merchants and status = 'active'`,
    )
    assert.equal(left.rows.length, 1)
    await shop.base.pool.query(`update users set status = 'active' where id = $1`, [owner.person.id])
    await owner.signIn(owner.person)
  })

  test('a new password ends the sessions', async () => {
    const victim = await panelOf(shop, { role: 'support' })
    const { password } = (await owner.post(`/users/${victim.person.id}/password`)).body
    assert.equal((await victim.get('/session')).http, 401)
    assert.equal((await new PanelClient(shop.url).signIn({ ...victim.person, password })).http, 200)
  })

  test('a user cannot reset their own password, so an open session does not give away the account', async () => {
    const found = await panelOf(shop)
    const { http, body } = await found.post(`/users/${found.person.id}/password`)
    assert.deepEqual([http, body.error.code], [403, 'forbidden'])
    assert.equal((await new PanelClient(shop.url).signIn(found.person)).http, 200, 'the password is what it was')
  })

  test('sessions of a user are listed and can be ended', async () => {
    const victim = await panelOf(shop, { role: 'support' })
    const { sessions } = (await owner.get(`/users/${victim.person.id}`)).body
    assert.equal(sessions.length, 1)
    assert.equal((await owner.send('DELETE', `/users/${victim.person.id}/sessions/${sessions[0].id}`)).http, 200)
    assert.equal((await victim.get('/session')).http, 401)
  })
})

describe('roles', () => {
  test('an operator’s own role is given to users, changes take effect at once, and it stays while a user has it', async () => {
    const role = { title: 'Night shift', permissions: ['callbacks.read', 'callbacks.resend'] }
    assert.equal((await owner.send('PUT', '/roles/night-shift', role)).http, 200)
    const night = await panelOf(shop, { role: 'night-shift' })
    assert.equal((await night.get(`/merchants/${demo}/callbacks`)).http, 200)
    assert.equal((await night.get('/payments')).http, 403)
    await owner.send('PUT', '/roles/night-shift', { ...role, permissions: ['payments.read'] })
    assert.equal((await night.get(`/merchants/${demo}/callbacks`)).http, 403)
    assert.equal((await night.get('/payments')).http, 200)
    assert.equal((await owner.send('DELETE', '/roles/night-shift')).http, 409)
    await owner.send('PATCH', `/users/${night.person.id}`, { role: 'support' })
    assert.equal((await owner.send('DELETE', '/roles/night-shift')).http, 200)
  })

  test('a built-in role stays as it is, and an unknown permission is refused', async () => {
    const role = { title: 'Mine', permissions: ['payments.read'] }
    assert.equal((await owner.send('PUT', '/roles/owner', role)).http, 422)
    assert.equal((await owner.send('PUT', '/roles/mine', { ...role, permissions: ['fly'] })).http, 422)
  })
})

test('the audit log of all this verifies, and holds no password', async () => {
  const { body } = await owner.get('/audit/verification')
  assert.ok(body.entries > 20)
  assert.deepEqual(body.faults, [])
  const { rows } = await shop.base.pool.query(
    `select after from audit_log where after like '%argon2id%' or after like '%"password":%'`,
  )
  assert.deepEqual(rows, [])
})

describe('service accounts', () => {
  const programOf = (bearer: string) => new PanelClient(shop.url, { authorization: `Bearer ${bearer}` })
  const created = async (rights: object = {}) => {
    userCount += 1
    const wish = { name: `importer-${userCount}`, role: 'support', allMerchants: true, merchantIds: [], ...rights }
    return (await owner.post('/service-accounts', wish)).body
  }

  test('a key opens what the role allows, for its merchants alone, without a cookie or a CSRF token', async () => {
    const { bearer } = await created({ role: 'finance', allMerchants: false, merchantIds: [demo] })
    const program = programOf(bearer)
    assert.equal((await program.get(`/payments?merchantId=${demo}`)).http, 200)
    assert.equal((await program.post('/exports', { filter: {} })).http, 200)
    assert.equal((await program.get(`/merchants/${other}/schedules`)).http, 404)
    assert.equal((await program.get('/users')).http, 403)
    const mine: string = (await shop.sale()).body.trans_id
    const captured = await program.post(`/merchants/${demo}/payments/${mine}/refund`, { amountMinor: '100' })
    assert.equal(captured.http, 200, captured.text)
  })

  test('a service account cannot create users or accounts, change a password, or see approvals', async () => {
    const program = programOf((await created({ role: 'owner' })).bearer)
    const rows = [
      ['POST', '/users', somebody()],
      ['POST', '/service-accounts', { name: 'another', role: 'support', allMerchants: true, merchantIds: [] }],
      ['POST', '/account/password', { current: 'x', next: 'y' }],
      ['GET', '/approvals/waiting', undefined],
    ] as const
    for (const [method, path, body] of rows) assert.equal((await program.send(method, path, body)).http, 403, path)
  })

  test('a new key replaces the old one after the time that was given, and a removed key ends at once', async () => {
    const { account, bearer, key } = await created()
    const path = `/service-accounts/${account.id}/keys`
    const next = (await owner.post(path, { othersEndInHours: 1 })).body
    assert.equal((await programOf(bearer).get('/payments')).http, 200, 'until then both')
    assert.equal((await owner.post(path, { othersEndInHours: 0 })).http, 200)
    assert.equal((await programOf(bearer).get('/payments')).http, 401)
    assert.equal((await programOf(next.bearer).get('/payments')).http, 401)
    const last = (await owner.post(path, {})).body
    assert.equal((await owner.send('DELETE', `${path}/${last.key.id}`)).http, 200)
    assert.equal((await programOf(last.bearer).get('/payments')).http, 401)
    const [shown] = (await owner.get('/service-accounts')).body.accounts.filter(
      ({ id }: { id: string }) => id === account.id,
    )
    const used = shown.keys.find(({ id }: { id: string }) => id === key.id)
    assert.ok(used.lastUsedAt, 'the last use is shown')
  })

  test('a disabled account, an ended key and a wrong key open nothing', async () => {
    const { account, bearer, key } = await created()
    assert.equal((await programOf(`${bearer.slice(0, -1)}x`).get('/payments')).http, 401)
    assert.equal((await owner.send('PATCH', `/users/${account.id}`, { status: 'disabled' })).http, 200)
    assert.equal((await programOf(bearer).get('/payments')).http, 401)
    assert.equal((await owner.send('PATCH', `/users/${account.id}`, { status: 'active' })).http, 200)
    await shop.base.pool.query(`update service_keys set expires_at = created_at where id = $1`, [key.id])
    assert.equal((await programOf(bearer).get('/payments')).http, 401)
  })

  test('a service account is not in the list of users, has no password, and is named in the audit log', async () => {
    const { account, bearer } = await created({ role: 'finance' })
    const { users } = (await owner.get('/users')).body
    assert.ok(!users.some(({ id }: { id: string }) => id === account.id))
    assert.equal((await owner.post(`/users/${account.id}/password`)).http, 404)
    await programOf(bearer).post('/exports', { filter: {} })
    const { rows } = await shop.base.pool.query(
      `select actor from audit_log where action = 'payment.export' order by seq desc limit 1`,
    )
    assert.equal(rows[0].actor, `service:${account.name}`)
    assert.doesNotMatch(JSON.stringify((await owner.get('/audit')).body), new RegExp(bearer))
  })

  test('a service account gets no more than its creator has', async () => {
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const wish = { name: 'too-much', role: 'finance', allMerchants: true, merchantIds: [] }
    assert.equal((await admin.post('/service-accounts', wish)).http, 403)
  })
})
