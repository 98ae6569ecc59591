import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())
await instance.do('merchant', 'create', 'acme', '--title', 'Acme')

const tasks = async (): Promise<readonly string[]> =>
  (await instance.do('wallet', 'platform', 'tasks', 'acme')).out
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/).slice(0, 2).join(' '))

test('the task list is shown, and tasks are completed, from the command line', async () => {
  assert.match((await instance.run(['wallet', 'platform', 'tasks', 'acme'])).err, /not in the platform setup/)
  await instance.do('wallet', 'platform', 'set', '--merchant-identifier', 'merchant.example.platform')
  await instance.do(
    'wallet',
    'settings',
    'set',
    'acme',
    '--setup',
    'platform',
    '--shop-name',
    'Acme',
    '--country',
    'DE',
  )
  assert.deepEqual((await tasks()).slice(0, 3), ['details open', 'platform open', 'merchant waiting'])
  await instance.do('wallet', 'domain', 'add', 'acme', 'shop.example')
  assert.match(
    (await instance.run(['wallet', 'platform', 'register', 'acme'])).err,
    /then mark "merchant" and "domains" as done/,
  )
  await instance.do('wallet', 'platform', 'tick', 'merchant', 'acme', '--identifier', 'merchant.assigned.acme')
  const { out } = await instance.do('wallet', 'platform', 'tick', 'domains', 'acme')
  assert.match(out, /^domains +done/m)
  assert.match(
    (await instance.run(['wallet', 'platform', 'tick', 'confirm', 'acme'])).err,
    /Complete the earlier task first/,
  )
  assert.deepEqual(await tasks(), [
    'details done',
    'platform open',
    'merchant done',
    'domains done',
    'files waiting',
    'confirm waiting',
  ])
})
