import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstBody, openTestAcquirer, type TestAcquirer } from '../testing/test-acquirer.ts'

const visa = '4111111111111111'

const sale = (acquirer: TestAcquirer, fields: object = {}, id: string = randomUUID()) =>
  acquirer.post(id, firstBody('sale', visa, '01/2038', fields))

const play = async (acquirer: TestAcquirer, scenario: object): Promise<void> => {
  assert.equal((await acquirer.ask('PUT', '/scenario', scenario)).status, 200)
}

test('drop_reply executes and closes the connection, k times of n', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { drop_reply: { count: 1, of: 3 } })
  const replied: boolean[] = []
  for (let index = 0; index < 6; index++) {
    const id = randomUUID()
    replied.push(
      await sale(acquirer, {}, id).then(
        () => true,
        () => false,
      ),
    )
    assert.deepEqual(await acquirer.effects(id), ['sale 1000'], 'executed, heard or not')
    assert.equal((await acquirer.status(id)).body.state, 'approved')
  }
  assert.deepEqual(replied, [false, true, true, false, true, true])
})

test('fail_after executes and answers 502', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { fail_after: { count: 1, of: 2 } })
  const first = await sale(acquirer)
  assert.equal(first.status, 502)
  assert.deepEqual(await acquirer.effects(first.id), ['sale 1000'])
  assert.equal((await sale(acquirer)).status, 200)
})

test('delay_ms answers late', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { delay_ms: 300 })
  const startedAt = performance.now()
  assert.equal((await sale(acquirer)).status, 200)
  assert.ok(performance.now() - startedAt >= 295)
})

test('queue_ms keeps a request in a queue: nothing is known of it until it is executed, also without its caller', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { queue_ms: { from: 2000, to: 2000 } })
  const id = randomUUID()
  const held = sale(acquirer, {}, id)
  await sleep(100)
  assert.equal((await acquirer.status(id)).status, 404)
  assert.deepEqual(await acquirer.effects(id), [])
  await held
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
  assert.equal((await acquirer.ask('PUT', '/scenario', { queue_ms: { from: 2, to: 1 } })).status, 400)
})

test('decline_soft declines k of n', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { decline_soft: { count: 3, of: 10 } })
  const classes: (string | undefined)[] = []
  for (let index = 0; index < 20; index++) classes.push((await sale(acquirer)).body.decline_class)
  assert.equal(classes.filter((declineClass) => declineClass === 'soft').length, 6)
  assert.equal(classes.filter((declineClass) => declineClass === undefined).length, 14)
})

test('down executes nothing and answers neither requests nor questions', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const before = await sale(acquirer)
  await play(acquirer, { down: true })
  const refused = await sale(acquirer)
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'unavailable')
  assert.equal((await acquirer.status(before.id)).status, 503)
  await acquirer.ask('DELETE', '/scenario')
  assert.equal((await acquirer.status(refused.id)).status, 404)
  assert.equal((await acquirer.status(before.id)).status, 200)
})

test('an outage that resets closes the connection before anything is executed', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { down: 'reset' })
  const id = randomUUID()
  await assert.rejects(sale(acquirer, {}, id))
  await acquirer.ask('DELETE', '/scenario')
  assert.equal((await acquirer.status(id)).status, 404)
})

test('an outage that times out leaves the caller waiting', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { mid: 'MID-2', down: 'timeout' })
  const answer = sale(acquirer, { mid: 'MID-2' }).then(
    () => 'answered',
    () => 'gone',
  )
  assert.equal(await Promise.race([answer, sleep(300, 'waiting')]), 'waiting')
  assert.equal((await sale(acquirer)).status, 200, 'other MIDs work')
})

test('approval_percent approves about so many, each transaction always alike', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { approval_percent: 70 })
  const first = await Promise.all(Array.from({ length: 300 }, () => sale(acquirer)))
  const approved = first.filter(({ body }) => body.state === 'approved').length
  assert.ok(approved > 180 && approved < 240, `${approved} of 300`)
  assert.ok(first.every(({ body }) => body.state === 'approved' || body.decline_class === 'soft'))
  const [known] = first
  assert.ok(known)
  assert.deepEqual((await sale(acquirer, {}, known.id)).body.state, known.body.state)
})

test('approval_percent leaves later steps alone', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const original = await sale(acquirer)
  await play(acquirer, { approval_percent: 0 })
  assert.equal((await sale(acquirer)).body.decline_class, 'soft')
  assert.equal((await acquirer.later('refund', original, '1000')).body.state, 'approved')
})

test('never_decide takes the request and leaves it undecided for ever', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { never_decide: true })
  const { id, body } = await sale(acquirer)
  assert.equal(body.state, 'pending')
  await acquirer.advance(86_400_000)
  assert.equal((await acquirer.status(id)).body.state, 'pending')
})

test('ignore_keys shows what an acquirer without keys does to a gateway that sends twice', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { ignore_keys: true })
  const { id } = await sale(acquirer)
  await sale(acquirer, {}, id)
  assert.deepEqual(await acquirer.effects(id), ['sale 1000', 'sale 1000'])
})

test('a scenario of one MID, or of some types, leaves the others alone and wins over the general one', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await play(acquirer, { mid: 'MID-2', down: true })
  await play(acquirer, { types: ['capture'], never_decide: true })
  assert.equal((await sale(acquirer, { mid: 'MID-2' })).status, 503)
  const hold = await acquirer.first('authorize', visa, '01/2038')
  assert.equal(hold.body.state, 'approved')
  assert.equal((await acquirer.later('capture', hold, '1000')).body.state, 'pending')
  await acquirer.ask('DELETE', '/scenario?mid=MID-2')
  assert.equal((await sale(acquirer, { mid: 'MID-2' })).status, 200)
})

test('a money rule comes before a scenario', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const original = await sale(acquirer)
  await play(acquirer, { never_decide: true })
  assert.equal((await acquirer.later('refund', original, '1001')).body.state, 'declined')
})

const malformedScenarios = [
  { down: 'yes' },
  { approval_percent: 101 },
  { drop_reply: 1 },
  { drop_reply: { count: 1, of: 0 } },
  { types: ['steal'] },
  { typo: true },
  [],
]

for (const scenario of malformedScenarios) {
  test(`the scenario ${JSON.stringify(scenario)} is refused and changes nothing`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    assert.equal((await acquirer.ask('PUT', '/scenario', scenario)).status, 400)
    assert.deepEqual((await acquirer.ask('GET', '/scenario')).body.scenarios, [])
  })
}
