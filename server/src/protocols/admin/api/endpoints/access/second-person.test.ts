/** A person approves nothing through a second account. See decisions/people#second-person. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeUser, merchantId, PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { type Answer, openShop, type Shop } from '../../../../../../test/shop.ts'

const weekMs = 7 * 86_400_000
const settings = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'payments@example.com' }

type Browser = Awaited<ReturnType<typeof panelOf>>

let amount = 0
const ask = async (by: PanelClient, demo: string): Promise<string> => {
  amount += 1
  const wish = { currency: 'EUR', amountMinor: String(amount), reason: 'agreed' }
  const answer = await by.post(`/merchants/${demo}/corrections`, wish)
  assert.ok(answer.body.approvalId, answer.text)
  return answer.body.approvalId
}
const approve = (by: PanelClient, id: string): Promise<Answer> => by.post(`/approvals/${id}/approve`, {})
const wishFor = (email: string, role: string) => ({ email, name: email, role, allMerchants: true, merchantIds: [] })

/** With the first password, which the one who was shown it can use. */
async function enter(shop: Shop, email: string, password: string): Promise<PanelClient> {
  const browser = new PanelClient(shop.url)
  const entered = await browser.signIn({ email, password })
  assert.equal(entered.http, 200, entered.text)
  const next = 'kettle of my own 7'
  assert.equal((await browser.post('/account/password', { current: password, next })).http, 200)
  const again = await browser.signIn({ email, password: next })
  assert.equal(again.http, 200, again.text)
  return browser
}

describe('an owner alone', () => {
  let shop: Shop
  let ann: Browser
  let demo: string
  before(async () => {
    shop = await openShop(settings, ['back office'])
    demo = await merchantId(shop, 'demo')
    await shop.base.pool.query(`update users set status = 'disabled'`)
    ann = await panelOf(shop)
  })
  after(() => shop[Symbol.asyncDispose]())

  test('makes another owner, who is no second person for a week, in neither direction', async () => {
    const mine = await ask(ann, demo)
    const { user, password } = (await ann.post('/users', wishFor('second@example.com', 'owner'))).body
    assert.deepEqual([user.status, user.waitingApproval], ['active', null])
    const second = await enter(shop, 'second@example.com', password)

    const refused = await approve(second, mine)
    assert.equal(refused.http, 403, refused.text)
    assert.match(
      refused.body.error.message,
      /^Person \d+ created your account on [\d-]+ [\d:]+ UTC\. One person may control both accounts, so you are no second person for Person \d+ until [\d-]+ [\d:]+ UTC\. /,
    )
    const theirs = await ask(second, demo)
    assert.match((await approve(ann, theirs)).body.error.message, /^You created the account of second@example\.com on /)

    const { approvals } = (await second.get('/approvals?state=waiting')).body
    const shown = approvals.find(({ id }: { id: string }) => id === mine)
    assert.equal(shown.obstacle.text, refused.body.error.message)
    assert.deepEqual((await second.get('/approvals/waiting')).body, { count: 0 })
    assert.equal((await second.post(`/approvals/${mine}/refuse`, {})).http, 200, 'may refuse')

    await shop.advance(weekMs)
    const later = await ask(ann, demo)
    assert.deepEqual((await second.get('/approvals/waiting')).body, { count: 1 })
    assert.equal((await approve(second, later)).http, 200)
  })
})

