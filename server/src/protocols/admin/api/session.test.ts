import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { adminContext, makeUser, PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { emailSubject } from '../../../panel/access/lock-out.ts'
import { signInFailureStore } from '../../../store/people/sign-in-failures.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())
// All tests come from one address, which is locked out in the end, too.
beforeEach(() => shop.base.pool.query('delete from sign_in_failures'))

const codeOf = (secret: string, at = adminContext(shop).machine.now().getTime()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

describe('signing in', () => {
  test('e-mail address and password open a session in a cookie that scripts and other sites cannot use', async () => {
    const browser = new PanelClient(shop.url)
    const answer = await browser.signIn(await makeUser(shop))
    assert.equal(answer.http, 200)
    const cookie = answer.headers.get('set-cookie') ?? ''
    assert.match(cookie, /^gatehouse-admin=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/admin$/)
    const session = await browser.get('/session')
    assert.equal(session.http, 200)
    assert.equal(session.body.csrf, browser.csrf)
    assert.ok(!answer.text.includes(browser.cookie.split('=')[1] ?? 'none'), 'the token is not in the answer')
  })

  test('the capital letters of an e-mail address do not matter', async () => {
    const { email, password } = await makeUser(shop)
    assert.equal((await new PanelClient(shop.url).signIn({ email: email.toUpperCase(), password })).http, 200)
  })

  test('a wrong password and an unknown e-mail address are answered alike', async () => {
    const { email } = await makeUser(shop)
    const wrong = await new PanelClient(shop.url).signIn({ email, password: 'not the password' })
    const unknown = await new PanelClient(shop.url).signIn({
      email: 'nobody@example.com',
      password: 'not the password',
    })
    assert.equal(wrong.http, 401)
    assert.equal(unknown.http, 401)
    assert.deepEqual({ ...wrong.body.error, requestId: '' }, { ...unknown.body.error, requestId: '' })
  })

  test('an unknown e-mail address takes as much work as a known one', async (t) => {
    const { email } = await makeUser(shop)
    const argon2 = t.mock.method(crypto, 'argon2')
    syncBuiltinESMExports()
    const workFor = async (tried: string) => {
      argon2.mock.resetCalls()
      await new PanelClient(shop.url).signIn({ email: tried, password: 'not the password' })
      return argon2.mock.calls.map(({ arguments: [algorithm, { memory, passes, parallelism, tagLength }] }) => ({
        algorithm,
        memory,
        passes,
        parallelism,
        tagLength,
      }))
    }
    try {
      const known = await workFor(email)
      assert.equal(known.length, 1)
      assert.deepEqual(await workFor('no@example.com'), known)
    } finally {
      argon2.mock.restore()
      syncBuiltinESMExports()
    }
  })

  test('a disabled user does not get in, and is out at once', async () => {
    const browser = await panelOf(shop)
    await shop.base.pool.query(`update users set status = 'disabled' where id = $1`, [browser.person.id])
    assert.equal((await browser.get('/session')).http, 401)
    assert.equal((await new PanelClient(shop.url).signIn(browser.person)).body.error.code, 'wrong_credentials')
  })

  test('a password that somebody else gave opens nothing but its own change', async () => {
    const browser = await panelOf(shop)
    await shop.base.pool.query('update users set password_temporary = true where id = $1', [browser.person.id])
    assert.equal((await browser.get('/users')).body.error.code, 'password_change_first')
    const next = 'a much better choice 7'
    const changed = await browser.post('/account/password', { current: browser.person.password, next })
    assert.equal(changed.http, 200)
    assert.equal((await browser.get('/users')).http, 200)
    assert.equal((await new PanelClient(shop.url).signIn({ ...browser.person, password: next })).http, 200)
  })
})

describe('refused sign-ins in the audit log', () => {
  const entries = async (since: bigint) =>
    (
      await shop.base.pool.query<{ action: string; actor: string; subject: string; after: string | null }>(
        `select action, actor, subject, after from audit_log where seq > $1 order by seq`,
        [since],
      )
    ).rows
  const last = async (): Promise<bigint> =>
    (await shop.base.pool.query<{ seq: bigint }>('select coalesce(max(seq), 0) as seq from audit_log')).rows[0]?.seq ??
    0n
  const fail = (email: string, password = 'not the password') => new PanelClient(shop.url).signIn({ email, password })

  test('one is told with its user and reason, without the password', async () => {
    const { email, id } = await makeUser(shop)
    const before = await last()
    await fail(email, 'correct horse battery')
    const [entry, ...others] = await entries(before)
    assert.deepEqual(others, [])
    assert.deepEqual([entry?.action, entry?.actor, entry?.subject], ['session.refuse', 'nobody', `user ${id}`])
    assert.deepEqual(JSON.parse(entry?.after ?? ''), { reason: 'wrong password' })
    assert.ok(!JSON.stringify(entry).includes('correct horse'))
  })

  test('what was typed in place of an e-mail address is not kept', async () => {
    const before = await last()
    await fail('hunter2@my-password.example')
    const [entry] = await entries(before)
    assert.equal(entry?.subject, 'unknown e-mail address')
    assert.ok(!JSON.stringify(entry).includes('hunter2'))
  })

  test('many of one address in a minute are one entry and, at the next sign-in, a number', async () => {
    const before = await last()
    for (let tries = 0; tries < 4; tries += 1) await fail('nobody@example.com')
    assert.equal((await entries(before)).length, 1)
    await shop.base.pool.query(`update sign_in_failures set noted_at = noted_at - interval '61 seconds'`)
    assert.equal((await new PanelClient(shop.url).signIn(await makeUser(shop))).http, 200)
    const counted = (await entries(before)).filter(
      ({ action, after }) => action === 'session.refuse' && after?.includes('failures'),
    )
    assert.equal(counted.length, 1)
    assert.match(counted[0]?.subject ?? '', /^address /)
    assert.equal(JSON.parse(counted[0]?.after ?? '').failures, 3)
  })

  test('PCI DSS 8.3.4: a lock-out of an address is told also when the e-mail address waits already', async () => {
    const { email } = await makeUser(shop)
    for (let tries = 0; tries < 5; tries += 1) await fail(email)
    // One more failure locks the network address; the account is locked by its own five.
    await shop.base.pool.query(
      `update sign_in_failures set failures = 29, locked_until = null where subject like 'address %'`,
    )
    const before = await last()
    assert.equal((await fail(email)).http, 429)
    const actions = (await entries(before)).map(({ action, subject }) => [action, subject.split(' ')[0]])
    assert.deepEqual(actions, [['session.lock-out', 'address']])
  })

  test('a lock-out is an entry of its own, and who waits leaves none', async () => {
    const { email, id } = await makeUser(shop)
    const before = await last()
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await fail(email)).http, 401)
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await fail(email)).http, 429)
    const actions = (await entries(before)).map(({ action, subject }) => [action, subject])
    assert.deepEqual(actions, [
      ['session.refuse', `user ${id}`],
      ['session.lock-out', `user ${id}`],
    ])
  })
})

