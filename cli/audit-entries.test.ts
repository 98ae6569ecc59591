/**
 * Chapter 50 §8: every command that changes something writes an entry in the audit log. The table has each such command; a new one needs a
 * row.
 */
import assert from 'node:assert/strict'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hourMs } from '#domain/time.ts'
import { noteAlone } from '#server/panel/audit/audit.ts'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { inTransaction } from '#server/store/database/transaction.ts'
import { insertCallback, insertPayment } from '../server/test/callbacks/callback-rows.ts'
import { CheckoutClient } from '../server/test/pages/checkout.ts'
import { Payer } from '../server/test/pages/hosted-page.ts'
import { openShop, type Shop } from '../server/test/shop.ts'
import { merchantIdentifier, pairOf } from '../server/test/wallets/wallet-setup.ts'
import { loadAllCommands } from './dispatch.ts'
import { type ChangeContext, createChanging } from './kit/change.ts'
import { command } from './kit/command.ts'
import type { CommandContext } from './kit/context.ts'
import { openInstance } from './kit/instance.ts'
import { openTestInstance, runGatehouse } from './test/gatehouse.ts'

const operator = 'command line (anna@desk)'
const blockedUrl = 'https://blocked.example/notify'
const [first, second, third] = [pairOf('audit one'), pairOf('audit two'), pairOf('audit three')]

let shop: Shop
let environment: NodeJS.ProcessEnv
let callbackId: string
let consentPaymentId: string
let formDigest = ''
let entryId = ''
let disputeId = ''
let evidenceId = ''
let linkId = ''
let keyId = ''

before(async () => {
  shop = await openShop({}, ['back office'])
  const { dataDir, databaseUrl } = shop.base.config
  const { pool } = shop.base
  environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', PORT: '0', SESSION_KEY_BITS: '2048' }
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ base_url: shop.url, sandbox_url: shop.sandbox.url }))
  await writeFile(join(dataDir, 'rules.json'), '[]')
  await writeFile(join(dataDir, 'form.zip'), zipOf({ 'index.html': '<form></form>' }))
  await writeFile(join(dataDir, 'brand.json'), (await run('brand', 'show', 'bank-redirect', '--json')).out)
  await writeFile(join(dataDir, 'former.json'), '{"mids":[{"name":"audited","payment_mode":"DMS"}]}')

  const schedule = await new CheckoutClient(shop).schedule()
  const plan = { recurring_init: true, schedule_id: schedule.id, recurring_consent_required: true }
  consentPaymentId = (await (await Payer.at(shop, plan)).payAndExpectSuccess({ consent: true })).payment_id
  const merchantId = (await merchantStore(pool).list()).find(({ name }) => name === 'demo')?.id ?? ''
  // In one transaction, so that the worker of the shop never sees it due.
  callbackId = await inTransaction(pool, async (queryable) => {
    const id = await insertCallback(queryable, await insertPayment(queryable, { merchantId }), { url: blockedUrl })
    await queryable.query(
      `update callbacks set state = 'failed', next_at = null, attempts = 10, ended_at = now() where id = $1`,
      [id],
    )
    return id
  })
  await pool.query(`insert into callback_urls (url, timeouts, blocked_until) values ($1, '{}', $2)`, [
    blockedUrl,
    new Date(shop.base.clock.now().getTime() + hourMs),
  ])
})
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) => runGatehouse(argv, { environment })
const file = (name: string): string => join(shop.base.config.dataDir, name)
const credentials = '{"mid":"audited","base_url":"http://127.0.0.1:9"}'
const settings = `--merchant-identifier ${merchantIdentifier} --country DE --shop-name Acme --capability supports3DS --network visa`

type Words = string | (() => readonly string[])

