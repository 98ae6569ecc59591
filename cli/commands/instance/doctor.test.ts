import assert from 'node:assert/strict'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from '#server/demo/sandbox-process.ts'
import { insertCallback, insertPayment } from '../../../server/test/callbacks/callback-rows.ts'
import { oidcSettings, startIdentityHost } from '../../../server/test/oidc/identity-host.ts'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

interface Finding {
  readonly level: string
  readonly subject: string
  readonly text: string
  readonly remedy: string | null
}

async function findings(instance: TestInstance, environment: NodeJS.ProcessEnv = {}) {
  const { code, json } = await instance.run(['doctor', '--json'], { environment })
  const all: readonly Finding[] = json
  const found = (level: string, text: RegExp) =>
    all.some((one) => one.level === level && text.test(one.text) && (level === 'ok' || one.remedy))
  return { code, all, found }
}

/** An instance without any problem. */
async function soundInstance(stack: AsyncDisposableStack): Promise<TestInstance> {
  const instance = stack.use(await openTestInstance())
  const sandbox = await startSandbox(instance.folder)
  stack.defer(() => sandbox.stop())
  for (const mode of ['live', 'test']) {
    const credentials = JSON.stringify({ mid: mode, base_url: sandbox.url })
    await instance.do('mid', 'create', mode, '--connector', 'sandbox', '--side', mode, '--credentials', credentials)
  }
  const url = ['--notification-url', 'https://acme.example/notify']
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme', ...url, '--mid', 'live', '--mid', 'test')
  return instance
}

