/**
 * Chapter 50 §8, decision 0275: an approval whose process died before its action is shown, and carried out once, whoever and however many do it.
 * Every kind of approval that is carried out at once is here.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { actPermissions } from '#server/panel/approvals/approvals.ts'
import { findLockedApprovals, runWithApprovalLock } from '#server/store/people/approval-lock.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { expiryFields } from '../../../../../../test/payments.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

const dayMs = 86_400_000
const iban = 'DE89370400440532013000'

let shop: Shop
let demo: string
let midId: string
let asker: PanelClient
let owner: PanelClient & { readonly person: { readonly id: string } }
let other: PanelClient
before(async () => {
  shop = await openShop({ REFUND_APPROVAL: 'EUR:50,*:1000' }, ['back office'])
  demo = await merchantId(shop, 'demo')
  asker = await panelOf(shop)
  owner = await panelOf(shop)
  other = await panelOf(shop)
  midId = await value("select id from mids where name = 'sandbox-live'")
})
after(() => shop[Symbol.asyncDispose]())

const value = async (text: string, values: readonly unknown[] = []): Promise<string> =>
  String(Object.values((await shop.base.pool.query(text, [...values])).rows[0] ?? {})[0])
const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)
const at = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`
const grounds = { reason: 'Answered by mail', evidence: 'Ticket 4711' }

/** Makes a request, and counts how often it was carried out. */
type Ask = () => Promise<{ readonly approvalId: string; readonly effects: () => Promise<string> }>

async function paid(over: Readonly<Record<string, string>> = {}): Promise<string> {
  const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...over })
  return body.trans_id
}

const requestIn = (answer: { readonly body: { readonly approvalId?: string }; readonly text: string }): string => {
  assert.ok(answer.body.approvalId, answer.text)
  return answer.body.approvalId
}
const entries = (action: string) => () => value('select count(*) from audit_log where action = $1', [action])