// In the order of a day's work: a row may use what an earlier row created.
// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [command: string, words: Words, action: string])[] = [
  // command                   its arguments                                                                entry
  ['merchant create',          'audited --title Audited',                                                   'merchant.create'],
  ['merchant show',            'audited --secrets',                                                         'merchant.reveal-secrets'],
  ['merchant update',          'audited --rate 50',                                                         'merchant.change'],
  ['merchant block',           'audited',                                                                   'merchant.change'],
  ['merchant unblock',         'audited',                                                                   'merchant.change'],
  ['merchant rotate',          'audited --webhook-secret',                                                  'merchant.add-webhook-secret'],
  ['merchant branding set',    'audited --buttons #112233',                                                 'branding.change'],
  ['merchant branding clear',  'audited',                                                                   'branding.clear'],
  ['mid create',               () => ['audited', '--connector', 'sandbox', '--side', 'live', '--credentials', credentials], 'mid.create'],
  ['mid show',                 'audited --secrets',                                                         'mid.reveal-credentials'],
  ['mid update',               () => ['audited', '--descriptor', 'Shoes', '--credentials', credentials],    'mid.change'],
  ['mid enable',               'audited',                                                                   'mid.change'],
  ['mid disable',              'audited',                                                                   'mid.change'],
  ['mid health',               'audited --open',                                                            'mid.health'],
  ['connector try',            'sandbox-north-live --skip-3ds',                                             'connector.try'],
  ['mid link',                 'audited audited --priority 5',                                              'mapping.create'],
  ['mid unlink',               'audited audited',                                                           'mapping.remove'],
  ['mapping set',              'audited S2S_CARD digest=sha256',                                            'protocol-mapping.save'],
  ['mapping reset',            'audited S2S_CARD digest',                                                   'protocol-mapping.save'],
  ['mapping disable',          'audited S2S_APM',                                                           'protocol-mapping.save'],
  ['mapping enable',           'audited S2S_APM',                                                           'protocol-mapping.save'],
  ['mapping create',           'bare S2S_CARD',                                                             'protocol-mapping.save'],
  ['brand import',             () => [file('brand.json')],                                                  'brand.save'],
  ['brand copy',               'bank-redirect audited-brand',                                               'brand.copy'],
  ['brand disable',            'audited-brand',                                                             'brand.switch'],
  ['brand enable',             'audited-brand',                                                             'brand.switch'],
  ['brand crypto set',         'DOGE 8',                                                                    'crypto-currency.change'],
  ['brand crypto remove',      'DOGE',                                                                      'crypto-currency.change'],
  ['routing draft',            () => [file('rules.json')],                                                  'routing.draft'],
  ['routing publish',          '',                                                                          'routing.publish'],
  ['routing rollback',         '1',                                                                         'routing.roll-back'],
  ['list add',                 'block email doe@example.com --reason fraud',                                'risk-entry.add'],
  ['list import',              () => [file('entries.csv')],                                                 'risk-entry.import'],
  ['list remove',              () => [entryId],                                                             'risk-entry.remove'],
  ['wallet settings set',      `audited ${settings}`,                                                       'wallet.save'],
  ['wallet key add',           () => ['audited', '--private-key', first.privateKey],                        'wallet.enter-key'],
  ['wallet key certificate',   () => ['audited', `--certificate=${first.certificate}`],                     'wallet.enter-key'],
  ['wallet key generate',      'audited --role identity',                                                   'wallet.enter-key'],
  ['wallet key promote',       () => [second.fingerprint, 'audited'],                                       'wallet.promote-key'],
  ['wallet key retire',        () => [first.fingerprint, 'audited'],                                        'wallet.retire-key'],
  ['wallet domain add',        'audited shop.example',                                                      'wallet.add-domains'],
  ['wallet domain file',       () => ['audited', 'shop.example', file('rules.json')],                       'wallet.upload-file'],
  ['wallet domain remove',     'audited shop.example',                                                      'wallet.remove-domain'],
  ['wallet platform set',      '--merchant-identifier merchant.example.platform',                           'wallet-platform.save'],
  ['wallet platform file',     () => [file('rules.json')],                                                  'wallet-platform.upload-file'],
  ['wallet platform register', 'bare',                                                                      'wallet.register'],
  ['wallet platform tick',     'merchant bare --identifier merchant.assigned.bare',                         'wallet.tick-task'],
  ['wallet enable',            'audited --wallet walletbpay --side test',                                   'wallet.enable-for-testing'],
  ['wallet matrix',            '--only 0 --protocol s2s-card --version ECv1',                               'merchant.create'],
  ['wallet countries',         '--country DE,FR',                                                           'wallet.change-countries'],
  ['wallet alarm mute',        () => ['wallet session failing', 'audited', '--reason', 'known'],            'wallet.mute-alarm'],
  ['wallet alarm handled',     () => ['wallet session failing', 'audited'],                                 'wallet.end-alarm'],
  ['form upload',              () => ['audited', 'summer', file('form.zip')],                               'form.upload'],
  ['form submit',              'audited summer',                                                            'form.move'],
  ['form approve',             () => ['audited', 'summer', '--digest', formDigest],                         'form.move'],
  ['form withdraw',            'audited summer',                                                            'form.move'],
  ['consent withdraw',         () => [consentPaymentId],                                                           'consent.withdraw'],
  ['payer erase',              'demo --email doe@example.com',                                               'payer.erase'],
  ['link create',               () => ['demo', '--currency', 'EUR', '--description', 'Invoice 7'],           'payment-link.create'],
  ['link cancel',               () => ['demo', linkId],                                                      'payment-link.cancel'],
  ['dispute add-evidence',      () => ['demo', disputeId, file('proof.pdf')],                                'dispute.add-evidence'],
  ['dispute change',            () => ['demo', disputeId, '--due', '2027-01-31'],                            'dispute.change'],
  ['dispute remove-evidence',   () => ['demo', disputeId, evidenceId],                                       'dispute.remove-evidence'],
  ['dispute answer',            () => ['demo', disputeId, 'accepted'],                                       'dispute.answer'],
  ['dispute settle-answer',     () => ['demo', disputeId, 'arrived'],                                        'dispute.settle-answer'],
  ['user create',              'audited@example.com --all-merchants',                                       'user.create'],
  ['user disable',             'audited@example.com',                                                       'user.change'],
  ['user enable',              'audited@example.com',                                                       'user.change'],
  ['user reset-password',      'audited@example.com',                                                       'user.reset-password'],
  ['user reset-factor',        'audited@example.com',                                                       'user.reset-factor'],
  ['user unlock',              'audited@example.com --address 203.0.113.9',                                 'user.unlock'],
  ['service-account create',    'audited --role support --all-merchants',                                    'user.create'],
  ['service-account rotate',    'audited',                                                                   'service-account.add-key'],
  ['service-account remove-key', () => ['audited', keyId],                                                    'service-account.remove-key'],
  ['alert-channel create',     'audited duty@example.com',                                                   'alert-channel.create'],
  ['alert-channel remove',     'audited',                                                                    'alert-channel.remove'],
  ['export schedule add',      'audited --owner audited@example.com --url https://files.example.com/in',     'export-schedule.create'],
  ['export schedule run',      'audited --day 2026-03-01',                                                   'export-schedule.run'],
  ['export schedule pause',    'audited',                                                                    'export-schedule.pause'],
  ['export schedule resume',   'audited',                                                                    'export-schedule.resume'],
  ['export schedule remove',   'audited',                                                                    'export-schedule.remove'],
  ['audit export',             '',                                                                          'audit.export'],
  ['callbacks resend',         () => ['demo', callbackId],                                                  'callback.resend'],
  ['callbacks unblock',        blockedUrl,                                                                  'callback-url.unblock'],
  ['callbacks seal',           '',                                                                          'callback-url.seal'],
  ['migrate settings',         () => [file('former.json')],                                                 'settings.migrate'],
  ['keys rotate',              '',                                                                          'keys.rotate'],
  ['keys rotate-session',      '',                                                                          'session-key.rotate'],
  ['clock advance',            '1h',                                                                        'clock.move'],
  ['restore begin',            '',                                                                          'recovery.begin'],
  ['restore end',              '--without-asking',                                                          'recovery.end'],
]

