import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { startMailHost } from '../../../../../../test/mail-host.ts'
import { adminContext, makeUser, merchantId, PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
before(async () => {
  host = await startMailHost()
  shop = await openShop({ SMTP_URL: host.url, MAIL_FROM: 'payments@example.com' }, ['back office'])
  owner = await panelOf(shop)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const anyone = () => new PanelClient(shop.url)

/** The code of the newest link mailed to an address; null if there is none. */
async function mailedCode(email: string): Promise<string | null> {
  await shop.service.awaitIdle()
  const mails = host.received.filter(({ to }) => to.includes(email)).map(({ text }) => text.replace(/=\r?\n/g, ''))
  return /\/admin\/choose-password#([0-9a-f]+)/.exec(mails.findLast((text) => text.includes('#')) ?? '')?.[1] ?? null
}

const invited = (email: string) => ({
  email,
  name: 'Ann Smith',
  role: 'support',
  allMerchants: true,
  merchantIds: [],
  invite: true,
})

const password = 'kettle of my own 7'
const use = (code: string | null, next = password) => anyone().post('/password-link/use', { code, next })

describe('an invitation', () => {
  test('shows no password to its author; the user chooses one with the link, once', async () => {
    const email = 'ann@example.com'
    const creation = await owner.post('/users', invited(email))
    assert.equal(creation.http, 200, creation.text)
    assert.equal(creation.body.password, null)
    const code = await mailedCode(email)
    assert.ok(code)
    const { body } = await anyone().post('/password-link', { code })
    assert.deepEqual([body.purpose, body.email, body.name], ['invitation', email, 'Ann Smith'])
    assert.equal((await use(code, 'short')).http, 422)
    assert.equal((await use(code)).http, 200)
    const again = await use(code, 'another of my own 7')
    assert.deepEqual([again.http, again.body.error.code], [409, 'conflict'])
    const ann = anyone()
    const entered = await ann.signIn({ email, password })
    assert.deepEqual([entered.http, entered.body.duty], [200, null], 'the password is hers')
    const late = await owner.post(`/users/${creation.body.user.id}/invitation`)
    assert.equal(late.body.error.message, 'The user has already chosen a password.')
  })

  test('that is sent again replaces the first, and ends after a week, with the account or with a given password', async () => {
    const email = 'bob@example.com'
    const { user } = (await owner.post('/users', invited(email))).body
    const first = await mailedCode(email)
    assert.equal((await owner.post(`/users/${user.id}/invitation`)).http, 200)
    const second = await mailedCode(email)
    assert.notEqual(first, second)
    assert.equal((await use(first)).http, 409)
    assert.ok((await owner.get(`/users/${user.id}`)).body.user.invitedUntil)

    await owner.send('PATCH', `/users/${user.id}`, { status: 'disabled' })
    assert.equal((await use(second)).http, 409)
    await owner.send('PATCH', `/users/${user.id}`, { status: 'active' })
    assert.equal((await use(second)).http, 409, 'it ended with the account')
    assert.equal((await owner.post(`/users/${user.id}/invitation`)).http, 200)
    const expired = await mailedCode(email)
    await shop.base.pool.query(`update password_links set expires_at = $1`, [adminContext(shop).machine.now()])
    assert.equal((await use(expired)).http, 409)

    assert.equal((await owner.post(`/users/${user.id}/invitation`)).http, 200)
    const third = await mailedCode(email)
    assert.equal((await owner.post(`/users/${user.id}/password`)).http, 200)
    assert.equal((await use(third)).http, 409)
  })

  test('is not shortened by a reset that a stranger asks for, and of two uses at once one succeeds', async () => {
    const email = 'eve@example.com'
    const { user } = (await owner.post('/users', invited(email))).body
    const until = async () => (await owner.get(`/users/${user.id}`)).body.user.invitedUntil
    const before = await until()
    assert.equal((await anyone().post('/password-reset', { email })).http, 200)
    assert.equal(await until(), before)
    const code = await mailedCode(email)
    const answers = await Promise.all([use(code), use(code, 'another of my own 7')])
    assert.deepEqual(
      answers.map(({ http }) => http).toSorted((one, other) => one - other),
      [200, 409],
    )
  })

  test('needs the right to create users, and a mail server', async () => {
    const support = await panelOf(shop, { role: 'support' })
    const { id } = await makeUser(shop)
    assert.equal((await support.post(`/users/${id}/invitation`)).http, 403)
    const { rows } = await shop.base.pool.query(`select subject from audit_log where action = 'user.invite'`)
    assert.equal(rows.length, 6)
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) => anyone().post('/password-reset', { email })

  test('is replaced by a link; sessions end, and the second factor stays', async () => {
    const person = await makeUser(shop)
    const before = anyone()
    await before.signIn(person)
    const { secret } = (await before.post('/account/second-factor')).body
    const code = () => new TOTP({ secret }).generate({ timestamp: adminContext(shop).machine.now().getTime() })
    assert.equal((await before.send('PUT', '/account/second-factor', { code: code() })).http, 200)

    assert.equal((await ask(` ${person.email.toUpperCase()} `)).http, 200)
    const link = await mailedCode(person.email)
    assert.equal((await use(link, person.password)).http, 422, 'not the same password again')
    assert.equal((await use(link)).http, 200)
    assert.equal((await before.get('/session')).http, 401)
    const entered = await anyone().signIn({ email: person.email, password })
    assert.equal(entered.body.error.code, 'second_factor_required')
    assert.equal((await anyone().signIn(person)).body.error.code, 'wrong_credentials')
    await shop.service.awaitIdle()
    assert.ok(host.received.some(({ to, text }) => to.includes(person.email) && text.includes('password was changed')))
  })

  test('of an unknown, disabled or service account is answered alike, after the same time, and mails nothing', async () => {
    const known = await makeUser(shop)
    const disabled = await makeUser(shop)
    await shop.base.pool.query(`update users set status = 'disabled' where id = $1`, [disabled.id])
    const answers = []
    for (const email of [known.email, disabled.email, 'nobody-here@example.com']) {
      const begun = performance.now()
      const { http, text } = await ask(email)
      answers.push({ http, text, slow: performance.now() - begun >= 395 })
    }
    assert.deepEqual(answers, [answers[0], answers[0], answers[0]])
    assert.equal(answers[0]?.slow, true)
    assert.equal(await mailedCode(disabled.email), null)
    assert.equal(await mailedCode('nobody-here@example.com'), null)
    assert.ok(await mailedCode(known.email))
  })

  test('can be asked for a few times only, known or not, and does not lock the sign-in', async () => {
    const person = await makeUser(shop)
    for (const email of [person.email, 'never-seen@example.com']) {
      const answers = []
      for (let times = 0; times < 4; times += 1) answers.push((await ask(email)).http)
      assert.deepEqual(answers, [200, 200, 200, 429], email)
    }
    assert.equal((await anyone().signIn(person)).http, 200)
  })
})

test('without a mail server nothing is offered', async () => {
  await using bare = await openShop({}, ['back office'])
  const browser = await panelOf(bare)
  assert.equal((await new PanelClient(bare.url).get('/session/options')).body.passwordReset, false)
  assert.equal((await new PanelClient(bare.url).post('/password-reset', { email: 'ann@example.com' })).http, 409)
  const link = { role: 'merchant-viewer', merchantIds: [await merchantId(bare, 'demo')] }
  assert.equal((await browser.post('/sign-up-links', link)).http, 409)
  const creation = await browser.post('/users', invited('ann@example.com'))
  assert.equal(creation.http, 409)
  assert.equal(
    (await browser.get('/users')).body.users.some(({ email }: { email: string }) => email === 'ann@example.com'),
    false,
  )
})
