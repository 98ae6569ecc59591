/** Requests of every kind of approval that is carried out at once, and how a process leaves them that dies after the decision. */
import assert from 'node:assert/strict'
import type { actPermissions } from '#server/panel/approvals/approvals.ts'
import { expiryFields } from '../payments.ts'
import { type Answer, openShop, type Shop } from '../shop.ts'
import { makeUser, merchantId, type PanelClient, panelOf } from './admin.ts'

const dayMs = 86_400_000
const iban = 'DE89370400440532013000'
export const grounds = { reason: 'Answered by mail', evidence: 'Ticket 4711' }

type Kind = Exclude<keyof typeof actPermissions, 'password-reveal'>
/** The kinds, which a type requires to be complete: see `ApprovalScene`. */
export const askedKinds = [
  'refund',
  'outcome',
  'give-back',
  'correction',
  'payout-account',
  'payout-run',
  'difference',
  'dispute',
  'factor-reset',
  'user-rights',
  'routing-publish',
] as const satisfies readonly Kind[]
type Counted = () => Promise<number>
/** Makes a request; `effects` counts how often it was carried out. */
type Ask = () => Promise<{ readonly approvalId: string; readonly effects: Counted }>

export interface ApprovalScene {
  readonly shop: Shop
  readonly demo: string
  readonly asker: PanelClient
  /** Who decided on what was left. */
  readonly owner: PanelClient
  readonly other: PanelClient
  readonly asks: Readonly<Record<Kind, Ask>>
  readonly leave: (approvalId: string) => Promise<unknown>
  readonly shownIn: (state: string, approvalId: string) => Promise<Answer['body']>
}

export const approve = (approvalId: string, by: PanelClient): Promise<Answer> =>
  by.post(`/approvals/${approvalId}/approve`, {})

export const dismiss = (approvalId: string, by: PanelClient, reason = 'Asked again since'): Promise<Answer> =>
  by.post(`/approvals/${approvalId}/dismiss`, { reason })

export function requestIn(answer: Answer): string {
  assert.ok(answer.body.approvalId, answer.text)
  return answer.body.approvalId
}

/** The first column of the first row. */
export const readValue = async (shop: Shop, text: string, values: readonly unknown[] = []): Promise<string> =>
  String(Object.values((await shop.base.pool.query(text, [...values])).rows[0] ?? {})[0])

export const todayOf = (shop: Shop): string => shop.base.clock.now().toISOString().slice(0, 10)

export async function payIn(shop: Shop, over: Readonly<Record<string, string>> = {}): Promise<string> {
  const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...over })
  return body.trans_id
}

export async function raiseGiveBack(shop: Shop, demo: string, paymentId: string): Promise<string> {
  const alertId = crypto.randomUUID()
  await shop.base.pool.query(
    `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at) values ($1, 'give-back', $2, $3, 'Refund it.', now())`,
    [alertId, demo, paymentId],
  )
  return alertId
}

export async function openApprovals(): Promise<ApprovalScene> {
  const shop = await openShop({ REFUND_APPROVAL: 'EUR:50,*:1000' }, ['back office'])
  const demo = await merchantId(shop, 'demo')
  const asker = await panelOf(shop)
  const owner = await panelOf(shop)
  const other = await panelOf(shop)
  const { pool, clock } = shop.base
  return {
    shop,
    demo,
    asker,
    owner,
    other,
    asks: asksOf(shop, demo, asker),
    leave: (approvalId) =>
      pool.query(`update approvals set state = 'approved', decided_by = $2, decided_at = $3 where id = $1`, [
        approvalId,
        owner.person.id,
        new Date(clock.now().getTime() - 61_000),
      ]),
    shownIn: async (state, approvalId) =>
      (await owner.get(`/approvals?state=${state}&limit=200`)).body.approvals.find(
        ({ id }: { id: string }) => id === approvalId,
      ),
  }
}

