import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())

const table = async (): Promise<readonly string[]> =>
  (await instance.do('brand', 'crypto', 'list')).out
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
const builtInCurrencies = ['BTC 8', 'ETH 18', 'USDC 6', 'USDT 6']

test('the table begins with the currencies of the release; currencies are added, changed and removed', async () => {
  assert.deepEqual(await table(), builtInCurrencies)
  await instance.do('brand', 'crypto', 'set', 'DOGE', '8')
  await instance.do('brand', 'crypto', 'set', 'DOGE', '6')
  assert.deepEqual(await table(), ['BTC 8', 'DOGE 6', 'ETH 18', 'USDC 6', 'USDT 6'])
  await instance.do('brand', 'crypto', 'remove', 'DOGE')
  assert.deepEqual(await table(), builtInCurrencies)
})

test('an invalid crypto currency is refused, and nothing changes', async () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    [['set', 'EUR', '2'],     /EUR is a currency of ISO 4217\./],
    [['set', 'doge', '8'],    /doge must be 3 to 6 capitals or digits\./],
    [['set', 'DOGE', '31'],   /a whole number from 0 to 30/],
    [['remove', 'DOGE'],      /DOGE is not in the table\./],
    [['remove', 'BTC'],       /The brand crypto-pay uses BTC\. Remove it from the brand first\./],
  ] as const
  for (const [words, text] of rows) {
    const { code, err } = await instance.run(['brand', 'crypto', ...words])
    assert.notEqual(code, 0)
    assert.match(err, text)
  }
  assert.deepEqual(await table(), builtInCurrencies)
})

test('a brand may use a currency that is in the table, and the currency then cannot be removed', async () => {
  const file = join(tmpdir(), `gatehouse-crypto-${process.pid}.json`)
  const record = (await instance.do('brand', 'show', 'crypto-pay', '--json')).json
  const named = { ...record, code: 'dog-pay', currencies: ['DOGE'], parameters: {} }
  await writeFile(file, JSON.stringify(named))
  assert.match((await instance.run(['brand', 'import', file])).err, /currencies/)
  await instance.do('brand', 'crypto', 'set', 'DOGE', '8')
  await instance.do('brand', 'import', file)
  assert.match((await instance.run(['brand', 'crypto', 'remove', 'DOGE'])).err, /The brand dog-pay uses DOGE/)
})
