import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emailSubject } from '#server/panel/access/lock-out.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'shop', '--title', 'Shop')
})
after(() => instance[Symbol.asyncDispose]())

describe('users', () => {
  test('the first owner is created here, with a password that is shown once', async () => {
    const { json, err } = await instance.do(
      'user',
      'create',
      'Ann@Example.com',
      '--name',
      'Ann',
      '--all-merchants',
      '--json',
    )
    assert.equal(json.email, 'ann@example.com')
    assert.equal(json.role, 'owner')
    assert.match(json.password, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
    assert.match(err, /not shown again/)
    const { out } = await instance.do('user', 'list')
    assert.match(out, /ann@example\.com/)
    assert.ok(!out.includes(json.password))
  })

  test('an e-mail address belongs to one user', async () => {
    const { code, err } = await instance.run(['user', 'create', 'ANN@example.com', '--all-merchants'])
    assert.equal(code, 1)
    assert.match(err, /This e-mail address is already in use/)
  })

  test('all merchants have to be asked for, whatever the role, and not together with some', async () => {
    for (const more of [[], ['--merchant', 'shop', '--all-merchants'], ['--role', 'support']]) {
      const { code, err } = await instance.run(['user', 'create', 'dan@example.com', ...more])
      assert.equal(code, 1)
      assert.match(err, /Give either --merchant or --all-merchants/)
    }
    const { json } = await instance.do(
      'user',
      'create',
      'dan@example.com',
      '--role',
      'support',
      '--all-merchants',
      '--json',
    )
    assert.equal(json.merchants, 'all')
  })

  test('users of a merchant are restricted to that merchant', async () => {
    const asMerchant = ['user', 'create', 'bob@example.com', '--role', 'merchant-admin']
    const { code, err } = await instance.run([...asMerchant, '--all-merchants'])
    assert.equal(code, 1)
    assert.match(err, /merchants/)
    const { json } = await instance.do(
      'user',
      'create',
      'bob@example.com',
      '--role',
      'merchant-admin',
      '--merchant',
      'shop',
      '--json',
    )
    assert.deepEqual(json.merchants, ['shop'])
  })

  test('an unknown role is refused', async () => {
    const { code, err } = await instance.run(['user', 'create', 'eve@example.com', '--role', 'king', '--all-merchants'])
    assert.equal(code, 1)
    assert.match(err, /Unknown role\. Use owner, .*merchant-viewer/)
  })

  test('the last owner cannot be disabled; one of several can', async () => {
    const { code, err } = await instance.run(['user', 'disable', 'ann@example.com'])
    assert.equal(code, 1)
    assert.match(err, /last owner/)
    await instance.do('user', 'create', 'cyd@example.com', '--all-merchants')
    assert.match((await instance.do('user', 'disable', 'ann@example.com')).out, /disabled/)
    assert.match((await instance.do('user', 'enable', 'ann@example.com')).out, /active/)
  })

  test('a new password replaces the old one', async () => {
    const first = await instance.do('user', 'reset-password', 'ann@example.com', '--json')
    const second = await instance.do('user', 'reset-password', 'ann@example.com', '--without-factors', '--json')
    assert.notEqual(first.json.password, second.json.password)
  })
})

describe('recovery', () => {
  test('PCI DSS 8.4: a lost second factor is reset, and the audit log records it', async () => {
    const { pool } = instance.database
    await pool.query(`update users set totp_sealed = 'x', totp_enabled_at = now() where email = 'ann@example.com'`)
    const { rows } = await pool.query(`select id from users where email = 'ann@example.com'`)
    assert.match(
      (await instance.do('user', 'reset-factor', 'ann@example.com')).out,
      /The second factor of .* is removed/,
    )
    const after = await pool.query(`select totp_sealed, totp_enabled_at from users where email = 'ann@example.com'`)
    assert.deepEqual(after.rows, [{ totp_sealed: null, totp_enabled_at: null }])
    const entry = await pool.query(`select actor from audit_log where action = 'user.reset-factor' and subject = $1`, [
      `user ${rows[0].id}`,
    ])
    assert.match(entry.rows[0].actor, /^command line/)
  })

  test('PCI DSS 8.3.4: a locked account and a locked network address are unlocked', async () => {
    const { pool } = instance.database
    const subject = emailSubject('ann@example.com')
    await pool.query(
      `insert into sign_in_failures (subject, failures, last_at, locked_until)
       values ($1, 10, now(), now() + interval '30 minutes'), ('address 203.0.113.9', 30, now(), now() + interval '30 minutes')`,
      [subject],
    )
    const listed = (await instance.do('user', 'list', '--json')).json
    assert.ok(listed.find(({ email }: { email: string }) => email === 'ann@example.com').locked_until)
    const { out } = await instance.do('user', 'unlock', 'ann@example.com', '--address', '203.0.113.9')
    assert.match(out, /can sign in again/)
    assert.deepEqual((await pool.query('select subject from sign_in_failures')).rows, [])
    assert.match((await instance.do('user', 'unlock', 'ann@example.com')).out, /was not locked out/)
  })
})

describe('the audit log', () => {
  test('it records what was done here, verifies in the database, and verifies as an export', async () => {
    const verified = await instance.do('audit', 'verify', '--json')
    assert.ok(verified.json.entries >= 6)
    assert.deepEqual(verified.json.faults, [])
    const exported = await instance.do('audit', 'export')
    assert.match(exported.out, /"action":"user\.create"/)
    const offline = await instance.run(['audit', 'verify', '-', '--json'], { input: `${exported.out}\n` })
    assert.equal(offline.code, 0)
    assert.equal(offline.json.entries, verified.json.entries + 1, 'the export is an entry itself')
    assert.equal(offline.json.head, (await instance.do('audit', 'verify', '--json')).json.head)
  })

  test('one changed character of an export is detected, and so is a missing line', async () => {
    const { out } = await instance.do('audit', 'export')
    const empty = await instance.run(['audit', 'verify', '-'], { input: '' })
    assert.deepEqual([empty.code, /has no entry/.test(empty.err)], [1, true])
    const changed = await instance.run(['audit', 'verify', '-'], { input: out.replace('user.create', 'user.creatf') })
    assert.equal(changed.code, 1)
    assert.match(changed.out, /Entry 2 was changed/)
    const [first = '', ...rest] = out.split('\n')
    const shorter = await instance.run(['audit', 'verify', '-'], { input: [first, ...rest.slice(1)].join('\n') })
    assert.equal(shorter.code, 1)
    assert.match(shorter.out, /entries are missing/)
  })

  test('missing entries at the end are detected with a hash that was noted earlier', async () => {
    const { out } = await instance.do('audit', 'export')
    const { head } = (await instance.do('audit', 'verify', '--json')).json
    const cut = out.split('\n').slice(0, -1).join('\n')
    assert.equal((await instance.run(['audit', 'verify', '-'], { input: cut })).code, 0)
    const noticed = await instance.run(['audit', 'verify', '-', '--contains', head], { input: cut })
    assert.equal(noticed.code, 1)
    assert.match(noticed.out, /is missing/)
  })
})