/** Data that a row's command works on and that no earlier row creates. */
const preparations: Readonly<Record<string, () => Promise<unknown>>> = {
  'list import': () =>
    writeFile(file('entries.csv'), 'merchant,list,kind,value,reason,expires\naudited,allow,bin,411111,partner,\n'),
  'list remove': async () => {
    entryId = (await run('list', 'show', 'allow', '--json')).json[0].id
  },
  'link cancel': async () => {
    linkId = (await run('link', 'list', '--json')).json[0].id
  },
  'dispute add-evidence': async () => {
    await writeFile(file('proof.pdf'), '%PDF-1.7\n')
    const { body } = await shop.sale({})
    disputeId = shop.base.ids.next()
    await shop.base.pool.query(
      `insert into disputes (merchant_id, id, payment_id, mid_id, reference, reason_code, amount_minor, currency, amount_decimals, stage,
         opened_at, changed_at)
       select merchant_id, $2::uuid, id, mid_id, 'CB', '4837', 100, currency, 2, 'chargeback', now(), now() from payments where id = $1`,
      [body.trans_id, disputeId],
    )
  },
  'dispute remove-evidence': async () => {
    evidenceId = (await run('dispute', 'show', 'demo', disputeId, '--json')).json.files[0].id
  },
  'dispute settle-answer': () =>
    shop.base.pool.query(`update dispute_answers set state = 'unknown' where dispute_id = $1`, [disputeId]),
  'service-account remove-key': async () => {
    keyId = (await run('service-account', 'list', '--json')).json[0].keys[0].id
  },
  'mapping create': () => run('merchant', 'create', 'bare', '--title', 'Bare', '--without-mappings'),
  'form approve': async () => {
    formDigest = (await run('form', 'show', 'audited', 'summer', '--json')).json.digest
  },
  'routing rollback': async () => {
    await run('routing', 'draft', file('rules.json'))
    await run('routing', 'publish')
  },
  'wallet key promote': () => run('wallet', 'key', 'add', 'audited', '--private-key', second.privateKey),
  'wallet platform register': async () => {
    const bare = ['wallet', 'settings', 'set', 'bare', '--setup', 'platform', '--shop-name', 'Bare', '--country', 'DE']
    await run(...bare)
    await run('wallet', 'key', 'add', '--platform', '--private-key', third.privateKey)
    await run('wallet', 'domain', 'add', 'bare', 'bare.example')
  },
  'wallet alarm mute': () =>
    shop.base.pool.query(
      `insert into wallet_notices (merchant_id, side, wallet, kind, subject, text, first_at, last_at)
       select id, 'live', 'walletapay', 'wallet session failing', '', 'No session.', now(), now()
       from merchants where name = 'audited'`,
    ),
}