describe('lock-out', () => {
  test('after five failures even the right password waits, and says how long', async () => {
    const person = await makeUser(shop)
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal((await new PanelClient(shop.url).signIn({ ...person, password: 'wrong password' })).http, 401)
    }
    const locked = await new PanelClient(shop.url).signIn(person)
    assert.equal(locked.http, 429)
    assert.equal(locked.body.error.code, 'too_many_attempts')
    const wait = Number(locked.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 30, String(wait))
  })

  test('PCI DSS 8.3.4: the tenth failure locks for half an hour, and an owner unlocks', async () => {
    const owner = await panelOf(shop)
    const person = await makeUser(shop)
    const fail = () => new PanelClient(shop.url).signIn({ ...person, password: 'wrong password' })
    for (let tries = 0; tries < 10; tries += 1) {
      await shop.base.pool.query('update sign_in_failures set locked_until = null')
      assert.equal((await fail()).http, 401)
    }
    const wait = Number((await fail()).headers.get('retry-after'))
    assert.ok(wait > 1700 && wait <= 1800, String(wait))
    const { user } = (await owner.get(`/users/${person.id}`)).body
    assert.ok(
      Date.parse(user.lockedUntil) > adminContext(shop).machine.now().getTime() + 1_700_000,
      'the users page says until when',
    )

    assert.equal((await owner.send('DELETE', `/users/${person.id}/lock-out`)).http, 200)
    assert.equal((await new PanelClient(shop.url).signIn(person)).http, 200)
    const { rows } = await shop.base.pool.query(
      `select 1 from audit_log where action = 'user.unlock' and subject = $1`,
      [`user ${person.id}`],
    )
    assert.equal(rows.length, 1)
  })

  test('PCI DSS 8.3.4: a right password without its code does not end the lock-out that a wrong code began', async () => {
    const browser = await panelOf(shop)
    const enrolment = await browser.post('/account/second-factor')
    await browser.send('PUT', '/account/second-factor', { code: codeOf(enrolment.body.secret) })
    const signIn = (code?: string) => new PanelClient(shop.url).signIn(browser.person, code)
    for (let tries = 0; tries < 6; tries += 1) assert.equal((await signIn()).body.error.code, 'second_factor_required')
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await signIn('000000')).http, 401)
    // As a request does that began before the lock-out, and had none to begin itself.
    await signInFailureStore(shop.base.pool).withdraw(emailSubject(browser.person.email), null)
    assert.equal(
      (await signIn(codeOf(enrolment.body.secret, adminContext(shop).machine.now().getTime() + 30_000))).http,
      429,
    )
  })

  test('an e-mail address that nobody has is locked out the same way', async () => {
    const nobody = { email: 'ghost@example.com', password: 'wrong password' }
    const codes: string[] = []
    for (let tries = 0; tries < 6; tries += 1)
      codes.push((await new PanelClient(shop.url).signIn(nobody)).body.error.code)
    assert.deepEqual(codes, [...Array(5).fill('wrong_credentials'), 'too_many_attempts'])
  })

  test('attempts side by side get no more tries than one after the other', async () => {
    const person = await makeUser(shop)
    const tried = await Promise.all(
      Array.from({ length: 12 }, () => new PanelClient(shop.url).signIn({ ...person, password: 'wrong password' })),
    )
    assert.equal(tried.filter(({ http }) => http === 401).length, 5)
  })

  test('a success forgets the failures before it', async () => {
    const person = await makeUser(shop)
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 4; tries += 1)
        await new PanelClient(shop.url).signIn({ ...person, password: 'wrong password' })
      assert.equal((await new PanelClient(shop.url).signIn(person)).http, 200)
    }
  })
})

