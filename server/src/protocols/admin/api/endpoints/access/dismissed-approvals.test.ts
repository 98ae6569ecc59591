/** decisions/corrections#dismissing: what was approved and left can be dismissed, so that nothing is done twice when it was asked for again. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runWithApprovalLock } from '#server/store/people/approval-lock.ts'
import { merchantId, panelOf } from '../../../../../../test/panel/admin.ts'
import {
  type ApprovalScene,
  approve,
  askedKinds,
  dismiss,
  grounds,
  openApprovals,
  payIn,
  raiseGiveBack,
  readValue,
  requestIn,
  todayOf,
} from '../../../../../../test/panel/approval-scene.ts'
import { expiryFields } from '../../../../../../test/payments.ts'

let scene: ApprovalScene
before(async () => {
  scene = await openApprovals()
})
after(() => scene.shop[Symbol.asyncDispose]())

describe('an approval that was left and dismissed', () => {
  for (const name of askedKinds)
    test(`${name}: it is never carried out, is not counted any more, and the audit log says who dismissed it and why`, async () => {
      const { approvalId, effects } = await scene.asks[name]()
      const before = (await scene.other.get('/approvals/waiting')).body.count
      await scene.leave(approvalId)
      assert.equal((await dismiss(approvalId, scene.owner, ' ')).http, 422, 'a reason is required')
      const { body, text } = await dismiss(approvalId, scene.other)
      assert.deepEqual([body.state, body.isLeft, body.result?.dismissed], ['failed', false, 'Asked again since'], text)
      assert.ok(body.dismissedByName)
      assert.equal(await scene.shownIn('left', approvalId), undefined)
      assert.equal((await scene.other.get('/approvals/waiting')).body.count, before - 1)
      for (const by of [scene.owner, scene.asker]) assert.ok([403, 409].includes((await approve(approvalId, by)).http))
      assert.equal((await dismiss(approvalId, scene.other)).http, 409, 'once')
      assert.equal(await effects(), 0)
      const audited = `select count(*) from audit_log where action = 'approval.dismissed' and subject = 'approval ' || $1
        and after::jsonb->'result'->>'dismissed' = 'Asked again since'`
      assert.equal(await readValue(scene.shop, audited, [approvalId]), '1')
    })
})

test('of one who carries out and one who dismisses at the same moment, one succeeds', async () => {
  for (const name of ['refund', 'correction'] as const) {
    const { approvalId, effects } = await scene.asks[name]()
    await scene.leave(approvalId)
    const [carried, dismissed] = await Promise.all([approve(approvalId, scene.owner), dismiss(approvalId, scene.other)])
    const isDone = carried.body.state === 'done'
    assert.equal(dismissed.http === 200, !isDone, `${carried.text} ${dismissed.text}`)
    assert.equal(await effects(), isDone ? 1 : 0)
  }
})

test('the merchants of a dismissed payout run can be paid by another run', async () => {
  const { approvalId } = await scene.asks['payout-run']()
  await scene.leave(approvalId)
  const obstacles = async () => {
    const { body } = await scene.owner.get('/payout-runs/payable?currency=EUR')
    return body.others.map(({ obstacle }: { obstacle: string }) => obstacle)
  }
  assert.ok((await obstacles()).includes('in-waiting-run'))
  assert.equal((await dismiss(approvalId, scene.other)).body.state, 'failed')
  assert.ok(!(await obstacles()).includes('in-waiting-run'))
  const state = 'select r.state from payout_runs r join approvals a on a.subject = $2 || r.id where a.id = $1'
  assert.equal(await readValue(scene.shop, state, [approvalId, 'payout-run ']), 'cancelled')
})

test('what was begun is not dismissed: it is carried out, which records its result', async () => {
  for (const name of ['refund', 'outcome', 'give-back', 'correction'] as const) {
    const { approvalId, effects } = await scene.asks[name]()
    await approve(approvalId, scene.owner)
    assert.equal(await effects(), 1)
    // As a process leaves it that dies after the action and before its end.
    await scene.leave(approvalId)
    const { http, body } = await dismiss(approvalId, scene.other)
    assert.deepEqual([http, /was begun/.test(body.error?.message)], [409, true])
    assert.notEqual((await approve(approvalId, scene.other)).body.state, 'approved')
    assert.equal(await effects(), 1)
  }
})

test('only a request that was left can be dismissed, by users who may carry it out', async () => {
  const { approvalId } = await scene.asks.refund()
  assert.equal((await dismiss(approvalId, scene.other)).http, 409, 'it waits for a decision')
  await scene.leave(approvalId)
  const support = await panelOf(scene.shop, { role: 'support' })
  assert.equal((await dismiss(approvalId, support)).http, 403)
  await runWithApprovalLock(scene.shop.base.pool, approvalId, async () => {
    assert.equal((await dismiss(approvalId, scene.other)).http, 409, 'it is being carried out')
  })
  assert.equal((await dismiss(approvalId, scene.asker)).http, 200, 'also by the person who asked')
})

test('an action that cannot be carried out any more ends as failed', async () => {
  const { approvalId } = await scene.asks.refund()
  await scene.leave(approvalId)
  await scene.shop.base.pool.query(
    `update approvals set request = jsonb_set(request, '{paymentId}', to_jsonb($2::text)) where id = $1`,
    [approvalId, crypto.randomUUID()],
  )
  const { body } = await approve(approvalId, scene.other)
  assert.deepEqual([body.state, body.result?.refused], ['failed', 'The payment does not exist any more.'])
})

test('what was asked again is not asked twice: an identical request is refused until the first is carried out or dismissed', async () => {
  const wish = { currency: 'EUR', amountMinor: '777', reason: 'agreed' }
  const first = requestIn(await scene.asker.post(`/merchants/${scene.demo}/corrections`, wish))
  await scene.leave(first)
  const refused = await scene.asker.post(`/merchants/${scene.demo}/corrections`, wish)
  assert.deepEqual([refused.http, /not completed/.test(refused.body.error.message)], [409, true], refused.text)
  assert.equal((await dismiss(first, scene.other)).http, 200)
  assert.equal((await scene.asker.post(`/merchants/${scene.demo}/corrections`, wish)).http, 200)
})

test('of equal corrections one waits at a time, also if two people ask at the same moment; another amount or merchant is another', async () => {
  const wish = { currency: 'EUR', amountMinor: '999', reason: 'agreed' }
  const ask = (who = scene.asker, over = {}) => who.post(`/merchants/${scene.demo}/corrections`, { ...wish, ...over })
  const both = await Promise.all([ask(), ask(scene.other, { reason: 'as agreed by telephone' })])
  assert.deepEqual(new Set(both.map(({ http }) => http)), new Set([200, 409]))
  assert.match(both.find(({ http }) => http === 409)?.body.error.message, /identical request is already waiting/)
  assert.equal((await ask(scene.asker, { amountMinor: '-999' })).http, 200)
  const otherMerchant = await merchantId(scene.shop, 'demo-dms')
  assert.equal((await scene.asker.post(`/merchants/${otherMerchant}/corrections`, wish)).http, 200)
  const waiting = both.find(({ http }) => http === 200)?.body.approvalId
  assert.equal((await approve(waiting, scene.owner)).body.state, 'done')
  assert.equal((await ask()).http, 200, 'the same once more, after the first is decided')
})

test('a request that was left names later ones for the same', async () => {
  const wish = { currency: 'EUR', amountMinor: '888', reason: 'agreed' }
  const first = requestIn(await scene.asker.post(`/merchants/${scene.demo}/corrections`, wish))
  // As an earlier release asked for it.
  await scene.shop.base.pool.query("update approvals set subject = 'correction ' || id where id = $1", [first])
  const second = requestIn(await scene.asker.post(`/merchants/${scene.demo}/corrections`, wish))
  const unlike = requestIn(
    await scene.asker.post(`/merchants/${scene.demo}/corrections`, { ...wish, amountMinor: '889' }),
  )
  assert.equal((await approve(second, scene.owner)).body.state, 'done')
  await scene.leave(first)
  const { laterRequests } = await scene.shownIn('left', first)
  assert.deepEqual(
    laterRequests.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [[second, 'done']],
    unlike,
  )
  assert.deepEqual((await scene.shownIn('done', second)).laterRequests, [])
})

test('money that was given back is recorded once, also if it was asked for twice', async () => {
  const id = await payIn(scene.shop, expiryFields('02/2038'))
  const alertId = await raiseGiveBack(scene.shop, scene.demo, id)
  const record = { alertId, reference: 'R-1', amountMinor: '1000', date: todayOf(scene.shop), ...grounds }
  const path = `/merchants/${scene.demo}/payments/${id}/give-back`
  const first = requestIn(await scene.asker.post(path, record))
  await scene.leave(first)
  const second = requestIn(await scene.asker.post(path, { ...record, reference: 'R-01' }))
  assert.equal((await approve(second, scene.owner)).body.state, 'done')
  assert.equal((await approve(first, scene.other)).body.state, 'failed')
  const recorded = `select count(*) from transactions where payment_id = $1 and type = 'REVERSAL'`
  assert.equal(await readValue(scene.shop, recorded, [id]), '1')
})

test('while a process of another release serves the panel, an action on a payment is neither repeated nor dismissed', async () => {
  const { approvalId, effects } = await scene.asks.refund()
  await scene.leave(approvalId)
  await scene.shop.base.pool.query(
    `insert into process_beats (process, role, release, beat_at) values (4711, 'api', '0.0.1', clock_timestamp())`,
  )
  for (const answer of [await approve(approvalId, scene.other), await dismiss(approvalId, scene.other)])
    assert.deepEqual([answer.http, /another release/.test(answer.body.error?.message)], [409, true], answer.text)
  assert.equal(await effects(), 0)
  await scene.shop.base.pool.query('delete from process_beats where process = 4711')
  assert.equal((await approve(approvalId, scene.other)).body.state, 'done')
})
