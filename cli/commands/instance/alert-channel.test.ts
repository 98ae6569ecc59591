import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
})
after(() => instance[Symbol.asyncDispose]())

test('a channel is created, listed without its secret address, and removed', async () => {
  const hook = 'https://hooks.example.com/path-that-is-secret'
  const { out } = await instance.do(
    'alert-channel',
    'create',
    'pager',
    hook,
    '--kind',
    'webhook',
    '--severity',
    'critical',
  )
  assert.match(out, /whsec_/)
  const { json } = await instance.do('alert-channel', 'list', '--json')
  assert.deepEqual([json.length, json[0].target, json[0].severity], [1, 'https://hooks.example.com/…', 'critical'])
  await instance.do('alert-channel', 'remove', 'pager')
  assert.deepEqual((await instance.do('alert-channel', 'list', '--json')).json, [])
})

test('a wrong target and an unknown kind of alert are refused', async () => {
  const wrong = await instance.run(['alert-channel', 'create', 'duty', 'nobody'])
  assert.deepEqual([wrong.code, /e-mail address/.test(wrong.err)], [1, true])
  const unknown = await instance.run(['alert-channel', 'create', 'duty', 'duty@example.com', '--only', 'no-such'])
  assert.deepEqual([unknown.code, /Unknown kind of alert: no-such/.test(unknown.err)], [1, true])
  const { code, err } = await instance.run(['alert-channel', 'remove', 'none'])
  assert.deepEqual([code, /There is no alert channel none/.test(err)], [1, true])
})
