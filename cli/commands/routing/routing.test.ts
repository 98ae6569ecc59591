import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
  for (const name of ['one', 'two']) {
    const credentials = `{"mid":"${name}","base_url":"http://127.0.0.1:9"}`
    await instance.do('mid', 'create', name, '--connector', 'sandbox', '--side', 'live', '--credentials', credentials)
    await instance.do('mid', 'link', 'acme', name, '--priority', name === 'one' ? '1' : '2')
  }
})
after(() => instance[Symbol.asyncDispose]())

async function draft(rules: unknown, ...more: readonly string[]) {
  const file = join(instance.folder, 'rules.json')
  await writeFile(file, JSON.stringify(rules))
  return instance.run(['routing', 'draft', file, ...more])
}
const use = (name: string, ...mids: readonly string[]) => ({ name, action: { kind: 'use', mids } })
const firstMid = async (...more: readonly string[]): Promise<string> =>
  (await instance.do('routing', 'simulate', '--merchant', 'acme', '--json', ...more)).json.midName

test('a draft is simulated, published, shown and rolled back', async () => {
  assert.equal(await firstMid(), 'one')
  assert.match((await draft([use('second', 'two')], '--note', 'cheaper')).out, /revision 1: 1 rule/)
  assert.equal(await firstMid(), 'one')
  assert.equal(await firstMid('--draft', 'global'), 'two')

  assert.match((await instance.do('routing', 'publish')).out, /Version 1/)
  assert.equal(await firstMid(), 'two')
  const { json } = await instance.do('routing', 'show', '--json')
  assert.equal(json[0].name, 'second')
  assert.match((await instance.do('routing', 'show')).out, /second\s+yes\s+always\s+use two/)

  await draft([])
  await instance.do('routing', 'publish')
  assert.equal(await firstMid(), 'one')
  assert.match((await instance.do('routing', 'rollback', '1')).out, /Version 3/)
  assert.equal(await firstMid(), 'two')
  assert.match((await instance.do('routing', 'show', '--history')).out, /cheaper/)
  assert.match((await instance.do('routing', 'list')).out, /all merchants\s+3\s+1/)
})

test('the rules of a merchant come before the rules for all merchants', async () => {
  await draft([use('own', 'one')], '--merchant', 'acme')
  await instance.do('routing', 'publish', '--merchant', 'acme')
  assert.equal(await firstMid(), 'one')
  const { out } = await instance.do('routing', 'simulate', '--merchant', 'acme')
  assert.match(out, /one goes first\. By the rule "own"/)
  assert.match(out, /unknown outcome\s+looked up by our reference/)
})

test('a file that is not JSON is reported as such', async () => {
  const file = join(instance.folder, 'not.json')
  await writeFile(file, 'not json')
  const { code, err } = await instance.run(['routing', 'draft', file])
  assert.equal(code, 1)
  assert.match(err, /not\.json is not valid JSON\.$/m)
  assert.doesNotMatch(err, /Unexpected token/)
})

test('faults are reported, and nothing is saved', async () => {
  const { code, err } = await draft([use('wrong', 'nobody'), { name: 'x' }])
  assert.equal(code, 1)
  assert.match(err, /rules\.1\.action/)
  assert.match((await draft([use('wrong', 'nobody')])).err, /MID "nobody" does not exist/)
  assert.match((await draft({})).err, /^rules: Must be a list\./m)
  assert.equal((await instance.run(['routing', 'publish'])).code, 1)
  assert.equal((await instance.run(['routing', 'rollback', '99'])).code, 1)
})

test('a replay counts the payments it examined, and an unknown payment cannot be explained', async () => {
  await draft([use('again', 'one')])
  const { err } = await instance.do('routing', 'replay', '--days', '30')
  assert.match(err, /0 of 0 payments would have a different result/)
  const { code } = await instance.run(['routing', 'explain', '0198c0de-0000-7000-8000-000000000001'])
  assert.equal(code, 1)
})

test('routing changes from the command line are in the audit log', async () => {
  const { rows } = await instance.database.pool.query<{ action: string }>(
    "select distinct action from audit_log where actor = 'command line (anna@desk)' and action like 'routing.%'",
  )
  assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
    'routing.draft',
    'routing.publish',
    'routing.roll-back',
  ])
})
