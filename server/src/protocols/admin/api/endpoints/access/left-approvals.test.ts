/**
 * Chapter 50 §8, decisions/corrections#carrying-out: an approval whose process died before its action is shown, and carried out once,
 * whoever and however many do it. Every kind of approval that is carried out at once is here.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findLockedApprovals, runWithApprovalLock } from '#server/store/people/approval-lock.ts'
import { type ApprovalScene, approve, askedKinds, openApprovals } from '../../../../../../test/panel/approval-scene.ts'

let scene: ApprovalScene
before(async () => {
  scene = await openApprovals()
})
after(() => scene.shop[Symbol.asyncDispose]())

describe('an approval that was left', () => {
  for (const name of askedKinds)
    test(`${name}: it is shown and counted, and two who carry it out at once do it once`, async () => {
      const { approvalId, effects } = await scene.asks[name]()
      const before = (await scene.other.get('/approvals/waiting')).body.count
      await scene.leave(approvalId)
      assert.equal((await scene.shownIn('approved', approvalId)).isLeft, true)
      assert.equal((await scene.shownIn('left', approvalId)).isLeft, true)
      assert.equal((await scene.other.get('/approvals/waiting')).body.count, before, 'it counts as before')
      assert.equal(await effects(), 0)
      const answers = await Promise.all([scene.owner, scene.other, scene.asker].map((by) => approve(approvalId, by)))
      const [carried, refused] = [
        answers.filter(({ http }) => http === 200),
        answers.filter(({ http }) => http !== 200),
      ]
      assert.ok(carried.length > 0, answers.map(({ text }) => text).join())
      for (const { body } of carried) assert.equal(body.state, 'done', JSON.stringify(body))
      // The person who asked may carry it out, and may not decide on what has ended.
      for (const { http, text } of refused) assert.ok(http === 409 || http === 403, text)
      assert.equal((await scene.shownIn('done', approvalId))?.isLeft, false)
      assert.equal(await scene.shownIn('left', approvalId), undefined)
      assert.equal(await effects(), 1)
      assert.equal((await approve(approvalId, scene.other)).http, 409, 'it is not decided again')
      assert.equal(await effects(), 1)
    })
})

test('while a request is being carried out it is not left, and nobody else begins; afterwards it can be carried out', async () => {
  const { approvalId, effects } = await scene.asks.refund()
  await scene.leave(approvalId)
  const { pool } = scene.shop.base
  await runWithApprovalLock(pool, approvalId, async () => {
    assert.deepEqual([...(await findLockedApprovals(pool, [approvalId, crypto.randomUUID()]))], [approvalId])
    assert.equal((await scene.shownIn('approved', approvalId)).isLeft, false)
    const { http, body } = await approve(approvalId, scene.other)
    assert.deepEqual([http, /is being carried out/.test(body.error.message)], [409, true])
    assert.equal(await effects(), 0)
  })
  assert.equal((await scene.shownIn('approved', approvalId)).isLeft, true)
  assert.equal((await approve(approvalId, scene.other)).body.state, 'done')
  assert.equal(await effects(), 1)
})

test('a password that may be seen waits for the person who asked, and is not left', async () => {
  const { approvalId } = (await scene.asker.post(`/merchants/${scene.demo}/password/reveal`, { reason: 'lost' })).body
  await scene.leave(approvalId)
  assert.equal((await scene.shownIn('approved', approvalId)).isLeft, false)
  assert.equal(await scene.shownIn('left', approvalId), undefined)
})
