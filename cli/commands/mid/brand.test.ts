import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())

interface Entry {
  readonly code: string
  readonly enabled: boolean
  readonly version: number
}

const entry = async (code: string): Promise<Entry | undefined> =>
  (await instance.do('brand', 'list', '--json')).json.find((one: Entry) => one.code === code)

for (const code of ['amex', 'bank-redirect']) {
  test(`${code} is switched off and on`, async () => {
    assert.equal((await entry(code))?.enabled, true)
    await instance.do('brand', 'disable', code)
    assert.equal((await entry(code))?.enabled, false)
    await instance.do('brand', 'enable', code)
    assert.equal((await entry(code))?.enabled, true)
  })
}

test('an unknown brand is not switched, and the nearest name is suggested', async () => {
  assert.match(
    (await instance.run(['brand', 'disable', 'amx'])).err,
    /There is no brand "amx"\.\nDid you mean "amex"\?/,
  )
})

const file = join(tmpdir(), `gatehouse-brand-${process.pid}.json`)

async function importBrand(record: unknown) {
  await writeFile(file, JSON.stringify(record))
  return instance.run(['brand', 'import', file])
}

const showBrand = async (code: string) => (await instance.do('brand', 'show', code, '--json')).json

test('a brand is copied, exported, changed and imported again, each time as a new version', async () => {
  await instance.do('brand', 'copy', 'bank-redirect', 'other-bank', '--title', 'Other bank')
  const record = await showBrand('other-bank')
  assert.equal(record.title.en, 'Other bank')
  assert.equal(record.built_in, false)
  assert.deepEqual(record.currencies, ['EUR', 'GBP', 'PLN'])

  const { out } = await importBrand({ ...record, currencies: ['EUR'], aliases: ['ob'] })
  assert.match(out, /Brand "other-bank" changed: version 2\./)
  const again = await showBrand('other-bank')
  assert.deepEqual([again.currencies, again.aliases, again.version], [['EUR'], ['ob'], 2])
})

test('a built-in brand may get an alias and stays built in', async () => {
  await importBrand({ ...(await showBrand('walletapay')), aliases: ['device-wallet'] })
  const { aliases, built_in, version } = await showBrand('walletapay')
  assert.deepEqual({ aliases, built_in, version }, { aliases: ['device-wallet'], built_in: true, version: 2 })
})

test('kind and actions of a built-in brand cannot be changed', async () => {
  const { err } = await importBrand({
    ...(await showBrand('bank-redirect')),
    actions: ['SALE'],
    refund: 'none',
    void: false,
  })
  assert.match(err, /actions: Is fixed for a built-in brand/)
})

test('a name belongs to one brand, and the name of a card network is refused', async () => {
  const record = await showBrand('bank-redirect')
  assert.match((await importBrand({ ...record, code: 'visa' })).err, /code: visa is a card network\./)
  assert.match(
    (await importBrand({ ...record, code: 'new-bank', aliases: ['vcard'] })).err,
    /aliases: vcard is already a name of the brand vcard\./,
  )
})

test('a brand of kind wallet must name a wallet that the gateway supports', async () => {
  assert.match((await instance.run(['brand', 'copy', 'walletapay', 'my-wallet'])).err, /kind: A wallet must be one of/)
})

test('every fault of a record is reported with its field', async () => {
  const { err } = await importBrand({ code: 'UPPER', kind: 'nothing', title: 'Bank' })
  for (const field of ['code', 'kind', 'actions', 'connectors', 'currencies', 'expires_after'])
    assert.match(err, new RegExp(`^${field}: `, 'm'))
})

test('a file that is not JSON is reported as such', async () => {
  await writeFile(file, 'not json')
  const { err } = await instance.run(['brand', 'import', file])
  assert.match(err, /is not valid JSON\.$/m)
  assert.doesNotMatch(err, /Unexpected token/)
})

test('the parameters of a brand are shown, and secret ones are marked', async () => {
  const { out } = await instance.run(['brand', 'show', 'account-debit'])
  assert.match(out, /DEBIT2VIRTUAL_CALC +account_number +string +required +yes/)
})
