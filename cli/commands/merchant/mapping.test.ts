import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mappingOptions } from '#domain/mapping.ts'
import { reportFields } from '#domain/report-fields.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
})
after(() => instance[Symbol.asyncDispose]())
beforeEach(() => instance.database.pool.query(`update protocol_mappings set options = '{}', enabled = true`))

const showMapping = async (protocol: string) => (await instance.do('mapping', 'show', 'acme', protocol, '--json')).json
async function readStoredOptions(protocol: string): Promise<unknown> {
  const { rows } = await instance.database.pool.query('select options from protocol_mappings where protocol = $1', [
    protocol,
  ])
  return rows[0]?.options
}

// biome-ignore format: a table is read in columns.
const values: readonly (readonly [protocol: string, choice: string, option: string, value: unknown])[] = [
  ['S2S_CARD', 'digest=sha256',                          'digest',                'sha256'],
  ['S2S_CARD', 'digest="sha256"',                        'digest',                'sha256'],
  ['S2S_CARD', 'addToCallback=arn',                      'addToCallback',         ['arn']],
  ['S2S_CARD', 'addToCallback=arn, rrn',                 'addToCallback',         ['arn', 'rrn']],
  ['S2S_CARD', 'addToCallback=["arn","rrn"]',            'addToCallback',         ['arn', 'rrn']],
  ['S2S_CARD', 'rejectDuplicateOrders=true',             'rejectDuplicateOrders', true],
  ['S2S_CARD', 'callbackRetrySeconds=60,300',            'callbackRetrySeconds',  [60, 300]],
  ['S2S_CARD', 'callbackRetrySeconds=60',                'callbackRetrySeconds',  [60]],
  ['S2S_CARD', 'callbackFormat=json',                    'callbackFormat',        'json'],
  ['CHECKOUT', 'maxDeclines=5',                          'maxDeclines',           5],
  ['CHECKOUT', 'declinesPerAddress=500',                 'declinesPerAddress',    500],
  ['CHECKOUT', 'hashUpperCasing=unicode',                'hashUpperCasing',       'unicode'],
  ['CHECKOUT', 'terms={"enabled":true}',                 'terms',                 { enabled: true, url: null }],
  ['CHECKOUT', 'embeddingOrigins=https://a.example',     'embeddingOrigins',      ['https://a.example']],
]

for (const [protocol, choice, option, value] of values) {
  test(`${choice} is understood`, async () => {
    await instance.do('mapping', 'set', 'acme', protocol, choice)
    assert.deepEqual((await showMapping(protocol))[option], value)
  })
}

test('an option set to its default is not stored', async () => {
  await instance.do('mapping', 'set', 'acme', 'S2S_CARD', 'digest=sha256', 'callbackFormat=json')
  await instance.do('mapping', 'set', 'acme', 'S2S_CARD', 'digest=md5')
  assert.deepEqual(await readStoredOptions('S2S_CARD'), { callbackFormat: 'json' })
})

test('reset restores the default of single options', async () => {
  await instance.do('mapping', 'set', 'acme', 'S2S_CARD', 'digest=sha256', 'callbackFormat=json')
  await instance.do('mapping', 'reset', 'acme', 'S2S_CARD', 'digest')
  assert.deepEqual(await readStoredOptions('S2S_CARD'), { callbackFormat: 'json' })
})

test('all faults are reported at once, and nothing is changed', async () => {
  const choices = ['digest=sha1', 'addToCallback=arn,nonsense', 'maxDeclines=3', 'colour=red', 'callbackFormat=json']
  const { code, err } = await instance.run(['mapping', 'set', 'acme', 'S2S_CARD', ...choices])
  assert.equal(code, 1)
  for (const fault of [
    /digest must be one of md5, sha256/,
    /addToCallback must be a list/,
    /maxDeclines is an option of CHECKOUT/,
    /colour is not an option/,
  ]) {
    assert.match(err, fault)
  }
  assert.deepEqual(await readStoredOptions('S2S_CARD'), {})
})