describe('the second factor', () => {
  test('a code is asked for once it is in force, and each code counts once', async () => {
    const browser = await panelOf(shop)
    const enrolment = await browser.post('/account/second-factor')
    assert.equal(enrolment.http, 200)
    assert.equal(
      (await new PanelClient(shop.url).signIn(browser.person)).http,
      200,
      'not in force before a code was seen',
    )
    const code = codeOf(enrolment.body.secret)
    assert.equal((await browser.send('PUT', '/account/second-factor', { code })).http, 200)

    assert.equal((await new PanelClient(shop.url).signIn(browser.person)).body.error.code, 'second_factor_required')
    assert.equal(
      (await new PanelClient(shop.url).signIn(browser.person, '000000')).body.error.code,
      'wrong_credentials',
    )
    assert.equal(
      (await new PanelClient(shop.url).signIn(browser.person, code)).body.error.code,
      'wrong_credentials',
      'used',
    )
    const later = codeOf(enrolment.body.secret, adminContext(shop).machine.now().getTime() + 30_000)
    const entered = await new PanelClient(shop.url).signIn(browser.person, later)
    assert.equal(entered.http, 200)
  })

  test('PCI DSS 8.5.1: of sign-ins side by side with the same code exactly one passes', async () => {
    const browser = await panelOf(shop)
    const enrolment = await browser.post('/account/second-factor')
    await browser.send('PUT', '/account/second-factor', { code: codeOf(enrolment.body.secret) })
    const code = codeOf(enrolment.body.secret, adminContext(shop).machine.now().getTime() + 30_000)
    // Each is judged by the same row of the user: the passwords are verified before the first code is used.
    const tried = await Promise.all(
      Array.from({ length: 4 }, () => new PanelClient(shop.url).signIn(browser.person, code)),
    )
    assert.equal(tried.filter(({ http }) => http === 200).length, 1)
    assert.equal(tried.filter(({ http }) => http === 401).length, 3)
  })

  test('codes follow the real time, also when the test clock was moved', async () => {
    await shop.advance(3 * 86_400_000)
    const browser = await panelOf(shop)
    const enrolment = await browser.post('/account/second-factor')
    const code = codeOf(enrolment.body.secret)
    assert.equal((await browser.send('PUT', '/account/second-factor', { code })).http, 200)
  })
})