/** These commands change something too, but cannot succeed in this set-up; their own tests cover them. */
const elsewhere = [
  'backup base',
  'backup create',
  'clock reset',
  'dispute decide',
  'migrate',
  'migrate distribute',
  'restore load',
  'restore reconcile',
  'settlement import',
  'settlement resolve',
  'unresolved decide',
  'unresolved give-back',
  'wallet domain verified',
]

interface Entry {
  readonly action: string
  readonly actor: string
  readonly before: string | null
  readonly after: string | null
}

const entries = async (): Promise<readonly Entry[]> =>
  (await shop.base.pool.query<Entry>('select action, actor, before, after from audit_log order by seq')).rows

test('every command that changes something has a row in this table', async () => {
  const changes = (await loadAllCommands()).filter((one) => one.changes).map(({ name }) => name)
  assert.deepEqual([...rows.map(([name]) => name), ...elsewhere].toSorted(), changes.toSorted())
})

for (const [name, words, action] of rows) {
  test(`"${name}" writes the audit entry ${action}`, async () => {
    await preparations[name]?.()
    const count = (await entries()).length
    const parameters = typeof words === 'string' ? words.split(' ').filter(Boolean) : words()
    const { code, err } = await run(...name.split(' '), ...parameters)
    assert.equal(code, 0, err)
    const newEntries = (await entries()).slice(count)
    assert.ok(
      newEntries.some((entry) => entry.action === action),
      newEntries.map((entry) => entry.action).join(', '),
    )
    // A worker writes the file of an export that an earlier command asked for, at its own time.
    for (const entry of newEntries) if (entry.actor !== 'scheduled exports') assert.equal(entry.actor, operator)
  })
}

test('no audit entry contains a secret that a command was given or showed', async () => {
  const created = await run('merchant', 'create', 'discreet', '--title', 'Discreet', '--json')
  const rotated = await run('merchant', 'rotate', 'discreet', '--json')
  const user = await run('user', 'create', 'discreet@example.com', '--all-merchants', '--json')
  const program = await run('service-account', 'create', 'discreet', '--role', 'support', '--all-merchants', '--json')
  const link = await run('link', 'create', 'demo', '--currency', 'EUR', '--description', 'Discreet', '--json')
  const secrets = [
    program.json.key,
    link.json.code,
    created.json.password,
    created.json.webhook_secret,
    rotated.json.password,
    user.json.password,
  ]
  const text = JSON.stringify(await entries())
  for (const one of [...secrets, first.privateKey, second.privateKey, third.privateKey]) {
    assert.ok(String(one).length > 8)
    assert.ok(!text.includes(String(one)))
  }
  assert.ok(!text.includes('127.0.0.1:9'), 'credentials of a MID')
})