test('an option that was edited by hand and is invalid is reported', async () => {
  await instance.database.pool.query(
    `update protocol_mappings set options = '{"digest":"crc32"}' where protocol = 'S2S_CARD'`,
  )
  const { err, out } = await instance.do('mapping', 'show', 'acme', 'S2S_CARD')
  assert.match(err, /digest must be one of/)
  assert.match(out, /digest\s+"md5"/)
})

test('a mapping is disabled and enabled, and created if there is none', async () => {
  await instance.do('mapping', 'disable', 'acme', 'CHECKOUT')
  assert.match((await instance.do('mapping', 'list', 'acme')).out, /CHECKOUT\s+no/)
  await instance.do('mapping', 'enable', 'acme', 'CHECKOUT')
  assert.match((await instance.do('mapping', 'list', 'acme')).out, /CHECKOUT\s+yes/)
  assert.equal((await instance.run(['mapping', 'create', 'acme', 'CHECKOUT'])).code, 1)

  await instance.do('merchant', 'create', 'bare', '--title', 'Bare', '--without-mappings')
  assert.match(
    (await instance.run(['mapping', 'set', 'bare', 'S2S_CARD', 'digest=sha256'])).err,
    /mapping create bare S2S_CARD/,
  )
  await instance.do('mapping', 'create', 'bare', 'S2S_CARD')
  await instance.do('mapping', 'set', 'bare', 'S2S_CARD', 'digest=sha256')
})

test('a live instance switches payouts on once addresses are listed', async () => {
  await using live = await openTestInstance({ instanceMode: 'live' })
  const file = join(live.folder, 'live-keys.json')
  await runGatehouse(['keys', 'create', file])
  const environment = { GATEHOUSE_KEY_FILE: file, BASE_URL: 'https://pay.example.com' }
  const run = (...argv: readonly string[]) => live.run(argv, { environment })
  assert.equal((await run('merchant', 'create', 'payer', '--title', 'Payer')).code, 0)
  const payouts = ['mapping', 'set', 'payer', 'CHECKOUT', 'payouts=true']
  const { code, err } = await run(...payouts)
  assert.equal(code, 1)
  assert.match(err, /needs more than the hash for payouts.*allowed addresses.*Nothing was changed/s)
  assert.equal((await run('merchant', 'update', 'payer', '--ip', '203.0.113.7')).code, 0)
  assert.equal((await run(...payouts)).code, 0)
})

test('the list contains every option, and every field with the places where it may appear', async () => {
  const { json } = await runGatehouse(['mapping', 'options', '--json'])
  assert.deepEqual(
    json.options.map(({ name }: { name: string }) => name),
    Object.keys(mappingOptions),
  )
  assert.deepEqual(
    json.fields.map(({ name }: { name: string }) => name),
    reportFields.map(({ name }) => name),
  )
  const { out } = await runGatehouse(['mapping', 'options', 'S2S_APM'])
  assert.match(out, /arn\s+acquirer\s+CSR/)
  assert.match(out, /threeDSServerTransID\s+3ds\s+CR/)
  assert.doesNotMatch(out, /maxDeclines/)
})

test('a change that another process saves meanwhile is not overwritten', async () => {
  const { pool } = instance.database
  const { rows } = await pool.query<{ id: string }>(`select id from merchants where name = 'acme'`)
  const other = await pool.connect()
  await other.query('begin')
  await merchantStore(other).lock(rows[0]?.id ?? '')
  await other.query(`update protocol_mappings set options = '{"digest": "sha256"}' where protocol = 'S2S_CARD'`)
  const setting = instance.do('mapping', 'set', 'acme', 'S2S_CARD', 'addToCallback=arn')
  const isWaiting = async (): Promise<boolean> => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await pool.query(waiting)).rows.length > 0
  }
  while (!(await isWaiting())) await sleep(20)
  await other.query('commit')
  other.release()
  await setting
  assert.deepEqual(await readStoredOptions('S2S_CARD'), { digest: 'sha256', addToCallback: ['arn'] })
})
