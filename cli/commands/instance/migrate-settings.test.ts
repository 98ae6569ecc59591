import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'shop', '--title', 'Shop')
  for (const [name, mode] of [
    ['old', 'SMS'],
    ['told', 'SMS/DMS'],
  ] as const)
    await instance.database.pool.query(
      `insert into mids (id, name, connector, credentials_sealed, side, payment_mode, created_at)
       values (gen_random_uuid(), $1, 'sandbox', '\\x00', 'live', $2, now())`,
      [name, mode],
    )
  await instance.database.pool.query(
    `update protocol_mappings set options = '{"requiredPayerFields":["payer_city"],"digest":"sha256"}' where protocol = 'S2S_CARD'`,
  )
})
after(() => instance[Symbol.asyncDispose]())

const scheduleId = '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007'
const former = {
  mids: [{ name: 'old' }, { name: 'told', payment_mode: 'DMS' }],
  protocol_mappings: [
    { merchant: 'shop', protocol: 'S2S_CARD' },
    { merchant: 'shop', protocol: 'CHECKOUT' },
  ],
  schedules: [
    {
      merchant: 'shop',
      id: scheduleId,
      name: 'Monthly',
      interval_length: 1,
      interval_unit: 'month',
      payments_count: 12,
      delays: 2,
    },
  ],
  routing_rules: [
    { name: 'Holds go north', payment_modes: ['DMS'] },
    { name: 'All go south', payment_modes: ['SMS', 'DMS'] },
    { name: 'Others', amount: 5 },
  ],
}

async function fileOf(content: unknown): Promise<string> {
  const file = join(instance.folder, 'former.json')
  await writeFile(file, JSON.stringify(content))
  return file
}

const modes = async (): Promise<unknown> =>
  (await instance.database.pool.query('select name, payment_mode from mids order by name')).rows

test('a dry run reports what would change and changes nothing', async () => {
  const { json } = await instance.do('migrate', 'settings', await fileOf(former), '--dry-run', '--json')
  assert.deepEqual(
    json.changes.map(({ what, name, after: then }: { what: string; name: string; after: string }) => [
      what,
      name,
      then,
    ]),
    [
      ['MID', 'old', 'SMS/DMS'],
      ['MID', 'told', 'DMS'],
      ['protocol mapping', 'shop S2S_CARD', 'required payer fields: none'],
      ['schedule', 'shop Monthly', 'every 1 month, 12 payments'],
    ],
  )
  assert.deepEqual(await modes(), [
    { name: 'old', payment_mode: 'SMS' },
    { name: 'told', payment_mode: 'SMS/DMS' },
  ])
})

test('a MID without a payment mode becomes SMS/DMS, a MID that has one keeps it, and capture delays stay with their schedule', async () => {
  const { out } = await instance.do('migrate', 'settings', await fileOf(former))
  assert.match(out, /^Changes made:/)
  assert.deepEqual(await modes(), [
    { name: 'old', payment_mode: 'SMS/DMS' },
    { name: 'told', payment_mode: 'DMS' },
  ])
  const { rows } = await instance.database.pool.query('select id, delays from schedules')
  assert.deepEqual(rows, [{ id: scheduleId, delays: 2 }])
  const mapping = (await instance.do('mapping', 'show', 'shop', 'S2S_CARD', '--json')).json
  assert.deepEqual([mapping.requiredPayerFields, mapping.digest], [[], 'sha256'], 'the other options stay')
})

test('a second run changes nothing, and still reports delays and rules for a single payment mode', async () => {
  const { json } = await instance.do('migrate', 'settings', await fileOf(former), '--json')
  assert.deepEqual(json, {
    changes: [],
    delayed: [{ schedule: 'shop Monthly', delays: 2 }],
    rules: [{ from: 'file', rule: 'Holds go north', mode: 'DMS' }],
  })
})

test('payer fields are optional unless the file requires them', async () => {
  const demanded = {
    protocol_mappings: [{ merchant: 'shop', protocol: 'S2S_CARD', required_payer_fields: ['payer_zip'] }],
  }
  const required = async () =>
    (await instance.do('mapping', 'show', 'shop', 'S2S_CARD', '--json')).json.requiredPayerFields
  await instance.do('migrate', 'settings', await fileOf(demanded))
  assert.deepEqual(await required(), ['payer_zip'])
  await instance.do('migrate', 'settings', await fileOf(former))
  assert.deepEqual(await required(), [])
})

test('without a file it reports on the existing settings, including published and draft rules', async () => {
  const rule = (name: string, not: boolean, values: readonly string[]) => ({
    name,
    enabled: true,
    conditions: [{ kind: 'payment-mode', not, values }],
    action: { kind: 'require-3ds' },
    maximumAttempts: null,
    final: false,
  })
  await instance.database.pool.query(
    `insert into routing_sets (id, merchant_id, version, rules, note, drafted_by, published_by, published_at)
     values (gen_random_uuid(), null, 1, $1, '', 'ann', 'bob', now())`,
    [JSON.stringify([rule('only holds', false, ['DMS']), rule('both', false, ['SMS', 'DMS'])])],
  )
  await instance.database.pool.query(
    `insert into routing_drafts (id, merchant_id, revision, rules, note, changed_by, changed_at)
     select gen_random_uuid(), id, 1, $1, '', 'ann', now() from merchants where name = 'shop'`,
    [JSON.stringify([rule('not holds', true, ['DMS'])])],
  )
  const { json } = await instance.do('migrate', 'settings', '--json')
  assert.deepEqual(json.changes, [])
  assert.deepEqual(json.rules, [
    { from: 'published, all merchants', rule: 'only holds', mode: 'DMS' },
    { from: 'draft, shop', rule: 'not holds', mode: 'SMS' },
  ])
  assert.match((await instance.do('migrate', 'settings')).out, /Nothing to change\.[\s\S]*only holds/)
})

test('unknown names and unreadable entries are all reported at once, and nothing is changed', async () => {
  const unknown = { mids: [{ name: 'nobody' }, { name: 'old', payment_mode: 'SMS' }], schedules: [] }
  const refused = await instance.run(['migrate', 'settings', await fileOf(unknown)])
  assert.equal(refused.code, 1)
  assert.match(refused.err, /There is no MID nobody here/)
  assert.deepEqual(await modes(), [
    { name: 'old', payment_mode: 'SMS/DMS' },
    { name: 'told', payment_mode: 'DMS' },
  ])
  const unreadable = await instance.run(['migrate', 'settings', await fileOf({ mids: [{ payment_mode: 'LATER' }] })])
  assert.equal(unreadable.code, 1)
  assert.match(unreadable.err, /mids\.0\.name[\s\S]*mids\.0\.payment_mode/)
})