describe('sessions', () => {
  test('a change without the session’s own token is refused', async () => {
    const browser = await panelOf(shop)
    const { csrf } = browser
    browser.csrf = ''
    assert.equal((await browser.send('DELETE', '/sessions')).body.error.code, 'csrf')
    browser.csrf = csrf.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    assert.equal((await browser.send('DELETE', '/sessions')).body.error.code, 'csrf')
    browser.csrf = csrf
    assert.equal((await browser.send('DELETE', '/sessions')).http, 200)
  })

  test('a change or a sign-in that comes from another site is refused', async () => {
    const browser = await panelOf(shop)
    const foreign = { origin: 'https://evil.example' }
    assert.equal((await browser.send('DELETE', '/sessions', {}, foreign)).body.error.code, 'csrf')
    const { email, password } = browser.person
    const signIn = await new PanelClient(shop.url).send('POST', '/session', { email, password }, foreign)
    assert.equal(signIn.body.error.code, 'csrf')
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.send('DELETE', '/sessions', {}, crossSite)).body.error.code, 'csrf')
    assert.equal((await browser.send('DELETE', '/sessions', {}, { origin: shop.url })).http, 200)
  })

  test('they are listed and revoked one by one', async () => {
    const browser = await panelOf(shop)
    const other = new PanelClient(shop.url)
    await other.signIn(browser.person)
    const { sessions } = (await browser.get('/sessions')).body
    assert.equal(sessions.length, 2)
    const revoked = sessions.find(({ current }: { current: boolean }) => !current)
    assert.equal((await browser.send('DELETE', `/sessions/${revoked.id}`)).http, 200)
    assert.equal((await other.get('/session')).http, 401)
    assert.equal((await browser.get('/session')).http, 200)
  })

  test('nobody revokes a session of somebody else as their own', async () => {
    const [one, other] = [await panelOf(shop), await panelOf(shop)]
    const [session] = (await other.get('/sessions')).body.sessions
    assert.equal((await one.send('DELETE', `/sessions/${session.id}`)).http, 404)
    assert.equal((await other.get('/session')).http, 200)
  })

  test('signing out ends the session for good, and takes the cookie away', async () => {
    const browser = await panelOf(shop)
    const { cookie } = browser
    const out = await browser.send('DELETE', '/session')
    assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/)
    browser.cookie = cookie
    assert.equal((await browser.get('/session')).http, 401)
  })

  test('PCI DSS 8.2.8: a quarter of an hour without a visit ends a session', async () => {
    const browser = await panelOf(shop)
    const seen = (minutes: number) =>
      shop.base.pool.query(`update admin_sessions set seen_at = now() - make_interval(mins => $2) where user_id = $1`, [
        browser.person.id,
        minutes,
      ])
    await seen(14)
    assert.equal((await browser.get('/session')).http, 200)
    await seen(16)
    assert.equal((await browser.get('/session')).http, 401)
  })

  test('PCI DSS 8.2.8: what the panel asks for by itself keeps no session alive', async () => {
    const browser = await panelOf(shop)
    const seenAgo = async (): Promise<number> => {
      const { rows } = await shop.base.pool.query<{ ago: number }>(
        'select extract(epoch from now() - seen_at)::float8 as ago from admin_sessions where user_id = $1',
        [browser.person.id],
      )
      return rows[0]?.ago ?? 0
    }
    await shop.base.pool.query(`update admin_sessions set seen_at = now() - interval '5 minutes' where user_id = $1`, [
      browser.person.id,
    ])
    const idle = await browser.send('GET', '/session', undefined, { 'x-background': '1' })
    assert.ok(idle.body.endsInSeconds <= 600, String(idle.body.endsInSeconds))
    assert.ok((await seenAgo()) >= 300)
    assert.ok((await browser.get('/session')).body.endsInSeconds > 800)
    assert.ok((await seenAgo()) < 300)
  })

  test('twelve hours end a session, however busy', async () => {
    const browser = await panelOf(shop)
    const { rows } = await shop.base.pool.query(
      'select extract(epoch from expires_at - created_at)::int as seconds from admin_sessions where user_id = $1',
      [browser.person.id],
    )
    assert.equal(rows[0].seconds, 12 * 3600)
    await shop.base.pool.query(`update admin_sessions set expires_at = now() where user_id = $1`, [browser.person.id])
    assert.equal((await browser.get('/session')).http, 401)
  })

  test('a change of password ends all other sessions', async () => {
    const browser = await panelOf(shop)
    const other = new PanelClient(shop.url)
    await other.signIn(browser.person)
    const { password: current } = browser.person
    assert.equal((await browser.post('/account/password', { current, next: 'too short' })).http, 422)
    assert.equal((await browser.post('/account/password', { current: 'wrong', next: 'quite long enough 7' })).http, 401)
    assert.equal((await browser.post('/account/password', { current, next: 'quite long enough 7' })).http, 200)
    assert.equal((await other.get('/session')).http, 401)
    assert.equal((await browser.get('/session')).http, 200)
  })

  test('the database holds no token that opens a session, and no password', async () => {
    const browser = await panelOf(shop)
    const token = browser.cookie.split('=')[1] ?? ''
    const { rows } = await shop.base.pool.query(
      `select s::text || u::text || encode(s.token_hash, 'hex') as row
       from admin_sessions s join users u on u.id = s.user_id where u.id = $1`,
      [browser.person.id],
    )
    assert.ok(rows.length === 1 && !rows[0].row.includes(token) && !rows[0].row.includes(browser.person.password))
    assert.match(rows[0].row, /\$argon2id\$v=19\$/)
  })
})