test('an instance without problems has only good findings, and each planted fault is found', async (t) => {
  await using stack = new AsyncDisposableStack()
  const instance = await soundInstance(stack)
  const { pool } = instance.database

  await t.test('single sign-on', async () => {
    const host = await startIdentityHost({})
    const settings = oidcSettings(host, 'owners=owner; shop=no-such-role:acme+no-such-shop')
    const before = await findings(instance, settings)
    assert.ok(before.found('ok', /^http:\/\/127\.0\.0\.1:\d+ answers\.$/))
    assert.ok(before.found('warning', /does not exist: role no-such-role, merchant no-such-shop\.$/))
    assert.ok(before.found('warning', /^No local owner/))
    await instance.do('user', 'create', 'owner@example.com', '--name', 'Owner', '--role', 'owner', '--all-merchants')
    await host.stop()
    const after = await findings(instance, settings)
    assert.ok(after.found('problem', /cannot be used/))
    assert.ok(after.found('ok', /1 local owner for emergencies/))
  })

  await t.test('read replica', async () => {
    const { found } = await findings(instance, { DATABASE_READ_URL: instance.database.url })
    assert.ok(found('warning', /^DATABASE_READ_URL leads to a server that is not a standby/))
  })

  await t.test('sound', async () => {
    const { code, all } = await findings(instance)
    assert.deepEqual(
      all.filter(({ level }) => level !== 'ok'),
      [],
    )
    assert.equal(code, 0)
    const subjects = new Set(all.map(({ subject }) => subject))
    for (const subject of [
      'configuration',
      'data folder',
      'disk',
      'port',
      'panel',
      'forms',
      'database',
      'schema',
      'clock',
      'keys',
      'mids',
      'sandbox',
      'merchants',
      'callbacks',
    ]) {
      assert.ok(subjects.has(subject), subject)
    }
  })

  // biome-ignore format: a table is read in columns.
  const planted: readonly (readonly [title: string, plant: string, mend: string, level: string, text: RegExp])[] = [
    ['a merchant without notification address', `update merchants set notification_url = null`, `update merchants set notification_url = 'https://acme.example/notify'`, 'warning', /No callback address for acme/],
    ['a merchant without live MID',             `update mids set enabled = false where side = 'live'`, `update mids set enabled = true`, 'warning', /No enabled live MID for acme/],
    ['a merchant whose test link is off',       `update merchant_mappings set enabled = false`, `update merchant_mappings set enabled = true`, 'warning', /No enabled test MID for acme/],
    ['a merchant without protocol',             `update protocol_mappings set enabled = false`, `update protocol_mappings set enabled = true`, 'warning', /No protocol is enabled for acme/],
    ['a mapping option edited by hand',         `update protocol_mappings set options = '{"digest":"crc32"}' where protocol = 'S2S_CARD'`, `update protocol_mappings set options = '{}'`, 'warning', /S2S_CARD is ignored\. digest must be/],
    ['a connector that this release lacks',     `update mids set connector = 'gone' where side = 'live'`, `update mids set connector = 'sandbox'`, 'problem', /connector "gone"/],
    ['a MID whose package is not installed',    `update mids set connector = 'prism-nmi' where side = 'live'`, `update mids set connector = 'sandbox'`, 'problem', /Payments over live are refused/],
    ['credentials that do not open',            `update mids set credentials_sealed = set_byte(credentials_sealed, 40, (get_byte(credentials_sealed, 40) + 1) % 256) where side = 'live'`, `update mids set credentials_sealed = set_byte(credentials_sealed, 40, (get_byte(credentials_sealed, 40) + 255) % 256) where side = 'live'`, 'problem', /The credentials of live cannot be decrypted/],
    ['a password that does not open',           `update merchants set password_sealed = set_byte(password_sealed, 40, (get_byte(password_sealed, 40) + 1) % 256)`, `update merchants set password_sealed = set_byte(password_sealed, 40, (get_byte(password_sealed, 40) + 255) % 256)`, 'problem', /The secrets of acme cannot be decrypted/],
    ['a data key under a key that is lost',     `update data_keys set kek_id = 'k9' where version = 1 and scope = (select id from merchants)`, `update data_keys set kek_id = 'k1'`, 'problem', /needs the keys k9/],
    ['a MID that is left alone',                `insert into mid_breakers (mid_id, state, since, probes, hand, version) select id, 'open', now(), 0, null, 1 from mids where side = 'live'`, `delete from mid_breakers`, 'warning', /circuit breaker is open for live/],
    ['clocks that went apart',                  `update instance set clock_offset_ms = 5000`, `update instance set clock_offset_ms = 0`, 'warning', /sandbox acquirer .* is -5 s ahead/],
    ['a schema of a newer release',             `insert into schema_migrations select 9999, 'future', 'x', now()`, `delete from schema_migrations where number = 9999`, 'problem', /has migration 9999/],
  ]

  for (const [title, plant, mend, level, text] of planted) {
    await t.test(title, async () => {
      await pool.query(plant)
      const { code, found, all } = await findings(instance)
      await pool.query(mend)
      assert.ok(found(level, text), JSON.stringify(all, null, 1))
      assert.equal(code, level === 'problem' ? 1 : 0)
    })
  }

  await t.test('a package whose helper process does not start, and whether it would have a network', async () => {
    const folder = join(instance.folder, 'connectors/prism/node_modules/hyperswitch-prism')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"version":"0.4.0"}')
    const { found, all } = await findings(instance)
    assert.ok(found('problem', /The helper process does not start/), JSON.stringify(all))
    assert.ok(
      all.some(({ subject, text }) => subject === 'prism' && /network/.test(text)),
      JSON.stringify(all),
    )
    await rm(join(instance.folder, 'connectors'), { recursive: true })
  })

  await t.test('overdue callbacks', async () => {
    const payment = await insertPayment(pool)
    await insertCallback(pool, payment, { url: 'https://acme.example/notify', at: new Date('2020-01-01T00:00:00Z') })
    assert.ok((await findings(instance)).found('warning', /1 are overdue/))
    await pool.query(`update callbacks set state = 'failed', next_at = null`)
    assert.ok((await findings(instance)).found('warning', /1 failed permanently/))
    await pool.query('truncate callbacks, payments cascade')
  })

  await t.test('retention that does not run', async () => {
    await pool.query(`insert into retention_runs (kind, next_at) values ('payers', now() - interval '2 days')`)
    assert.ok((await findings(instance)).found('warning', /Overdue by more than a day: payers\./))
    await pool.query(`update retention_runs set next_at = now(), ended_at = now()`)
    assert.ok((await findings(instance)).found('ok', /Nothing is overdue; the last run ended at/))
    await pool.query('delete from retention_runs')
  })

  await t.test(
    'mail that is left because the mail server was removed from the settings, and mail that no server accepts',
    async () => {
      await pool.query(
        `insert into mails (id, recipient, subject, text, written_at, next_at)
       values (gen_random_uuid(), 'ann@example.com', 's', 't', '2020-01-01Z', '2020-01-01Z')`,
      )
      assert.ok(
        (await findings(instance)).found('warning', /1 not sent because SMTP_URL is not set.* since 2020-01-01/),
      )
      const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'payments@example.com' }
      assert.ok((await findings(instance, environment)).found('warning', /1 waiting to be sent, the oldest since 2020/))
      await pool.query('delete from mails')
      assert.ok((await findings(instance, environment)).found('ok', /0 waiting to be sent/))
    },
  )

  await t.test('a port that another program uses', async () => {
    const other = createServer((_request, response) => response.end('{}'))
    const { promise, resolve } = Promise.withResolvers<void>()
    other.listen(0, '127.0.0.1', resolve)
    await promise
    const address = other.address()
    const PORT = String(typeof address === 'object' ? address?.port : '')
    const { code, found } = await findings(instance, { PORT })
    other.closeAllConnections()
    other.close()
    assert.ok(found('problem', /is used by another program/))
    assert.equal(code, 1)
  })

  await t.test(
    'the port of the running service is the one that is reported, whatever PORT the command has',
    async () => {
      const service = createServer((_request, response) => response.end('{"version":"9.8.7"}'))
      const { promise, resolve } = Promise.withResolvers<void>()
      service.listen(0, '127.0.0.1', resolve)
      await promise
      const address = service.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      const demo = join(instance.folder, 'demo.json')
      await writeFile(demo, JSON.stringify({ base_url: `http://127.0.0.1:${port}` }))
      const running = await findings(instance)
      service.closeAllConnections()
      service.close()
      assert.ok(running.found('ok', new RegExp(`9\\.8\\.7 is running on ${port}; PORT is 0 for this`)))
      assert.ok((await findings(instance)).found('ok', /Any free port is used/), 'it has ended since')
      await rm(demo)
    },
  )

  await t.test('a key file that other users may read', async () => {
    await chmod(join(instance.folder, 'keys.json'), 0o644)
    assert.ok((await findings(instance)).found('warning', /can be read by other users/))
    await chmod(join(instance.folder, 'keys.json'), 0o600)
  })

  await t.test('a missing key file is not created anew', async () => {
    await rm(join(instance.folder, 'keys.json'))
    for (let time = 0; time < 2; time += 1) {
      const { code, found } = await findings(instance)
      assert.ok(found('problem', /key file .* does not exist/))
      assert.equal(code, 1)
    }
  })
})

test('for a database without tables the remedy is to migrate', async () => {
  await using instance = await openTestInstance({ empty: true })
  const { code, all } = await findings(instance)
  assert.equal(code, 1)
  assert.match(all.find(({ subject }) => subject === 'schema')?.remedy ?? '', /migrate/)
})

test('an unreachable database and an invalid configuration are problems, too', async () => {
  const unreachable = await runGatehouse(['doctor'], {
    environment: { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', PORT: '0' },
  })
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.out, /PROBLEM {2}database +No database server listens at this address/)
  const faulty = await runGatehouse(['doctor'], { environment: { PORT: 'x' } })
  assert.equal(faulty.code, 1)
  assert.match(faulty.out, /PROBLEM {2}configuration/)
})
