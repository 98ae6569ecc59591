// Written from chapter 50 §4: the circuit breaker of a MID and its manual override.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  const credentials = '{"mid":"main","base_url":"http://127.0.0.1:9"}'
  await instance.do('mid', 'create', 'main', '--connector', 'sandbox', '--side', 'test', '--credentials', credentials)
})
after(() => instance[Symbol.asyncDispose]())

const health = async (...options: readonly string[]) =>
  (await instance.do('mid', 'health', 'main', '--json', ...options)).json

test('the breaker of a MID without results is closed, and it has no rates', async () => {
  const { health: state, since, hand, exchanges, approval } = await health()
  assert.deepEqual([state, since, hand], ['closed', null, null])
  assert.deepEqual(exchanges, { attempts: 0, failed: 0, failureRate: null })
  assert.deepEqual(approval, { approved: 0, declined: 0, rate: null, cells: [] })
})

test('a breaker opened manually stays open; closing it returns it to automatic', async () => {
  assert.deepEqual([(await health('--open')).health, (await health()).hand], ['open', 'open'])
  assert.deepEqual([(await health('--keep-closed')).health, (await health()).hand], ['closed', 'closed'])
  assert.deepEqual([(await health('--close')).health, (await health()).hand], ['closed', null])
})

test('manual changes are in the audit log', async () => {
  const { out } = await instance.do('audit', 'export')
  const actions = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ action }) => action === 'mid.health')
  assert.equal(actions.length, 3)
  assert.ok(actions.every(({ actor }) => actor === 'command line (anna@desk)'))
})

test('without a name all MIDs are shown, and nothing can be changed', async () => {
  assert.match((await instance.do('mid', 'health')).out, /^NAME .*\nmain +closed/)
  assert.equal((await instance.run(['mid', 'health', '--open'])).code, 2)
  assert.equal((await instance.run(['mid', 'health', 'main', '--open', '--close'])).code, 2)
})
