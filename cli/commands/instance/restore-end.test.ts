// Written from docs/operations/restore.md: a recovery does not end while something is left to compare or to settle.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { FakeAcquirer } from '#server/connectors/testing/fake-acquirer.ts'
import { systemClock } from '#server/process/clock.ts'
import { recoveryStore } from '#server/store/instance/recovery.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

const fake = new FakeAcquirer()
const mid = 'lister'
let instance: TestInstance

before(async () => {
  await fake.listen()
  instance = await openTestInstance()
  const credentials = JSON.stringify({ mid: 'M', base_url: fake.url })
  await instance.do('mid', 'create', mid, '--connector', 'sandbox', '--side', 'test', '--credentials', credentials)
})
beforeEach(async () => {
  await recovery().end(systemClock().now())
  await run('restore', 'begin')
})
after(async () => {
  await instance[Symbol.asyncDispose]()
  fake.close()
})

const run = (...argv: readonly string[]) => instance.run(argv)
const recovery = () => recoveryStore(instance.database.pool)
const readStatus = async () => (await run('restore', 'status', '--json')).json

const charge = (sequence: number, order?: string) => ({
  sequence,
  at: '2026-03-01T12:00:00.000Z',
  type: 'sale',
  mid: 'M',
  transaction_id: `0199a1b2-c3d4-7e5f-8a6b-00000000000${sequence}`,
  payment_id: `0199a1b2-c3d4-7e5f-8a6b-0000000000a${sequence}`,
  reference: `R-${sequence}`,
  ...(order && { order_id: order }),
  amount: '1000',
  currency: 'EUR',
})
const list = (...entries: readonly object[]) => fake.answer({ status: 200, body: { entries } })

async function lastAuditEntry(): Promise<{ readonly before: object; readonly after: object }> {
  const { rows } = await instance.database.pool.query<{ before: string; after: string }>(
    `select before, after from audit_log where action = 'recovery.end' order by seq desc limit 1`,
  )
  const { before, after } = rows[0] ?? assert.fail('There is no entry.')
  return { before: JSON.parse(before), after: JSON.parse(after) }
}

test('a recovery ends after a reconciliation that left nothing', async () => {
  list()
  assert.equal((await run('restore', 'reconcile')).code, 0)
  const { not_compared, not_in_our_record } = await readStatus()
  assert.deepEqual([not_compared, not_in_our_record], [[], 0])
  assert.equal((await run('restore', 'end')).code, 0)
  assert.deepEqual((await lastAuditEntry()).after, { state: 'serving' })
})

test('it does not end before charges that the database lacks were settled by hand, and the audit log says so', async () => {
  list(charge(1, 'SHOES-1'), charge(2))
  const { code, out } = await run('restore', 'reconcile')
  assert.equal(code, 1)
  assert.match(out, /^MID +ORDER +KIND/m)
  assert.match(out, /^lister +SHOES-1 +sale +1000 +EUR/m)
  assert.match(out, /^lister +- +sale/m)

  const refused = await run('restore', 'end')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /Transactions executed by acquirers that this instance does not have: 2\./)
  assert.match(refused.err, /restore end --settled-by-hand/)
  assert.doesNotMatch(refused.err, /MIDs that were not compared/)
  assert.equal((await readStatus()).state, 'recovery')

  assert.equal((await run('restore', 'end', '--settled-by-hand')).code, 0)
  const { before, after } = await lastAuditEntry()
  assert.deepEqual(
    [before, after],
    [
      { ...before, notCompared: [], notInOurRecord: 2 },
      { state: 'serving', settledByHand: true },
    ],
  )
})

test('nor before MIDs that were not compared were compared by hand', async () => {
  fake.answer({ status: 503 })
  assert.equal((await run('restore', 'reconcile')).code, 1)
  const { err } = await run('restore', 'end')
  assert.match(err, /MIDs that were not compared: lister\./)
  assert.doesNotMatch(err, /does not have/)
  const status = await readStatus()
  assert.deepEqual([status.state, status.not_compared, status.not_in_our_record], ['recovery', ['lister'], 0])
  assert.match((await run('restore', 'status')).out, /^not_compared +lister$/m)

  // The acquirer answers later.
  list()
  assert.equal((await run('restore', 'reconcile')).code, 0)
  assert.equal((await run('restore', 'end')).code, 0)
})

