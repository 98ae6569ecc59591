import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestInstance } from '../test/gatehouse.ts'

test('a payment system is switched off and on', async () => {
  await using instance = await openTestInstance()
  const enabled = async () =>
    (await instance.do('brand', 'list', '--json')).json.find(({ code }: { code: string }) => code === 'amex').enabled
  assert.equal(await enabled(), true)
  await instance.do('brand', 'disable', 'amex')
  assert.equal(await enabled(), false)
  await instance.do('brand', 'enable', 'amex')
  assert.equal(await enabled(), true)
  assert.match(
    (await instance.run(['brand', 'disable', 'amx'])).err,
    /There is no brand "amx"\.\nDid you mean "amex"\?/,
  )
})
