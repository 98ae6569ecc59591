/** Routing rules at the panel: draft, validation, simulation, replay, publishing with a second person, history, roll-back. Chapter 50 §4, §8. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openAccount } from '../../../../../../test/account.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { publishRules } from '../../../../../../test/rules.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let author: PanelClient
let checker: PanelClient
let merchant: string
let set: string

before(async () => {
  shop = await openShop({}, ['back office'])
  author = await panelOf(shop, { role: 'operator' })
  checker = await panelOf(shop, { role: 'operator' })
})
after(() => shop[Symbol.asyncDispose]())

/** A merchant of its own with two MIDs and no rules. */
async function openMerchant(): Promise<void> {
  merchant = await openAccount(shop, { mids: [{}, {}] })
  set = await merchantId(shop, merchant)
}

const second = () => ({ name: 'second', action: { kind: 'use', mids: [`${merchant}-2`] } })
const address = (rest = '') => `/routing/sets/${set}${rest}`
const save = (rules: readonly unknown[], revision: number) =>
  author.send('PUT', address('/draft'), { rules, note: 'why', revision })
const ask = (revision: number) => author.post(address('/publish'), { revision, reason: 'cheaper' })

async function publish(rules: readonly unknown[]): Promise<void> {
  const { body } = await save(rules, 0)
  const request = await ask(body.revision)
  const approved = await checker.post(`/approvals/${request.body.approvalId}/approve`, {})
  assert.equal(approved.body.state, 'done', approved.text)
}

async function midOf(transId: string): Promise<string> {
  const { body } = await author.get(`/merchants/${set}/payments/${transId}/routing`)
  return body.explanation.ordered[0].midName
}

describe('a draft', () => {
  test('changes no payment, is complete with its defaults, and goes when it is published', async () => {
    await openMerchant()
    const { http, body } = await save([second()], 0)
    assert.equal(http, 200)
    assert.deepEqual(body.rules[0], {
      ...second(),
      enabled: true,
      conditions: [],
      action: { ...second().action, only: false },
      maximumAttempts: null,
      final: false,
    })
    const sale = await shop.sale({}, { merchant })
    assert.equal(await midOf(sale.body.trans_id), `${merchant}-1`)
    assert.equal((await author.get(address())).body.published, null)
    const { sets } = (await author.get('/routing/sets')).body
    assert.ok(sets.some((one: { ruleSet: string; draft: unknown }) => one.ruleSet === set && one.draft !== null))
  })

  test('is not written over what somebody else saved meanwhile', async () => {
    await openMerchant()
    assert.equal((await save([], 0)).http, 200)
    assert.equal((await save([], 0)).http, 409)
    assert.equal((await save([second()], 1)).body.revision, 2)
    assert.equal((await save([], 1)).http, 409)
    assert.equal((await author.send('DELETE', address('/draft?revision=2'))).http, 200)
    assert.equal((await author.get(address())).body.draft, null)
  })

  test('is refused with every fault by its place', async () => {
    await openMerchant()
    const faulty = [
      { name: 'a', action: { kind: 'use', mids: ['nobody'] } },
      { name: 'b', action: { kind: 'show-methods', methods: ['nothing'] } },
    ]
    const { http, body } = await save(faulty, 0)
    assert.equal(http, 422)
    assert.deepEqual(
      body.error.fields.map(({ field, text }: { field: string; text: string }) => `${field}: ${text}`),
      ['rules.0: MID "nobody" does not exist.', 'rules.1: Payment method "nothing" does not exist.'],
    )
    const { faults } = (await author.post('/routing/validate', { rules: faulty })).body
    assert.equal(faults.length, 2)
    assert.deepEqual((await author.post('/routing/validate', { rules: [second()] })).body.faults, [])
  })

  test('has one merchant’s rules or those of all, and none of a merchant that does not exist', async () => {
    assert.equal((await author.get('/routing/sets/global')).http, 200)
    assert.equal((await author.get('/routing/sets/0198c0de-0000-7000-8000-000000000001')).http, 404)
  })
})

