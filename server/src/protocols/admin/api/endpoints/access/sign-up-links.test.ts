import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startMailHost } from '../../../../../../test/mail-host.ts'
import { adminContext, makeUser, merchantId, PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { inTransaction } from '../../../../../store/database/transaction.ts'
import { purges } from '../../../../../store/retention/purges.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
let demo: string
before(async () => {
  host = await startMailHost()
  shop = await openShop({
    SMTP_URL: host.url,
    MAIL_FROM: 'payments@example.com',
    REQUIRE_SECOND_FACTOR: 'merchant-viewer',
  })
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const anyone = () => new PanelClient(shop.url)
const password = 'kettle of my own 7'

const wish = (more: object = {}) => ({ role: 'merchant-viewer', merchantIds: [demo], needsApproval: false, ...more })

async function makeLink(more: object = {}, author: PanelClient = owner): Promise<{ id: string; code: string }> {
  const { http, body, text } = await author.post('/sign-up-links', wish(more))
  assert.equal(http, 200, text)
  return { id: body.link.id, code: body.address.split('/admin/sign-up#')[1] }
}

/** Attempts are counted by address and mail; each test begins anew. */
const forget = () => shop.base.pool.query('delete from sign_in_failures')

async function ask(code: string, email: string, more: object = {}) {
  await forget()
  return anyone().post('/sign-up', { code, email, name: 'Ann Smith', password, ...more })
}

async function mailsTo(email: string): Promise<readonly string[]> {
  await shop.service.awaitIdle()
  return host.received.filter(({ to }) => to.includes(email)).map(({ text }) => text.replace(/=\r?\n/g, ''))
}

/** The code of the newest confirmation mailed to an address; null if there is none. */
const mailedCode = async (email: string): Promise<string | null> =>
  /\/admin\/confirm-sign-up#([0-9a-f]+)/.exec(
    (await mailsTo(email)).findLast((text) => text.includes('#')) ?? '',
  )?.[1] ?? null

/** Of several answers, the lowest first. */
const codesOf = (answers: readonly { readonly http: number }[]) =>
  answers.map(({ http }) => http).toSorted((one, other) => one - other)

const confirm = (code: string | null, typed = password) => anyone().post('/sign-up/confirm', { code, password: typed })
const userOf = async (email: string) =>
  (await owner.get('/users')).body.users.find((user: { email: string }) => user.email === email)
const linkOf = async (id: string) =>
  (await owner.get('/sign-up-links')).body.links.find((link: { id: string }) => link.id === id)

describe('a sign-up link', () => {
  test('makes a user of its merchants once the mail address is confirmed with the chosen password', async () => {
    const email = 'ann@example.com'
    const { id, code } = await makeLink()
    const { body: about } = await anyone().post('/sign-up-link', { code })
    assert.deepEqual([about.role, about.merchants.length, about.needsApproval], ['merchant-viewer', 1, false])
    assert.equal((await ask(code, email, { password: 'short' })).http, 422)
    assert.equal((await ask(code, email)).http, 200)
    assert.equal(await userOf(email), undefined, 'no user before the confirmation')
    const mailed = await mailedCode(email)
    assert.equal((await anyone().post('/sign-up/mail', { code: mailed })).body.email, email)
    assert.equal((await anyone().signIn({ email, password })).body.error.code, 'wrong_credentials')
    assert.equal((await confirm(mailed, 'the password of another 7')).http, 422)
    const confirmed = await confirm(mailed)
    assert.deepEqual([confirmed.http, confirmed.body.result], [200, 'user'])
    assert.equal((await confirm(mailed)).http, 409, 'the mail works once')
    const { role, allMerchants, merchantIds, passwordTemporary } = await userOf(email)
    assert.deepEqual([role, allMerchants, merchantIds, passwordTemporary], ['merchant-viewer', false, [demo], false])
    const entered = await anyone().signIn({ email, password })
    assert.deepEqual(
      [entered.http, entered.body.duty],
      [200, 'second factor'],
      'which the instance requires of the role',
    )
    const link = await linkOf(id)
    assert.deepEqual([link.used, link.uses, link.state], [1, 1, 'used up'])
    assert.equal((await anyone().post('/sign-up-link', { code })).http, 409)
  })

  test('asks for an approval unless told otherwise; the approver is a person who may invite, and the decision is mailed', async () => {
    const author = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const { code } = await makeLink({ needsApproval: undefined, uses: 2 }, author)
    for (const email of ['bob@example.com', 'eve@example.com']) {
      await ask(code, email)
      assert.equal((await confirm(await mailedCode(email))).body.result, 'waiting')
      assert.equal(await userOf(email), undefined)
      assert.equal((await anyone().signIn({ email, password })).body.error.code, 'wrong_credentials')
    }
    assert.ok((await mailsTo(author.person.email)).some((text) => text.includes('bob@example.com')))
    const other = await panelOf(shop, {
      role: 'merchant-admin',
      allMerchants: false,
      merchantIds: [await merchantId(shop, 'demo-dms')],
    })
    assert.deepEqual((await other.get('/sign-ups')).body.signUps, [])
    const { signUps } = (await author.get('/sign-ups')).body
    const idOf = (wanted: string) => signUps.find(({ email }: { email: string }) => email === wanted).id
    const [bob, eve] = [idOf('bob@example.com'), idOf('eve@example.com')]
    assert.equal((await other.post(`/sign-ups/${bob}/approve`)).http, 404)
    assert.equal((await (await panelOf(shop, { role: 'support' })).post(`/sign-ups/${bob}/approve`)).http, 403)
    const both = await Promise.all([author.post(`/sign-ups/${bob}/approve`), owner.post(`/sign-ups/${bob}/approve`)])
    assert.deepEqual(codesOf(both), [200, 404], 'one decision counts')
    assert.equal((await author.post(`/sign-ups/${eve}/refuse`)).http, 200)
    assert.equal((await anyone().signIn({ email: 'bob@example.com', password })).http, 200)
    assert.equal(await userOf('eve@example.com'), undefined)
    assert.ok((await mailsTo('bob@example.com')).some((text) => text.includes('was approved')))
    assert.ok((await mailsTo('eve@example.com')).some((text) => text.includes('was refused')))
  })

  test('gives merchant roles only, to merchants that its author has', async () => {
    for (const role of ['owner', 'support', 'auditor']) {
      const refused = await owner.post('/sign-up-links', wish({ role }))
      assert.deepEqual([refused.http, refused.body.error.fields[0].field], [422, 'role'], role)
    }
    assert.equal((await owner.post('/sign-up-links', wish({ merchantIds: [] }))).http, 422)
    const author = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const foreign = await merchantId(shop, 'demo-dms')
    assert.equal((await author.post('/sign-up-links', wish({ merchantIds: [demo, foreign] }))).http, 404)
    const { id } = await makeLink({ merchantIds: [demo, foreign] })
    assert.equal((await author.get('/sign-up-links')).text.includes(id), false)
    assert.equal((await author.send('DELETE', `/sign-up-links/${id}`)).http, 404)
  })

  test('gives its last use to one of two who confirm at the same moment', async () => {
    const { id, code } = await makeLink()
    const emails = ['first@example.com', 'second@example.com']
    for (const email of emails) assert.equal((await ask(code, email)).http, 200)
    const codes = [await mailedCode(emails[0] ?? ''), await mailedCode(emails[1] ?? '')]
    const answers = await Promise.all(codes.map((one) => confirm(one)))
    assert.deepEqual(codesOf(answers), [200, 409])
    assert.equal((await Promise.all(emails.map(userOf))).filter((user) => user !== undefined).length, 1)
    assert.equal((await linkOf(id)).used, 1)
  })

  test('ends when it is revoked, when it expires, and with an author who may no longer give what it gives', async () => {
    const { id, code } = await makeLink({ uses: 5 })
    await ask(code, 'late@example.com')
    assert.equal((await owner.send('DELETE', `/sign-up-links/${id}`)).http, 200)
    assert.equal((await owner.send('DELETE', `/sign-up-links/${id}`)).http, 409)
    assert.equal((await confirm(await mailedCode('late@example.com'))).http, 409)
    assert.equal((await ask(code, 'later@example.com')).http, 409)

    const old = await makeLink()
    await shop.base.pool.query('update sign_up_links set expires_at = $2 where id = $1', [
      old.id,
      adminContext(shop).machine.now(),
    ])
    assert.equal((await ask(old.code, 'later@example.com')).http, 409)

    const author = await panelOf(shop)
    const left = await makeLink({}, author)
    await ask(left.code, 'orphan@example.com')
    await shop.base.pool.query(`update users set status = 'disabled' where id = $1`, [author.person.id])
    assert.equal((await confirm(await mailedCode('orphan@example.com'))).http, 409)
    assert.equal((await linkOf(left.id)).used, 0, 'nothing is half done')
  })

  test('is limited to the mail domains that it names', async () => {
    const { code } = await makeLink({ domains: ['Shop.example', 'shop.test'] })
    const refused = await ask(code, 'carl@example.com')
    assert.equal(refused.body.error.fields[0].text, 'Use an e-mail address of shop.example or shop.test.')
    assert.equal((await ask(code, 'carl@notshop.example')).http, 422)
    assert.equal((await ask(code, 'Carl@SHOP.example')).http, 200)
    assert.equal((await owner.post('/sign-up-links', wish({ domains: ['@shop'] }))).http, 422)
  })
})

describe('a sign-up', () => {
  test('does not tell whether the address has an account, and tells its owner by mail', async () => {
    const { code } = await makeLink({ uses: 5 })
    const known = await makeUser(shop)
    const answers = []
    for (const email of [known.email, 'unknown@example.com']) {
      const begun = performance.now()
      const { http, text } = await ask(code, email)
      answers.push({ http, text, slow: performance.now() - begun >= 595 })
    }
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual([answers[0]?.http, answers[0]?.slow], [200, true])
    assert.equal(await mailedCode(known.email), null)
    assert.ok((await mailsTo(known.email)).some((text) => text.includes('already has an account')))
  })

  test('that another person repeats with a password of their own cannot be confirmed by the owner of the address', async () => {
    const { code } = await makeLink({ uses: 5 })
    await ask(code, 'dora@example.com')
    const first = await mailedCode('dora@example.com')
    await ask(code, 'dora@example.com', { password: 'password of a stranger 7' })
    assert.equal((await confirm(first)).http, 409)
    assert.equal((await confirm(await mailedCode('dora@example.com'))).http, 422)
    assert.equal(await userOf('dora@example.com'), undefined)
  })

  test('can be asked for a few times only', async () => {
    const { code } = await makeLink({ uses: 5 })
    await forget()
    const answers = []
    for (let times = 0; times < 4; times += 1)
      answers.push((await anyone().post('/sign-up', { code, email: 'many@example.com', name: 'M', password })).http)
    assert.deepEqual(answers, [200, 200, 200, 429])
    await forget()
  })

  test('that was never confirmed is deleted, one that waits for its decision stays', async () => {
    const { code } = await makeLink({ needsApproval: true, uses: 5 })
    for (const email of ['gone@example.com', 'stays@example.com']) await ask(code, email)
    await confirm(await mailedCode('stays@example.com'))
    const inTwoDays = new Date(adminContext(shop).machine.now().getTime() + 2 * 86_400_000)
    const batch = { before: inTwoDays, cursor: '', limit: 100, now: inTwoDays }
    await inTransaction(shop.base.pool, (client) => purges['sign-ups'](client, batch))
    const { rows } = await shop.base.pool.query('select email from sign_ups')
    const emails = rows.map(({ email }) => email)
    assert.deepEqual([emails.includes('gone@example.com'), emails.includes('stays@example.com')], [false, true])
  })

  test('is in the audit log from the link to the user, without its secrets', async () => {
    const { id, code } = await makeLink({ needsApproval: true })
    await ask(code, 'audit@example.com')
    const mailed = await mailedCode('audit@example.com')
    await confirm(mailed)
    const { signUps } = (await owner.get('/sign-ups')).body
    await owner.post(
      `/sign-ups/${signUps.find((one: { email: string }) => one.email === 'audit@example.com').id}/approve`,
    )
    const { rows } = await shop.base.pool.query(
      `select action, actor, coalesce(before, '') || coalesce(after, '') as text from audit_log where subject = $1 order by seq`,
      [`sign-up-link ${id}`],
    )
    assert.deepEqual(
      rows.map(({ action, actor }) => `${action} ${actor}`),
      [
        `sign-up-link.create ${owner.person.email}`,
        'sign-up.request audit@example.com',
        'sign-up.confirm audit@example.com',
        `sign-up.approve ${owner.person.email}`,
      ],
    )
    const { rows: stored } = await shop.base.pool.query(
      'select l::text || s::text as text from sign_up_links l, sign_ups s',
    )
    for (const { text } of [...rows, ...stored])
      for (const word of [code, mailed ?? '', password]) assert.equal(text.includes(word), false)
  })
})