test('migrating a database writes an entry into its own audit log', async () => {
  await using instance = await openTestInstance({ empty: true })
  await instance.do('migrate')
  const { rows: noted } = await instance.database.pool.query<Entry>('select action, actor from audit_log')
  assert.deepEqual(noted, [{ action: 'schema.migrate', actor: operator }])
  await instance.do('migrate')
  assert.equal((await instance.database.pool.query('select 1 from audit_log')).rowCount, 1)
})

test('the hash chain of all these entries verifies', async () => {
  assert.equal((await run('audit', 'verify')).code, 0)
})

const outsideContext = (): CommandContext => ({
  output: { out: () => {}, err: () => {} },
  environment,
  readInput: async () => Buffer.alloc(0),
  signal: new AbortController().signal,
  operator: 'anna@desk',
  guarded: true,
})
const blockAll = async ({ pool }: Pick<ChangeContext, 'pool'>): Promise<void> => {
  await pool.query(`update merchants set status = 'blocked'`)
}
const countBlocked = async () =>
  (await shop.base.pool.query(`select 1 from merchants where status = 'blocked'`)).rowCount

test('a command that is not declared as changing cannot write', async () => {
  const sneak = (changes: { readonly changes?: true }, run: Parameters<typeof command>[0]['run']) =>
    command({ name: 'sneak', summary: '', args: {}, options: {}, ...changes, run }).run([], outsideContext())
  const direct = async (context: CommandContext): Promise<undefined> => {
    await using instance = await openInstance(context)
    await instance.pool.query(`update merchants set status = 'blocked'`)
  }
  await assert.rejects(sneak({}, direct), /read-only transaction/)
  await assert.rejects(sneak({ changes: true }, direct), /read-only transaction/)
  const change = async (context: CommandContext): Promise<undefined> => {
    await using instance = await openInstance(context)
    await instance.change(blockAll)
  }
  await assert.rejects(sneak({}, change), /has to say so/)
  await assert.rejects(sneak({ changes: true }, change), /without an audit log entry/)
  assert.equal(await countBlocked(), 0)
})

test('an entry written by another process meanwhile does not count as the entry of the command', async () => {
  const { change } = createChanging(shop.base, { label: operator, address: null })
  const other = { action: 'test.other', subject: 'test', merchantId: null }
  const sneaking = change(async (change) => {
    await blockAll(change)
    await noteAlone(shop.base.pool, shop.base.clock, { label: 'another process', address: null }, other)
  })
  await assert.rejects(sneaking, /without an audit log entry/)
  assert.equal(await countBlocked(), 0)
})

test('a change that fails is rolled back together with its entry', async () => {
  const count = (await entries()).length
  const { change } = createChanging(shop.base, { label: operator, address: null })
  const failing = change(async (change) => {
    await blockAll(change)
    change.note({ action: 'test.fail', subject: 'test', merchantId: null })
    throw new Error('No.')
  })
  await assert.rejects(failing, /No\./)
  assert.deepEqual([await countBlocked(), (await entries()).length], [0, count])
})

test('a command has no other way to a writable database', async () => {
  const ways = /openPool|openProcessContext|readOnly|writes: (?!!(?:status|plan) )/
  const mayHave = [
    'cli/kit/instance.ts',
    'cli/audit-entries.test.ts',
    // It creates a temporary database and drops it.
    'cli/backup/verification.ts',
    // It fills an empty database and writes its entry into the audit log that was restored.
    'cli/commands/instance/restore-backup.ts',
    // It reads a standby, which takes no writes.
    'cli/doctor/read-replica.ts',
    'cli/commands/instance/backup.full.test.ts',
    'cli/backup/archive-cleaning.full.test.ts',
    'cli/backup/base-verification.full.test.ts',
  ]
  for await (const path of glob('cli/**/*.ts'))
    if (!mayHave.includes(path)) assert.doesNotMatch(await readFile(path, 'utf8'), ways, path)
})