describe('publishing', () => {
  test('needs a second person, and counts from then on', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: approval } = await ask(1)
    assert.deepEqual([approval.kind, approval.state], ['routing-publish', 'waiting'])
    assert.equal((await author.post(`/approvals/${approval.id}/approve`, {})).http, 403)
    const { body } = await checker.post(`/approvals/${approval.id}/approve`, {})
    assert.deepEqual([body.state, body.result], ['done', { version: 1 }])
    const sale = await shop.sale({}, { merchant })
    assert.equal(await midOf(sale.body.trans_id), `${merchant}-2`)
    const { published, draft } = (await author.get(address())).body
    assert.deepEqual([published.version, published.note, draft], [1, 'why', null])
    assert.notEqual(published.draftedBy, published.publishedBy)
  })

  test('names the merchant whose rules they are, and nobody of that merchant alone sees or decides it', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: approval } = await ask(1)
    assert.equal(approval.merchantId, set)
    const own = await panelOf(shop, { role: 'operator', allMerchants: false, merchantIds: [set] })
    assert.deepEqual((await own.get('/approvals')).body.approvals, [])
    assert.equal((await own.post(`/approvals/${approval.id}/approve`, {})).http, 404)
    const { approvals } = (await checker.get('/approvals?state=waiting')).body
    assert.ok(
      approvals.some(
        ({ id, merchantId }: { id: string; merchantId: string }) => id === approval.id && merchantId === set,
      ),
    )
  })

  test('is decided by nobody who may not write rules, though finance decides about refunds', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: approval } = await ask(1)
    const finance = await panelOf(shop, { role: 'finance' })
    const { http, body } = await finance.post(`/approvals/${approval.id}/approve`, {})
    assert.deepEqual(
      [http, body.error.message],
      [403, 'Deciding on this request also requires the permission routing.write.'],
    )
    assert.equal((await finance.post(`/approvals/${approval.id}/refuse`, {})).http, 403)
    assert.equal((await checker.post(`/approvals/${approval.id}/refuse`, {})).body.state, 'refused')
  })

  test('publishes what was asked for, and nothing that was changed afterwards', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: approval } = await ask(1)
    await save([], 1)
    assert.equal((await ask(1)).http, 409)
    const { body } = await checker.post(`/approvals/${approval.id}/approve`, {})
    assert.equal(body.state, 'failed')
    assert.equal((await author.get(address())).body.published, null)
  })

  test('a request for a later revision replaces the one that waits, which is then never carried out', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: earlier } = await ask(1)
    assert.equal((await ask(1)).http, 409, 'the same revision waits already')
    await save([], 1)
    const later = await ask(2)
    assert.equal(later.http, 200, later.text)
    assert.equal((await checker.post(`/approvals/${earlier.id}/approve`, {})).http, 409)
    const { body } = await checker.post(`/approvals/${later.body.id}/approve`, {})
    assert.deepEqual([body.state, body.result], ['done', { version: 1 }])
    assert.deepEqual((await author.get(address())).body.published.rules, [])
  })

  test('publishes no other draft that has come to the same number', async () => {
    await openMerchant()
    await save([second()], 0)
    const { body: approval } = await ask(1)
    await author.send('DELETE', address('/draft?revision=1'))
    assert.equal((await save([], 0)).body.revision, 1)
    const { body } = await checker.post(`/approvals/${approval.id}/approve`, {})
    assert.equal(body.state, 'failed')
    assert.equal((await author.get(address())).body.published, null)
  })

  test('keeps every version, and an earlier one comes back at once as a new version', async () => {
    await openMerchant()
    await publish([second()])
    await publish([])
    assert.equal(await midOf((await shop.sale({}, { merchant })).body.trans_id), `${merchant}-1`)
    const back = await author.post(address('/roll-back'), { version: 1, reason: 'It was better.' })
    assert.deepEqual([back.http, back.body.version, back.body.restores], [200, 3, 1])
    assert.equal(await midOf((await shop.sale({}, { merchant })).body.trans_id), `${merchant}-2`)
    const { versions } = (await author.get(address('/versions'))).body
    assert.deepEqual(
      versions.map(({ version, rules }: { version: number; rules: unknown[] }) => [version, rules.length]),
      [
        [3, 1],
        [2, 0],
        [1, 1],
      ],
    )
    assert.equal((await author.get(address('/versions/2'))).body.version, 2)
    for (const version of [3, 9]) {
      const answer = await author.post(address('/roll-back'), { version, reason: 'none' })
      assert.equal(answer.http, 409)
    }
  })

  test('is told in the audit log with both versions', async () => {
    const auditor = await panelOf(shop, { role: 'auditor' })
    const { body } = await auditor.get(`/audit?limit=200`)
    const actions = body.entries.map(({ action }: { action: string }) => action)
    for (const action of ['routing.draft', 'routing.publish', 'routing.roll-back', 'approval.done'])
      assert.ok(actions.includes(action), action)
  })
})

