import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
const schedule = (...words: readonly string[]) => instance.run(['export', 'schedule', ...words])
before(async () => {
  instance = await openTestInstance()
  await instance.do('user', 'create', 'ann@example.com', '--role', 'finance', '--all-merchants')
  await instance.do('user', 'create', 'bob@example.com', '--role', 'support', '--all-merchants')
})
after(() => instance[Symbol.asyncDispose]())

const target = ['--owner', 'ann@example.com', '--url', 'https://files.example.com/path-that-is-secret']

test('an export is scheduled, listed without its secret address, paused, resumed, run and removed', async () => {
  const added = await schedule('add', 'daily', ...target, '--filter', 'status=SETTLED', '--column', 'id,amount')
  assert.equal(added.code, 0, added.err)
  assert.match(added.out, /whsec_/)
  const [listed] = (await instance.do('export', 'schedule', 'list', '--json')).json
  assert.deepEqual(
    [listed.name, listed.owner, listed.target, listed.paused],
    ['daily', 'ann@example.com', 'https://files.example.com/…', null],
  )
  await instance.do('export', 'schedule', 'pause', 'daily')
  assert.equal((await instance.do('export', 'schedule', 'list', '--json')).json[0].paused, 'by a person')
  await instance.do('export', 'schedule', 'resume', listed.id)
  await instance.do('export', 'schedule', 'run', 'daily', '--day', '2026-03-01')
  const { json: runs } = await instance.do('export', 'schedule', 'runs', 'daily', '--json')
  assert.deepEqual([runs.length, runs[0].period, runs[0].state], [1, '2026-03-01', 'waiting'])
  await instance.do('export', 'schedule', 'remove', 'daily')
  assert.deepEqual((await instance.do('export', 'schedule', 'list', '--json')).json, [])
})

test('what is wrong is named, and nothing is saved', async () => {
  // biome-ignore format: a table is read in columns.
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['add', 'daily', '--url', 'https://files.example.com'],               /owner is missing/],
    [['add', 'daily', '--owner', 'ann@example.com'],                       /target is missing/],
    [['add', 'daily', ...target, '--to', 'books@example.com'],             /there are two/],
    [['add', 'daily', '--owner', 'ann@example.com', '--to', 'b@example.com'], /This instance sends no e-mail/],
    [['add', 'daily', ...target, '--filter', 'colour=red'],                /colour/],
    [['add', 'daily', ...target, '--filter', 'amount=1.999', '--filter', 'currency=EUR'], /1\.999 is not an amount in EUR/],
    [['add', 'daily', ...target, '--column', 'card_number'],               /Unknown column: card_number/],
    [['add', 'daily', '--owner', 'bob@example.com', ...target.slice(2)],   /may not export payments/],
    [['add', 'daily', '--owner', 'eve@example.com', ...target.slice(2)],   /There is no active user eve@example.com/],
    [['run', 'daily'],                                                     /There is no scheduled export daily/],
  ]
  const { code: usage, err: zoneFault } = await schedule('add', 'daily', ...target, '--zone', 'Mars/Olympus')
  assert.deepEqual([usage, /time zone such as Europe\/Paris/.test(zoneFault)], [2, true], zoneFault)
  for (const [words, message] of wrong) {
    const { code, err } = await schedule(...words)
    assert.equal(code, 1, words.join(' '))
    assert.match(err, message)
  }
  assert.deepEqual((await instance.do('export', 'schedule', 'list', '--json')).json, [])
})