const kinds: Readonly<Record<Exclude<keyof typeof actPermissions, 'password-reveal'>, Ask>> = {
  refund: async () => {
    const id = await paid({ order_amount: '80.00' })
    const approvalId = requestIn(await asker.post(`${at(id)}/refund`, { reason: 'all of it' }))
    const effects = async () => String((await shop.readExecuted(id)).filter(({ type }) => /refund/i.test(type)).length)
    return { approvalId, effects }
  },
  outcome: async () => {
    const id = await paid(expiryFields('08/2039'))
    for (const seconds of [5, 30, 120, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
    const transactionId = (await asker.get(at(id))).body.timeline[0].id
    const wish = {
      transactionId,
      decision: 'executed',
      reference: 'ACQ-1',
      amountMinor: '1000',
      date: today(),
      ...grounds,
    }
    const approvalId = requestIn(await asker.post(`${at(id)}/outcome`, wish))
    return { approvalId, effects: async () => String((await shop.postings(id)).length) }
  },
  'give-back': async () => {
    const id = await paid(expiryFields('02/2038'))
    await shop.base.pool.query(
      `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at) values ($1, 'give-back', $2, $3, 'Refund it.', now())`,
      [crypto.randomUUID(), demo, id],
    )
    const { returns } = (await asker.get('/unresolved')).body
    const { alertId } = returns.find((one: { paymentId: string }) => one.paymentId === id)
    const record = { alertId, reference: 'R-1', amountMinor: '1000', date: today(), ...grounds }
    const approvalId = requestIn(await asker.post(`${at(id)}/give-back`, record))
    const effects = () => value(`select count(*) from transactions where payment_id = $1 and type = 'REVERSAL'`, [id])
    return { approvalId, effects }
  },
  correction: async () => {
    const wish = { currency: 'EUR', amountMinor: '500', reason: 'agreed' }
    const approvalId = requestIn(await asker.post(`/merchants/${demo}/corrections`, wish))
    const effects = () => value('select count(*) from account_entries where source = $1', [`correction ${approvalId}`])
    return { approvalId, effects }
  },
  'payout-account': async () => {
    const account = { holder: 'Demo Ltd', number: iban, reason: 'by letter' }
    const approvalId = requestIn(await asker.send('PUT', `/merchants/${demo}/payout-accounts/EUR`, account))
    return { approvalId, effects: entries('payout-account.put') }
  },
  'payout-run': async () => {
    await paid({ order_amount: '80.00' })
    const lastDay = today()
    await shop.advance(dayMs + 3_600_000)
    await asker.post('/statements', { lastDay })
    const from = { holder: 'Operator', number: iban, bic: null }
    const run = await asker.post('/payout-runs', { currency: 'EUR', from, executeOn: today(), reason: 'weekly' })
    return {
      approvalId: requestIn(run),
      effects: () => value(`select count(*) from account_entries where to_account = 'paid_out'`),
    }
  },
  difference: async () => {
    const row = `R1,charge,${crypto.randomUUID()},EUR,5.00,0.10,4.90,${today()}`
    const text = ['row,type,payment_id,currency,gross,fee,net,date', row, 'end,1', ''].join('\n')
    const content = Buffer.from(text).toString('base64')
    await asker.post('/settlements', { midId, name: 'a.csv', content })
    const id = await value(`select id from settlement_differences where ref = 'R1'`)
    const approvalId = requestIn(
      await asker.post(`/settlements/differences/${id}/resolve`, { note: 'agreed', correct: true }),
    )
    return { approvalId, effects: () => value(`select count(*) from book_entries where source like 'difference %'`) }
  },
  'factor-reset': async () => {
    const user = await panelOf(shop, { role: 'support' })
    await shop.base.pool.query('update users set totp_enabled_at = now() where id = $1', [user.person.id])
    const approvalId = requestIn(await asker.post(`/users/${user.person.id}/second-factor/reset`, { reason: 'lost' }))
    return { approvalId, effects: entries('user.reset-factor') }
  },
  'routing-publish': async () => {
    const set = `/routing/sets/${demo}`
    const draft = await asker.send('PUT', `${set}/draft`, { rules: [], note: 'why', revision: 0 })
    const approvalId = requestIn(
      await asker.post(`${set}/publish`, { revision: draft.body.revision, reason: 'cheaper' }),
    )
    return { approvalId, effects: entries('routing.publish') }
  },
}

/** As a process leaves it that dies after the decision. */
const leave = (approvalId: string) =>
  shop.base.pool.query(`update approvals set state = 'approved', decided_by = $2, decided_at = $3 where id = $1`, [
    approvalId,
    owner.person.id,
    new Date(shop.base.clock.now().getTime() - 61_000),
  ])

const shownIn = async (state: string, approvalId: string) =>
  (await owner.get(`/approvals?state=${state}&limit=200`)).body.approvals.find(
    ({ id }: { id: string }) => id === approvalId,
  )
const approve = (approvalId: string, by: PanelClient) => by.post(`/approvals/${approvalId}/approve`, {})

describe('an approval that was left', () => {
  for (const [name, ask] of Object.entries(kinds))
    test(`${name}: it is shown and counted, and two who carry it out at once do it once`, async () => {
      const { approvalId, effects } = await ask()
      const before = (await other.get('/approvals/waiting')).body.count
      await leave(approvalId)
      assert.equal((await shownIn('approved', approvalId)).isLeft, true)
      assert.equal((await shownIn('left', approvalId)).isLeft, true)
      assert.equal((await other.get('/approvals/waiting')).body.count, before, 'it counts as before')
      assert.equal(await effects(), '0')
      const answers = await Promise.all([owner, other, asker].map((by) => approve(approvalId, by)))
      const [carried, refused] = [
        answers.filter(({ http }) => http === 200),
        answers.filter(({ http }) => http !== 200),
      ]
      assert.ok(carried.length > 0, answers.map(({ text }) => text).join())
      for (const { body } of carried) assert.equal(body.state, 'done', JSON.stringify(body))
      // The person who asked may carry it out, and may not decide on what has ended.
      for (const { http, text } of refused) assert.ok(http === 409 || http === 403, text)
      assert.equal((await shownIn('done', approvalId))?.isLeft, false)
      assert.equal(await shownIn('left', approvalId), undefined)
      assert.equal(await effects(), '1')
      assert.equal((await approve(approvalId, other)).http, 409, 'it is not decided again')
      assert.equal(await effects(), '1')
    })
})

test('while a request is being carried out it is not left, and nobody else begins; afterwards it can be carried out', async () => {
  const { approvalId, effects } = await kinds.refund()
  await leave(approvalId)
  const { pool } = shop.base
  await runWithApprovalLock(pool, approvalId, async () => {
    assert.deepEqual([...(await findLockedApprovals(pool, [approvalId, crypto.randomUUID()]))], [approvalId])
    assert.equal((await shownIn('approved', approvalId)).isLeft, false)
    const { http, body } = await approve(approvalId, other)
    assert.deepEqual([http, /is being carried out/.test(body.error.message)], [409, true])
    assert.equal(await effects(), '0')
  })
  assert.equal((await shownIn('approved', approvalId)).isLeft, true)
  assert.equal((await approve(approvalId, other)).body.state, 'done')
  assert.equal(await effects(), '1')
})

test('a password that may be seen waits for the person who asked, and is not left', async () => {
  const { approvalId } = (await asker.post(`/merchants/${demo}/password/reveal`, { reason: 'lost' })).body
  await leave(approvalId)
  assert.equal((await shownIn('approved', approvalId)).isLeft, false)
  assert.equal(await shownIn('left', approvalId), undefined)
})