function asksOf(shop: Shop, demo: string, asker: PanelClient): ApprovalScene['asks'] {
  const at = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`
  const count = async (text: string, values: readonly unknown[]): Promise<number> =>
    Number(await readValue(shop, text, values))
  const countSince = async (text: string, values: readonly unknown[] = []): Promise<Counted> => {
    const earlier = await count(text, values)
    return async () => (await count(text, values)) - earlier
  }
  const entriesSince = (action: string) => countSince('select count(*) from audit_log where action = $1', [action])
  let counter = 0
  return {
    refund: async () => {
      const id = await payIn(shop, { order_amount: '80.00' })
      const approvalId = requestIn(await asker.post(`${at(id)}/refund`, { reason: 'all of it' }))
      const effects = async () => (await shop.readExecuted(id)).filter(({ type }) => /refund/i.test(type)).length
      return { approvalId, effects }
    },
    outcome: async () => {
      const id = await payIn(shop, expiryFields('08/2039'))
      for (const seconds of [5, 30, 120, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
      const transactionId = (await asker.get(at(id))).body.timeline[0].id
      const execution = { decision: 'executed', reference: 'ACQ-1', amountMinor: '1000', date: todayOf(shop) }
      const approvalId = requestIn(await asker.post(`${at(id)}/outcome`, { transactionId, ...execution, ...grounds }))
      return { approvalId, effects: async () => (await shop.postings(id)).length }
    },
    'give-back': async () => {
      const id = await payIn(shop, expiryFields('02/2038'))
      const alertId = await raiseGiveBack(shop, demo, id)
      const record = { alertId, reference: 'R-1', amountMinor: '1000', date: todayOf(shop), ...grounds }
      const approvalId = requestIn(await asker.post(`${at(id)}/give-back`, record))
      const recorded = `select count(*) from transactions where payment_id = $1 and type = 'REVERSAL'`
      return { approvalId, effects: () => count(recorded, [id]) }
    },
    correction: async () => {
      const wish = { currency: 'EUR', amountMinor: '500', reason: 'agreed' }
      const approvalId = requestIn(await asker.post(`/merchants/${demo}/corrections`, wish))
      const booked = 'select count(*) from account_entries where source = $1'
      return { approvalId, effects: () => count(booked, [`correction ${approvalId}`]) }
    },
    'payout-account': async () => {
      const effects = await entriesSince('payout-account.put')
      const account = { holder: `Demo ${++counter} Ltd`, number: iban, reason: 'by letter' }
      const path = `/merchants/${demo}/payout-accounts/EUR`
      return { approvalId: requestIn(await asker.send('PUT', path, account)), effects }
    },
    'payout-run': async () => {
      const effects = await countSince(`select count(*) from account_entries where to_account = 'paid_out'`)
      await putAccount(shop, demo)
      await payIn(shop, { order_amount: '80.00' })
      const lastDay = todayOf(shop)
      await shop.advance(dayMs + 3_600_000)
      await asker.post('/statements', { lastDay })
      const from = { holder: 'Operator', number: iban, bic: null }
      const wish = { currency: 'EUR', from, executeOn: todayOf(shop), reason: 'weekly' }
      return { approvalId: requestIn(await asker.post('/payout-runs', wish)), effects }
    },
    difference: async () => {
      const effects = await countSince(`select count(*) from book_entries where source like 'difference %'`)
      const ref = `R${++counter}`
      const row = `${ref},charge,${crypto.randomUUID()},EUR,5.00,0.10,4.90,${todayOf(shop)}`
      const text = ['row,type,payment_id,currency,gross,fee,net,date', row, 'end,1', ''].join('\n')
      const midId = await readValue(shop, "select id from mids where name = 'sandbox-live'")
      await asker.post('/settlements', { midId, name: `${ref}.csv`, content: Buffer.from(text).toString('base64') })
      const id = await readValue(shop, 'select id from settlement_differences where ref = $1', [ref])
      const path = `/settlements/differences/${id}/resolve`
      return { approvalId: requestIn(await asker.post(path, { note: 'agreed', correct: true })), effects }
    },
    dispute: async () => {
      const id = await payIn(shop)
      const chargeback = { reference: `CB-${id}`, amountMinor: '400', bankDate: todayOf(shop), reasonCode: '4837' }
      await asker.post(`${at(id)}/chargeback`, chargeback)
      const disputeId = await readValue(shop, 'select id from disputes where payment_id = $1', [id])
      const wish = { decision: 'won', ...grounds }
      const approvalId = requestIn(await asker.post(`/merchants/${demo}/disputes/${disputeId}/decision`, wish))
      const returned = `select count(*) from ledger_entries where payment_id = $1 and from_account = 'charged_back'`
      return { approvalId, effects: () => count(returned, [id]) }
    },
    'factor-reset': async () => {
      const effects = await entriesSince('user.reset-factor')
      const user = await panelOf(shop, { role: 'support' })
      await shop.base.pool.query('update users set totp_enabled_at = now() where id = $1', [user.person.id])
      const path = `/users/${user.person.id}/second-factor/reset`
      return { approvalId: requestIn(await asker.post(path, { reason: 'lost' })), effects }
    },
    'user-rights': async () => {
      const effects = await entriesSince('user.change')
      const { id } = await makeUser(shop, { role: 'support' })
      const { body } = await asker.send('PATCH', `/users/${id}`, { role: 'finance' })
      return { approvalId: body.waitingApproval, effects }
    },
    'routing-publish': async () => {
      const effects = await entriesSince('routing.publish')
      const set = `/routing/sets/${demo}`
      const draft = await asker.send('PUT', `${set}/draft`, { rules: [], note: 'why', revision: 0 })
      const wish = { revision: draft.body.revision, reason: 'cheaper' }
      return { approvalId: requestIn(await asker.post(`${set}/publish`, wish)), effects }
    },
  }
}

const putAccount = (shop: Shop, demo: string) =>
  shop.base.pool.query(
    `insert into payout_accounts (merchant_id, currency, holder, number, changed_by, changed_at)
     values ($1, 'EUR', 'Demo Ltd', $2, 'test', now()) on conflict do nothing`,
    [demo, iban],
  )
