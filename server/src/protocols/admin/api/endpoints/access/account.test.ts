/** The required second factor: its days of grace, recovery codes, and its reset by two people. Chapter 70 §9. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  adminContext,
  merchantId,
  PanelClient,
  panelOf,
  withoutApprovalEnds,
} from '../../../../../../test/panel/admin.ts'
import { Authenticator } from '../../../../../../test/panel/authenticator.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
before(async () => {
  shop = await openShop({ REQUIRE_SECOND_FACTOR: 'operator', SECOND_FACTOR_GRACE_DAYS: '7' }, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())
beforeEach(() => shop.base.pool.query('delete from sign_in_failures'))

const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: adminContext(shop).machine.now().getTime() + later,
  })

async function enrol(browser: PanelClient): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const { secret } = (await browser.post('/account/second-factor')).body
  const confirmed = await browser.send('PUT', '/account/second-factor', { code: codeOf(secret) })
  assert.equal(confirmed.http, 200, confirmed.text)
  return { secret, codes: confirmed.body.recoveryCodes }
}

const demandedDaysAgo = (id: string, days: number) =>
  shop.base.pool.query(`update users set factor_demanded_at = now() - $2 * interval '1 day' where id = $1`, [id, days])

const entriesAbout = async (action: string, id: string): Promise<number> => {
  const text = 'select 1 from audit_log where action = $1 and subject = $2'
  return (await shop.base.pool.query(text, [action, `user ${id}`])).rows.length
}

describe('days of grace', () => {
  test('a user works until the last day, is shown the date, and can then only set up a second factor', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    const { user, duty } = (await browser.get('/session')).body
    assert.equal(duty, null)
    const days = (Date.parse(user.factorDueAt) - adminContext(shop).machine.now().getTime()) / 86_400_000
    assert.ok(days > 6.9 && days <= 7, String(days))
    assert.equal((await browser.get('/payments')).http, 200)

    await demandedDaysAgo(browser.person.id, 7.01)
    assert.equal((await browser.get('/payments')).body.error?.code, 'second_factor_first')
    await enrol(browser)
    assert.equal((await browser.get('/session')).body.user.factorDueAt, null)
    assert.equal((await browser.get('/payments')).http, 200)
  })

  test('a further sign-in does not prolong them', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    await demandedDaysAgo(browser.person.id, 6)
    const again = new PanelClient(shop.url)
    await again.signIn(browser.person)
    const { factorDueAt } = (await again.get('/session')).body.user
    assert.ok(Date.parse(factorDueAt) - adminContext(shop).machine.now().getTime() <= 86_400_000)
  })

  test('a role that needs no second factor has no date', async () => {
    const browser = await panelOf(shop, { role: 'support' })
    assert.equal((await browser.get('/session')).body.user.factorDueAt, null)
    const owner = await panelOf(shop)
    const { roles } = (await owner.get('/roles')).body
    assert.equal(roles.find(({ name }: { name: string }) => name === 'operator').needsSecondFactor, true)
    assert.equal(roles.find(({ name }: { name: string }) => name === 'support').needsSecondFactor, false)
  })
})

describe('recovery codes', () => {
  test('each replaces the second factor once, in any spelling, and only its hash is stored', async () => {
    const browser = await panelOf(shop)
    const { codes } = await enrol(browser)
    assert.equal(new Set(codes).size, 10)
    const [first = '', second = ''] = codes
    const { rows } = await shop.base.pool.query('select * from recovery_codes where user_id = $1', [browser.person.id])
    assert.equal(rows.length, 10)
    assert.ok(!JSON.stringify(rows).includes(first.slice(0, 5)))

    const entered = new PanelClient(shop.url)
    assert.equal((await entered.signIn(browser.person, first.toUpperCase().replaceAll('-', ' '))).http, 200)
    assert.equal((await entered.get('/session')).body.user.recoveryCodes, 9)
    assert.deepEqual(
      (await entered.get('/sessions')).body.sessions.map(({ method }: { method: string }) => method).toSorted(),
      ['password+recovery', 'password+totp'],
    )
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, first)).body.error?.code, 'wrong_credentials')
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, second)).http, 200)
  })

  test('of two simultaneous sign-ins with one code, one succeeds', async () => {
    const browser = await panelOf(shop)
    const { codes } = await enrol(browser)
    const code = codes[0] ?? ''
    const answers = await Promise.all([1, 2].map(() => new PanelClient(shop.url).signIn(browser.person, code)))
    assert.deepEqual(
      answers.map(({ http }) => http).toSorted((one, other) => one - other),
      [200, 401],
    )
  })

  test('another user’s code opens nothing', async () => {
    const [one, other] = [await panelOf(shop), await panelOf(shop)]
    const { codes } = await enrol(one)
    await enrol(other)
    assert.equal((await new PanelClient(shop.url).signIn(other.person, codes[0])).http, 401)
  })

  test('a session opened with one may set up another device at once', async () => {
    const browser = await panelOf(shop)
    const { codes } = await enrol(browser)
    const entered = new PanelClient(shop.url)
    await entered.signIn(browser.person, codes[0])
    const { secret } = await enrol(entered)
    assert.equal(
      (await new PanelClient(shop.url).signIn(browser.person, codes[1])).http,
      401,
      'replaced by the new ones',
    )
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, codeOf(secret, 30_000))).http, 200)
  })

  test('new ones replace the old ones, and need a second factor', async () => {
    const browser = await panelOf(shop)
    assert.equal((await browser.post('/account/recovery-codes')).http, 409)
    const { codes } = await enrol(browser)
    const renewed = (await browser.post('/account/recovery-codes')).body.recoveryCodes
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, codes[0])).http, 401)
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, renewed[0])).http, 200)
    assert.equal(await entriesAbout('user.renew-recovery-codes', browser.person.id), 1)
  })

  test('one replaces a lost passkey where the password alone opens nothing', async () => {
    const browser = await panelOf(shop, { role: 'operator' })
    const { challengeId, options } = (await browser.post('/account/passkeys/challenge')).body
    const body = { challengeId, name: 'Key', response: new Authenticator(shop.url).make(options) }
    assert.equal((await browser.post('/account/passkeys', body)).http, 200)
    const { recoveryCodes } = (await browser.post('/account/recovery-codes')).body
    assert.equal((await new PanelClient(shop.url).signIn(browser.person)).body.error?.code, 'passkey_required')
    assert.equal((await new PanelClient(shop.url).signIn(browser.person, recoveryCodes[0])).http, 200)
  })
})

describe('a reset by two people', () => {
  const ask = (browser: PanelClient, id: string) =>
    browser.post(`/users/${id}/second-factor/reset`, { reason: 'Lost the phone; called back.' })

  test('one asks, another approves; then the password opens a session without grace', async () => {
    const [owner, second] = [await panelOf(shop), await panelOf(shop)]
    const user = await panelOf(shop, { role: 'operator' })
    const { codes } = await enrol(user)
    const { http, body } = await ask(owner, user.person.id)
    assert.equal(http, 200)
    assert.equal((await user.get('/payments')).http, 200, 'nothing happens before the approval')
    assert.equal((await owner.post(`/approvals/${body.approvalId}/approve`)).http, 403, 'not by who asked')
    const approve = () => second.post(`/approvals/${body.approvalId}/approve`)
    assert.equal((await withoutApprovalEnds(shop, approve)).http, 500)
    assert.equal((await user.get('/payments')).http, 200, 'nothing happens without the end of the approval')
    const approved = await approve()
    assert.equal(approved.body.state, 'done', approved.text)
    assert.equal((await user.get('/session')).http, 401)
    const again = new PanelClient(shop.url)
    assert.equal((await again.signIn(user.person, codes[0])).body.duty, 'second factor')
    assert.equal(await entriesAbout('user.reset-factor', user.person.id), 1)
  })

  test('refused: for oneself, without a reason, without a factor, and by who may not manage users', async () => {
    const owner = await panelOf(shop)
    const user = await panelOf(shop)
    assert.equal((await ask(owner, user.person.id)).http, 409, 'there is nothing to reset')
    await enrol(user)
    assert.equal((await ask(user, user.person.id)).http, 403)
    assert.equal((await owner.post(`/users/${user.person.id}/second-factor/reset`, { reason: ' ' })).http, 422)
    const { approvalId } = (await ask(owner, user.person.id)).body
    assert.equal((await user.post(`/approvals/${approvalId}/approve`)).http, 403, 'not by the user whose factor it is')
    const operator = await panelOf(shop, { role: 'finance' })
    assert.equal((await operator.post(`/approvals/${approvalId}/approve`)).http, 403)
    assert.equal((await owner.get('/approvals')).body.approvals[0].state, 'waiting')
  })

  test('a new password leaves the second factor', async () => {
    const owner = await panelOf(shop)
    const user = await panelOf(shop, { role: 'support' })
    await enrol(user)
    const together = await owner.post(`/users/${user.person.id}/password`, { withoutFactors: true })
    assert.equal(together.http, 422, 'one person cannot take over an account')
    const { password } = (await owner.post(`/users/${user.person.id}/password`)).body
    const entered = await new PanelClient(shop.url).signIn({ ...user.person, password })
    assert.equal(entered.body.error?.code, 'second_factor_required')
  })

  test('a merchant’s administrator asks for a user of that merchant, and for no other', async () => {
    const [demo, other] = [await merchantId(shop, 'demo'), await merchantId(shop, 'demo-dms')]
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const own = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
    const foreign = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
    await enrol(own)
    await enrol(foreign)
    assert.equal((await ask(admin, own.person.id)).http, 200)
    assert.equal((await ask(admin, foreign.person.id)).http, 404)
  })
})
