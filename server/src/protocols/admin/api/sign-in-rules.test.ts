/** Signing in by PCI DSS 4.0.1, requirement 8, as people at the panel meet it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { adminContext, makeUser, merchantId, PanelClient, type Person, panelOf } from '../../../../test/panel/admin.ts'
import { Authenticator } from '../../../../test/panel/authenticator.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { endUnused, findDueAccounts } from '../../../panel/access/unused-accounts.ts'

let shop: Shop
before(async () => {
  shop = await openShop({ REQUIRE_SECOND_FACTOR: 'operator' }, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())
beforeEach(() => shop.base.pool.query('delete from sign_in_failures'))

const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: adminContext(shop).machine.now().getTime() + later,
  })

async function enrol(browser: PanelClient): Promise<string> {
  const { secret } = (await browser.post('/account/second-factor')).body
  const confirmed = await browser.send('PUT', '/account/second-factor', { code: codeOf(secret) })
  assert.equal(confirmed.http, 200, confirmed.text)
  return secret
}

async function addPasskey(browser: PanelClient): Promise<Authenticator> {
  const authenticator = new Authenticator(shop.url)
  const { challengeId, options } = (await browser.post('/account/passkeys/challenge')).body
  const body = { challengeId, name: 'Key', response: authenticator.make(options) }
  assert.equal((await browser.post('/account/passkeys', body)).http, 200)
  return authenticator
}

const entriesAbout = async (action: string, { id }: Person): Promise<number> => {
  const text = 'select 1 from audit_log where action = $1 and subject = $2'
  return (await shop.base.pool.query(text, [action, `user ${id}`])).rows.length
}

const forgetProof = ({ id }: Person) =>
  shop.base.pool.query(`update admin_sessions set proven_at = now() - interval '301 seconds' where user_id = $1`, [id])

describe('PCI DSS 8.4: a second factor that is required', () => {
  test('a user without one can set it up and do nothing else', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    assert.equal((await browser.get('/session')).body.duty, 'second factor')
    for (const path of ['/payments', '/users', '/saved-filters', '/sessions', '/dashboard'])
      assert.equal((await browser.get(path)).body.error?.code, 'second_factor_first', path)
    await enrol(browser)
    assert.equal((await browser.get('/session')).body.duty, null)
    assert.equal((await browser.get('/payments')).http, 200)
  })

  test('what was opened by the password alone ends with the enrolment', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    const other = new PanelClient(shop.url)
    await other.signIn(browser.person)
    await enrol(browser)
    assert.equal((await other.get('/session')).http, 401)
  })

  test('a passkey is a second factor, and the password alone then opens nothing', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    await addPasskey(browser)
    assert.equal((await browser.get('/payments')).http, 200)
    const byPassword = await new PanelClient(shop.url).signIn(browser.person)
    assert.equal(byPassword.body.error?.code, 'passkey_required')
  })

  test('the only one cannot be removed, and is replaced by another device', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    await enrol(browser)
    assert.equal((await browser.send('DELETE', '/account/second-factor')).http, 409)
    const next = await enrol(browser)
    const entered = await new PanelClient(shop.url).signIn(browser.person, codeOf(next, 30_000))
    assert.equal(entered.http, 200)
  })

  test('it may be required of one user, whose open session is held up at once', async () => {
    const owner = await panelOf(shop)
    const browser = await panelOf(shop, { role: 'support' })
    assert.equal((await browser.get('/payments')).http, 200)
    const changed = await owner.send('PATCH', `/users/${browser.person.id}`, { requireSecondFactor: true })
    assert.equal(changed.body.needsSecondFactor, true)
    assert.equal((await browser.get('/payments')).body.error?.code, 'second_factor_first')
  })
})

describe('a fresh proof before what shows a secret or changes rights', () => {
  let card: string
  before(async () => {
    const { body } = await shop.sale()
    card = `/merchants/${await merchantId(shop, 'demo')}/payments/${body.trans_id}/card`
  })
  const reason = { reason: 'A dispute.' }

  test('a card number is shown after a code, and not after the password, where there is a second factor', async () => {
    const browser = await panelOf(shop)
    const secret = await enrol(browser)
    await forgetProof(browser.person)
    assert.equal((await browser.post(card, reason)).body.error?.code, 'step_up_required')
    const byPassword = await browser.post('/session/proof', { password: browser.person.password })
    assert.equal(byPassword.http, 409)
    assert.equal((await browser.post('/session/proof', { code: '000000' })).http, 401)
    assert.equal((await browser.post(card, reason)).body.error?.code, 'step_up_required')
    assert.equal((await browser.post('/session/proof', { code: codeOf(secret, 30_000) })).http, 200)
    assert.equal((await browser.post(card, reason)).body.number, '4111111111111111')
    assert.equal(await entriesAbout('session.prove', browser.person), 1)
  })

  test('a proof belongs to its session, and is old after five minutes', async () => {
    const browser = await panelOf(shop)
    const other = new PanelClient(shop.url)
    await other.signIn(browser.person)
    await forgetProof(browser.person)
    assert.equal((await browser.post('/session/proof', { password: browser.person.password })).http, 200)
    assert.equal((await browser.post(card, reason)).http, 200)
    assert.equal((await other.post(card, reason)).body.error?.code, 'step_up_required')
    await forgetProof(browser.person)
    assert.equal((await browser.post(card, reason)).body.error?.code, 'step_up_required')
  })

  test('a passkey of the user proves it, and one of another user does not', async () => {
    const browser = await panelOf(shop)
    const own = await addPasskey(browser)
    const foreign = await addPasskey(await panelOf(shop))
    await forgetProof(browser.person)
    const proveBy = async (authenticator: Authenticator) => {
      const { challengeId, options } = (await browser.post('/session/proof/challenge')).body
      return (await browser.post('/session/proof', { challengeId, response: authenticator.prove(options) })).http
    }
    assert.equal(await proveBy(foreign), 401)
    assert.equal((await browser.post(card, reason)).body.error?.code, 'step_up_required')
    assert.equal(await proveBy(own), 200)
    assert.equal((await browser.post(card, reason)).http, 200)
  })

  test('it is asked for before merchants’ secrets and bank accounts, users’ rights and second factors', async () => {
    const browser = await panelOf(shop)
    const demo = await merchantId(shop, 'demo')
    const victim = await makeUser(shop, { role: 'support' })
    await forgetProof(browser.person)
    const role = { title: 'Mine', permissions: ['payments.read'] }
    for (const [method, path, body] of [
      ['POST', `/merchants/${demo}/password`, {}],
      ['POST', `/merchants/${demo}/webhook-secrets`, {}],
      ['PATCH', `/users/${victim.id}`, { role: 'finance' }],
      ['POST', `/users/${victim.id}/password`, {}],
      ['POST', `/users/${victim.id}/second-factor/reset`, { reason: 'Lost the phone.' }],
      ['PUT', '/roles/mine', role],
      ['PUT', `/merchants/${demo}/payout-accounts/EUR`, { holder: 'H', number: '1', reason: 'New bank' }],
      ['POST', '/account/second-factor', {}],
      ['DELETE', '/account/second-factor', {}],
    ] as const)
      assert.equal((await browser.send(method, path, body)).body.error?.code, 'step_up_required', `${method} ${path}`)
  })

  test('guessing it locks out as a sign-in does', async () => {
    const browser = await panelOf(shop)
    await forgetProof(browser.person)
    const codes: number[] = []
    for (let tries = 0; tries < 6; tries += 1)
      codes.push((await browser.post('/session/proof', { password: 'wrong' })).http)
    assert.deepEqual(codes, [401, 401, 401, 401, 401, 429])
  })
})

describe('passwords', () => {
  const change = (browser: PanelClient, current: string, next: string) =>
    browser.post('/account/password', { current, next })

  test('PCI DSS 8.3.7: the last four do not come back, and the fifth may', async () => {
    const browser = await panelOf(shop)
    const chosen = [1, 2, 3, 4].map((number) => `garden kettle ${number}7${number}`)
    let current = browser.person.password
    for (const next of chosen) {
      assert.equal((await change(browser, current, next)).http, 200)
      current = next
      await shop.base.pool.query('delete from sign_in_failures')
    }
    for (const former of chosen) {
      const { http, body } = await change(browser, current, former)
      assert.equal(http, 422, former)
      assert.deepEqual(body.error.fields, [{ field: 'next', text: 'Choose a password different from your last 4.' }])
    }
    assert.equal((await change(browser, current, 'garden kettle 575')).http, 200)
    assert.equal((await change(browser, 'garden kettle 575', chosen[0] ?? '')).http, 200, 'four others came since')
  })

  test('PCI DSS 8.3.6: a weak one is refused with one sentence', async () => {
    const browser = await panelOf(shop)
    const { body } = await change(browser, browser.person.password, 'abcde1abcde1')
    assert.deepEqual(body.error.fields, [{ field: 'next', text: 'Do not repeat the same few characters.' }])
  })

  test('PCI DSS 8.3.5: a first password opens one session, and is changed there', async () => {
    const owner = await panelOf(shop)
    const wish = { email: 'fresh@example.com', name: 'Fresh', role: 'support', allMerchants: true, merchantIds: [] }
    const { password } = (await owner.post('/users', wish)).body
    const tried = await Promise.all(
      [1, 2].map(async () => {
        const browser = new PanelClient(shop.url)
        return { browser, answer: await browser.signIn({ email: wish.email, password }) }
      }),
    )
    const [entered, ...more] = tried.filter(({ answer }) => answer.http === 200)
    assert.ok(entered && more.length === 0, 'of two at once one is let in')
    const again = await new PanelClient(shop.url).signIn({ email: wish.email, password })
    assert.equal(again.body.error.code, 'first_password_used')
    assert.equal((await change(entered.browser, password, 'a kettle of my own 7')).http, 200)
    assert.equal((await new PanelClient(shop.url).signIn({ ...wish, password: 'a kettle of my own 7' })).http, 200)
  })

  test('PCI DSS 8.3.9: one that is the only factor is changed after ninety days', async () => {
    const browser = await panelOf(shop)
    const aged = (days: number) =>
      shop.base.pool.query('update users set password_changed_at = now() - make_interval(days => $2) where id = $1', [
        browser.person.id,
        days,
      ])
    await aged(89)
    assert.equal((await browser.get('/payments')).http, 200)
    await aged(91)
    assert.equal((await browser.get('/payments')).body.error?.code, 'password_change_first')
    assert.equal((await browser.get('/session')).body.duty, 'password')
    assert.equal((await change(browser, browser.person.password, 'another kettle 472')).http, 200)
    assert.equal((await browser.get('/payments')).http, 200)
    await enrol(browser)
    await aged(400)
    assert.equal((await browser.get('/payments')).http, 200, 'not where there is a second factor')
  })
})

describe('PCI DSS 8.2.6: accounts that are not used', () => {
  const unused = (person: Person) =>
    shop.base.pool.query(
      `update users set created_at = now() - interval '200 days', last_sign_in_at = now() - interval '91 days',
         enabled_at = null where id = $1`,
      [person.id],
    )
  const watch = async (): Promise<void> => {
    const context = { ...adminContext(shop), rules: { unusedDays: 90 } }
    for (const id of await findDueAccounts(context, 100)) await endUnused(context, id)
  }
  const statusOf = async (browser: PanelClient, { id }: Person) => {
    const { user } = (await browser.get(`/users/${id}`)).body
    return [user.status, user.disabledReason]
  }

  test('they are disabled after ninety days, with an entry, and enabled again by an owner', async () => {
    const owner = await panelOf(shop)
    const [idle, busy] = [await panelOf(shop, { role: 'support' }), await panelOf(shop, { role: 'support' })]
    await unused(idle.person)
    await watch()
    assert.deepEqual(await statusOf(owner, idle.person), ['disabled', 'unused'])
    assert.deepEqual(await statusOf(owner, busy.person), ['active', null])
    assert.equal((await idle.get('/session')).http, 401)
    assert.equal(await entriesAbout('user.disable-unused', idle.person), 1)

    assert.equal((await owner.send('PATCH', `/users/${idle.person.id}`, { status: 'active' })).http, 200)
    await watch()
    assert.deepEqual(await statusOf(owner, idle.person), ['active', null], 'the time begins anew')
  })

  test('the last active owner stays, and an alert says why, once', async () => {
    const owner = await panelOf(shop)
    await shop.base.pool.query(`update users set status = 'disabled' where role = 'owner' and id <> $1`, [
      owner.person.id,
    ])
    await unused(owner.person)
    await watch()
    await watch()
    assert.deepEqual(await statusOf(owner, owner.person), ['active', null])
    const { rows } = await shop.base.pool.query(`select text from alerts where kind = 'account.unused'`)
    assert.equal(rows.length, 1)
    assert.match(rows[0].text, new RegExp(`${owner.person.email} is the last active owner`))
    await shop.base.pool.query(`update users set status = 'active' where role = 'owner'`)
  })
})