describe('of two owners', () => {
  let shop: Shop
  let ann: Browser
  let ben: Browser
  let demo: string
  before(async () => {
    shop = await openShop(settings, ['back office'])
    demo = await merchantId(shop, 'demo')
    ann = await panelOf(shop)
    ben = await panelOf(shop)
  })
  after(() => shop[Symbol.asyncDispose]())

  const assertTied = async (one: PanelClient, other: PanelClient, what: RegExp): Promise<void> => {
    for (const [asker, decider] of [
      [one, other],
      [other, one],
    ] as const) {
      const answer = await approve(decider, await ask(asker, demo))
      assert.equal(answer.http, 403, answer.text)
      assert.match(answer.body.error.message, what)
    }
  }
  const assertFree = async (asker: PanelClient, decider: PanelClient): Promise<void> => {
    const answer = await approve(decider, await ask(asker, demo))
    assert.equal(answer.http, 200, answer.text)
  }
  /** Of an account that the command line made, which no user holds. */
  const reach = async (role = 'finance'): Promise<Browser> => {
    const browser = await panelOf(shop, { role })
    if (role === 'finance') await assertFree(ann, browser)
    return browser
  }
  const at = ({ person }: Browser) => `/users/${person.id}`

  test('one makes an owner or an approver with the other, and until then the account is disabled', async () => {
    for (const role of ['owner', 'finance']) {
      const email = `new-${role}@example.com`
      const { user, password } = (await ann.post('/users', wishFor(email, role))).body
      assert.equal(user.status, 'disabled', role)
      const early = await new PanelClient(shop.url).signIn({ email, password })
      assert.equal(early.body.error.code, 'wrong_credentials')
      assert.equal((await approve(ann, user.waitingApproval)).http, 403)
      const approval = await approve(ben, user.waitingApproval)
      assert.deepEqual([approval.http, approval.body.state], [200, 'done'], approval.text)
      const anew = await enter(shop, email, password)
      await assertTied(ann, anew, /created/)
      await assertTied(ben, anew, /enabled/)
      await assertFree(ann, ben)
      await assertFree(ann, await reach())
    }
    const { user } = (await ann.post('/users', wishFor('helper@example.com', 'support'))).body
    assert.deepEqual(
      [user.status, user.waitingApproval],
      ['active', null],
      'who approves nothing needs no second person',
    )
  })

  test('an invitation to an account that waits is mailed with the approval', async () => {
    const answer = await ann.post('/users', { ...wishFor('invited@example.com', 'operator'), invite: true })
    const { user, password } = answer.body
    assert.deepEqual([password, user.invitedUntil], [null, null])
    assert.equal((await approve(ben, user.waitingApproval)).http, 200)
    const { body } = await ann.get(`/users/${user.id}`)
    assert.equal(body.user.status, 'active')
    assert.ok(body.user.invitedUntil)
    const renewed = await ann.post(`/users/${user.id}/invitation`)
    assert.equal(renewed.http, 200)
  })

  test('more rights of an approver need the other, exactly as asked; fewer, and a name, do not', async () => {
    const user = await reach()
    const request = (await ann.send('PATCH', at(user), { role: 'operator', name: 'New name' })).body
    assert.deepEqual([request.role, request.name], ['finance', user.person.name])
    const approval = await approve(ben, request.waitingApproval)
    assert.equal(approval.body.state, 'done', approval.text)
    const after = (await ann.get(at(user))).body.user
    assert.deepEqual([after.role, after.name, after.waitingApproval], ['operator', 'New name', null])
    await assertTied(ann, user, /extended/)

    const less = (await ann.send('PATCH', at(user), { allMerchants: false, merchantIds: [demo] })).body
    assert.deepEqual([less.allMerchants, less.waitingApproval], [false, null])
    const more = (await ann.send('PATCH', at(user), { allMerchants: true })).body
    assert.deepEqual([more.allMerchants, typeof more.waitingApproval], [false, 'string'])
    assert.equal((await ann.send('PATCH', at(user), { requireSecondFactor: true })).http, 200)
    const changed = await approve(ben, more.waitingApproval)
    assert.deepEqual(
      [changed.body.state, changed.body.result],
      ['failed', { refused: 'The account was changed after the request. Request it again.' }],
    )
  })

  test('neither decides about rights beyond their own, nor about their own', async () => {
    const user = await reach()
    const role = { title: 'Decides', permissions: ['users.read', 'users.write', 'approvals.read', 'approvals.decide'] }
    assert.equal((await ann.send('PUT', '/roles/decider', role)).http, 200)
    const limited = await panelOf(shop, { role: 'decider' })
    const { waitingApproval } = (await ann.send('PATCH', at(user), { role: 'owner' })).body
    assert.equal((await approve(limited, waitingApproval)).http, 403)
    assert.equal((await ben.post(`/approvals/${waitingApproval}/refuse`, {})).http, 200)
  })

  test('one who resets, enables, or makes a key is tied to the account', async () => {
    const reset = await reach()
    const { password } = (await ann.post(`${at(reset)}/password`)).body
    await assertTied(ann, await enter(shop, reset.person.email, password), /reset (your|the) password/)

    const lost = await reach()
    await shop.base.pool.query('update users set totp_enabled_at = now() where id = $1', [lost.person.id])
    const { approvalId } = (await ann.post(`${at(lost)}/second-factor/reset`, { reason: 'lost' })).body
    assert.equal((await approve(ben, approvalId)).http, 200)
    await lost.signIn(lost.person)
    await assertTied(ann, lost, /reset (your|the) second factor/)
    await assertTied(ben, lost, /reset (your|the) second factor/)

    const enabled = await reach()
    assert.equal((await ann.send('PATCH', at(enabled), { status: 'disabled' })).body.waitingApproval, null)
    const { waitingApproval } = (await ann.send('PATCH', at(enabled), { status: 'active' })).body
    assert.equal((await approve(ben, waitingApproval)).body.state, 'done')
    await enabled.signIn(enabled.person)
    await assertTied(ben, enabled, /enabled (your|the) account/)

    const wish = { name: 'refunder', role: 'finance', allMerchants: true, merchantIds: [], expiresInDays: 60 }
    const { bearer } = (await ann.post('/service-accounts', wish)).body
    const program = new PanelClient(shop.url, { authorization: `Bearer ${bearer}` })
    await assertFree(program, ben)
    await shop.advance(weekMs)
    const answer = await approve(ann, await ask(program, demo))
    assert.match(answer.body.error.message, /^You created the key of refunder on /, 'as long as the key')
  })

  test('one who extends a role is tied to its users, and does not extend one that approves', async () => {
    const role = (permissions: readonly string[]) => ({ title: 'Clerk', permissions })
    assert.equal((await ann.send('PUT', '/roles/clerk', role(['payments.read']))).http, 200)
    const clerk = await panelOf(shop, { role: 'clerk' })
    assert.equal((await ann.send('PUT', '/roles/clerk', role(['payments.read', 'accounts.write']))).http, 200)
    assert.match((await approve(ann, await ask(clerk, demo))).body.error.message, /^You extended the permissions of /)
    await assertFree(clerk, ben)
    const refused = await ann.send(
      'PUT',
      '/roles/clerk',
      role(['accounts.write', 'approvals.read', 'approvals.decide']),
    )
    assert.equal(refused.http, 409)
    assert.match(refused.body.error.message, /two people decide about their permissions\. Create another role/)
    assert.equal((await ann.send('PUT', '/roles/free', role(['accounts.write', 'approvals.decide']))).http, 200)
  })

  test('one does not become the only one by disabling, restricting or resetting the other', async () => {
    const isShared = async (email: string): Promise<boolean> =>
      (await ann.post('/users', wishFor(email, 'owner'))).body.user.waitingApproval !== null
    for (const change of [{ status: 'disabled' }, { role: 'support' }]) {
      await using own = await openShop(settings, ['back office'])
      await own.base.pool.query(`update users set status = 'disabled'`)
      const [one, other] = [await panelOf(own), await makeUser(own)]
      assert.equal((await one.send('PATCH', `/users/${other.id}`, change)).body.waitingApproval, null)
      const { user } = (await one.post('/users', wishFor('third@example.com', 'owner'))).body
      assert.equal(user.status, 'disabled', JSON.stringify(change))
      await own.advance(weekMs)
      const later = (await one.post('/users', wishFor('fourth@example.com', 'owner'))).body.user
      assert.equal(later.status, 'active')
    }
    await ann.post(`${at(ben)}/password`)
    assert.equal(await isShared('fifth@example.com'), true)
  })
})
