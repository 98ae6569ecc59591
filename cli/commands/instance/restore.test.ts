// Written from docs/operations/restore.md: which MIDs were asked, and the exit status.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStandIns, type StandIns } from '../../test/stand-ins.ts'

let standIns: StandIns
before(async () => {
  standIns = await openStandIns(['stripe', 'adyen'])
})
after(() => standIns[Symbol.asyncDispose]())

test('reconcile ends with status 0 when every acquirer has listed its transactions and nothing is left to do', async () => {
  await standIns.createMid('stripe')
  assert.equal((await standIns.run('restore', 'begin')).code, 0)
  const { code, json, err } = await standIns.run('restore', 'reconcile', '--json')
  assert.deepEqual([code, json.notAsked, json.unknown], [0, [], []], err)
})

test('a MID whose acquirer cannot list its transactions is named, and the exit status is 1', async () => {
  const mid = await standIns.createMid('adyen')
  const { code, json } = await standIns.run('restore', 'reconcile', '--json')
  assert.deepEqual([code, json.notAsked], [1, [mid]])
  const { code: plain, err } = await standIns.run('restore', 'reconcile')
  assert.equal(plain, 1)
  assert.match(err, new RegExp(`^${mid}: the acquirer cannot list its transactions, or did not answer\\. Compare`, 'm'))
})

test('so is one whose acquirer refuses to list them, or no longer lists the time that is asked about', async () => {
  const refused = await standIns.createMid('stripe', { secret_key: 'sk_test_wrong' })
  const { json } = await standIns.run('restore', 'reconcile', '--json')
  assert.ok(json.notAsked.includes(refused))
  const old = await standIns.run('restore', 'reconcile', '--json', '--since', '2020-01-01T00:00:00Z')
  assert.equal(old.code, 1)
  assert.equal(old.json.notAsked.length, 3, 'both of Stripe and that of Adyen')
})