test('a run with a later time leaves what an earlier one found before it, until that is compared again', async () => {
  const later = ['--since', '2026-03-02T00:00:00Z']
  const readLeft = async () => {
    const { not_compared, not_in_our_record } = await readStatus()
    return [not_compared, not_in_our_record]
  }
  list(charge(1), { ...charge(2), at: '2026-03-03T12:00:00.000Z' })
  assert.equal((await run('restore', 'reconcile')).code, 1)

  // The acquirer lists the second no more: it was compared again, the first was not.
  list()
  const { code, err } = await run('restore', 'reconcile', ...later)
  assert.equal(code, 1)
  assert.match(err, /An earlier run .* Transactions that this instance does not have: 1\. .* without --since/)
  assert.deepEqual(await readLeft(), [[], 1])
  assert.match((await run('restore', 'end')).err, /does not have: 1\./)

  // An acquirer that does not answer compares nothing.
  fake.answer({ status: 503 })
  assert.equal((await run('restore', 'reconcile')).code, 1)
  list()
  assert.equal((await run('restore', 'reconcile', ...later)).code, 1)
  assert.deepEqual(await readLeft(), [[mid], 1])

  // Nor does a run that dies.
  await recovery().forgetReconciliation()
  assert.equal((await run('restore', 'reconcile', ...later)).code, 1)

  const whole = await run('restore', 'reconcile', '--json')
  assert.deepEqual([whole.code, whole.json.left], [0, { notCompared: [], notInOurRecord: 0 }])
  assert.equal((await run('restore', 'end')).code, 0)
})

test('a reconciliation that dies leaves no result of an earlier one', async () => {
  list()
  await run('restore', 'reconcile')
  const during: unknown[] = []
  fake.behave((_sent, response) => {
    void recovery()
      .read()
      .then(({ reconciledAt, left }) => during.push(reconciledAt, left))
      .finally(() => response.writeHead(503).end())
  })
  await run('restore', 'reconcile')
  assert.deepEqual(during.slice(0, 2), [null, null])
  await recovery().forgetReconciliation()
  for (const flags of [[], ['--settled-by-hand']]) {
    const { code, err } = await run('restore', 'end', ...flags)
    assert.equal(code, 1)
    assert.match(err, /has not been completed since the restore/)
  }
})

test('a restore during a recovery, and a new recovery, begin without an earlier result', async () => {
  list()
  await run('restore', 'reconcile')
  await recovery().begin('Restored again.', systemClock().now())
  assert.deepEqual([(await readStatus()).reconciled, (await readStatus()).not_compared], [null, null])

  await run('restore', 'reconcile')
  assert.equal((await run('restore', 'end')).code, 0)
  await run('restore', 'begin')
  assert.deepEqual([(await readStatus()).reconciled, (await readStatus()).not_in_our_record], [null, null])
})

test('what an earlier release reconciled has to be reconciled again', async () => {
  list()
  await run('restore', 'reconcile')
  await instance.database.pool.query(`update instance set reconciled_at = reconciled_at + interval '1 hour'`)
  const { code, err } = await run('restore', 'end', '--settled-by-hand')
  assert.equal(code, 1)
  assert.match(err, /An earlier release/)
})

test('without data lost it ends without any of it, and the audit log has the flag and what was left', async () => {
  fake.answer({ status: 503 })
  await run('restore', 'reconcile')
  assert.equal((await run('restore', 'end', '--without-asking')).code, 0)
  const { before, after } = await lastAuditEntry()
  assert.deepEqual(
    [before, after],
    [
      { ...before, notCompared: ['lister'] },
      { state: 'serving', withoutAsking: true },
    ],
  )
})