describe('a simulation', () => {
  const payment = (more: object = {}) => ({
    merchantId: set,
    currency: 'EUR',
    amountMinor: '1000',
    bin: '411111',
    ...more,
  })

  test('says what would happen under the published rules, the draft or rules that nobody saved', async () => {
    await openMerchant()
    const simulate = (body: object) => author.post('/routing/simulate', { payment: payment(), ruleSet: set, ...body })
    const under = async (body: object) => (await simulate(body)).body
    assert.equal((await under({})).midName, `${merchant}-1`)
    const decision = await under({ rules: [second()] })
    assert.deepEqual([decision.result, decision.midName, decision.maximumAttempts], ['routed', `${merchant}-2`, 3])
    assert.equal(decision.recovery, 'looked up by our reference')
    assert.ok(decision.sentences.some((sentence: string) => sentence.includes('"second"')))
    assert.equal((await simulate({ rules: 'draft' })).http, 409)
    await save([second()], 0)
    assert.equal((await under({ rules: 'draft' })).midName, `${merchant}-2`)
    assert.equal(
      (await under({ rules: [{ name: 'x', action: { kind: 'decline', reason: 'No' } }] })).result,
      'declined',
    )
    const { rows } = await shop.base.pool.query('select 1 from payments where merchant_id = $1', [set])
    assert.equal(rows.length, 0)
  })

  test('goes by every fact that is given', async () => {
    await openMerchant()
    const rules = [
      {
        ...second(),
        conditions: [
          { kind: 'issuer-country', values: ['DE'] },
          { kind: 'time-of-day', zone: 'Europe/Berlin', from: '00:00', to: '06:00' },
        ],
      },
    ]
    const mid = async (more: object) =>
      (await author.post('/routing/simulate', { payment: payment(more), ruleSet: set, rules })).body.midName
    assert.equal(await mid({ issuerCountry: 'DE', at: '2026-01-10T03:00:00Z' }), `${merchant}-2`)
    assert.equal(await mid({ issuerCountry: 'DE', at: '2026-01-10T12:00:00Z' }), `${merchant}-1`)
    assert.equal(await mid({ at: '2026-01-10T03:00:00Z' }), `${merchant}-1`)
    const refused = await author.post('/routing/simulate', { payment: payment({ currency: 'XXX', channel: 'none' }) })
    assert.equal(refused.body.result, 'refused')
  })
})

describe('a replay', () => {
  test('lists the payments that would have gone elsewhere, with the reasons', async () => {
    await openMerchant()
    const small = await shop.sale({}, { merchant })
    const large = await shop.sale({ order_amount: '90.00' }, { merchant })
    const conditions = [{ kind: 'amount', currency: 'EUR', fromMinor: '5000' }]
    const ask = { ruleSet: set, rules: [{ ...second(), conditions }], days: 7 }
    const { http, body } = await author.post('/routing/replay', ask)
    assert.equal(http, 200)
    assert.deepEqual([body.total, body.examined, body.next], [2, 2, null])
    assert.equal(body.changed.length, 1)
    const [change] = body.changed
    assert.deepEqual(
      [change.paymentId, change.wentTo, change.wouldGoTo, change.byTheDraft],
      [large.body.trans_id, `${merchant}-1`, `${merchant}-2`, true],
    )
    assert.ok(change.sentences.length > 0)
    assert.notEqual(change.paymentId, small.body.trans_id)
  })

  test('goes on where the step before ended, and looks at no older payments', async () => {
    await openMerchant()
    await publishRules(shop, merchant, second())
    const rules = [{ name: 'first', action: { kind: 'use', mids: [`${merchant}-1`] } }]
    const { body: old } = await shop.sale({}, { merchant })
    await shop.base.pool.query("update payments set created_at = created_at - interval '9 days' where id = $1", [
      old.trans_id,
    ])
    const { body: newer } = await shop.sale({}, { merchant })
    const step = (before: string | null) => author.post('/routing/replay', { ruleSet: set, rules, days: 7, before })
    const { changed } = (await step(null)).body
    assert.deepEqual(
      changed.map(({ paymentId }: { paymentId: string }) => paymentId),
      [newer.trans_id],
    )
    const later = (await step(newer.trans_id)).body
    assert.deepEqual([later.examined, later.total, later.next], [0, null, null])
  })
})
