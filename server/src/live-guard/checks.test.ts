import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultMapping } from '#domain/mapping.ts'
import { readConfig } from '#server/process/config.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { addressFault } from '../network/acquirer-address.ts'
import { liveFindings } from './checks.ts'
import { unencryptedHost } from './database-url.ts'
import { midFault, payoutFault } from './entry.ts'
import type { LiveFacts } from './facts.ts'
import { guardStart } from './start.ts'

const sound = {
  GATEHOUSE_MODE: 'live',
  GATEHOUSE_KEYS: '{}',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://db.example.com/gatehouse?sslmode=verify-full',
}
const server = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
  plain_client: '',
}
const mid = { name: 'main', mode: 'live', connector: 'acme', addresses: ['https://api.acme.example'] } as const

function facts(settings: Readonly<Record<string, string>> = {}, more: Partial<LiveFacts> = {}): LiveFacts {
  return { config: readConfig('all', { ...sound, ...settings }), server, mids: [mid], mappings: [], ...more }
}

test('a sound live instance has no finding and starts', () => {
  assert.deepEqual(liveFindings(facts()), [])
  assert.deepEqual(guardStart(facts()), [])
})

describe('each finding has its sentence and its remedy', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [id: string, found: LiveFacts, sentence: RegExp, start: 'refused' | 'told'])[] = [
    ['sandbox-connector', facts({}, { mids: [{ ...mid, connector: 'sandbox' }] }),                  /live MID "main" uses the sandbox connector/, 'told'],
    ['acquirer-address',  facts({}, { mids: [{ ...mid, addresses: ['http://api.acme.example'] }] }),     /MID "main" must not be used\. It is plain http/, 'told'],
    ['acquirer-address',  facts({}, { mids: [{ ...mid, addresses: ['https://127.0.0.1:9000'] }] }),      /It is a private address \(loopback\)/, 'told'],
    ['mpi-address',       facts({ MPI_URL: 'http://mpi.example.com', MPI_TOKEN: 't' }),              /MPI_URL must not be used\. It is plain http/, 'refused'],
    ['mpi-address',       facts({ MPI_URL: 'https://10.1.2.3', MPI_TOKEN: 't' }),                    /MPI_URL must not be used\. It is a private/, 'refused'],
    ['base-url',          facts({ BASE_URL: '' }),                                                   /BASE_URL is not set/, 'refused'],
    ['base-url',          facts({ BASE_URL: 'http://pay.example.com' }),                             /BASE_URL is plain http/, 'refused'],
    ['database-tls',      facts({ DATABASE_URL: 'postgres://db.example.com/gatehouse' }),            /database on db\.example\.com is not encrypted/, 'refused'],
    ['database-tls',      facts({ DATABASE_READ_URL: 'postgres://standby.example.com/x' }),         /database on standby\.example\.com is not encrypted/, 'refused'],
    ['database-fsync',    facts({}, { server: { ...server, fsync: 'off' } }),                        /fsync = off/, 'refused'],
    ['database-fsync',    facts({}, { server: { ...server, full_page_writes: 'off' } }),             /full_page_writes = off/, 'refused'],
    ['database-commit',   facts({}, { server: { ...server, synchronous_commit: 'off' } }),           /synchronous_commit = off/, 'told'],
    ['database-commit',   facts({}, { server: { ...server, synchronous_commit: 'local', synchronous_standby_names: 'b' } }), /synchronous_commit = local/, 'told'],
    ['embedded-database', facts({ DATABASE_URL: '' }),                                               /embedded database, which has no backups/, 'told'],
  ]
  for (const [id, found, sentence, start] of cases) {
    test(`${id}: ${sentence.source}`, () => {
      const findings = liveFindings(found)
      assert.deepEqual(
        findings.map((one) => [one.id, one.severity]),
        [[id, 'red']],
      )
      assert.match(findings[0]?.sentence ?? '', sentence)
      assert.ok((findings[0]?.remedy.length ?? 0) > 20)
      if (start === 'told') assert.equal(guardStart(found).length, 1)
      else
        assert.throws(
          () => guardStart(found),
          (error) => error instanceof StartupError && sentence.test(error.message),
        )
    })
  }
})

test('a proxy of this machine that leads elsewhere without TLS is reported, unless the network is encrypted', () => {
  const behindProxy = { server: { ...server, plain_client: '10.0.7.20' } }
  const local = { DATABASE_URL: 'postgres://127.0.0.1:5000/gatehouse' }
  const [finding, ...more] = liveFindings(facts(local, behindProxy))
  assert.deepEqual([finding?.id, finding?.severity, more.length], ['database-proxy', 'amber', 0])
  assert.match(finding?.sentence ?? '', /unencrypted from another machine, 10\.0\.7\.20/)
  assert.equal(guardStart(facts(local, behindProxy)).length, 1)
  assert.deepEqual(liveFindings(facts({ ...local, ALLOW_PLAIN_DATABASE: 'true' }, behindProxy)), [])
  assert.deepEqual(liveFindings(facts(local)), [])
})

describe('payouts that only the hash protects', () => {
  const open = { payouts: true, requestSignature: 'hash' } as const
  const anywhere: { readonly name: string; readonly allowedIps: readonly string[] } = { name: 'acme', allowedIps: [] }
  const listed = { name: 'acme', allowedIps: ['203.0.113.7'] }

  test('are reported with what to do, unless addresses are listed or signed requests required', () => {
    const mappings = (merchant: typeof anywhere | typeof listed, options: object) => [
      { merchant, mapping: { ...defaultMapping('CHECKOUT'), ...open, ...options } },
    ]
    const [finding, ...more] = liveFindings(facts({}, { mappings: mappings(anywhere, {}) }))
    assert.deepEqual([finding?.id, finding?.severity, more.length], ['open-payouts', 'amber', 0])
    assert.match(finding?.sentence ?? '', /"acme" may pay out on CHECKOUT with the hash alone/)
    assert.match(finding?.remedy ?? '', /allowed addresses, or set requestSignature to required/)
    for (const [merchant, options] of [
      [listed, {}],
      [anywhere, { payouts: false }],
      [anywhere, { requestSignature: 'required' }],
    ] as const)
      assert.deepEqual(liveFindings(facts({}, { mappings: mappings(merchant, options) })), [])
  })

  test('are not switched on in a live instance, and stay on where they were', () => {
    const off = { payouts: false }
    assert.match(payoutFault('live', anywhere, { before: off, after: open }) ?? '', /needs more than the hash/)
    assert.match(payoutFault('live', anywhere, { before: undefined, after: open }) ?? '', /needs more than the hash/)
    const signed = { payouts: true, requestSignature: 'required' }
    assert.match(payoutFault('live', anywhere, { before: signed, after: open }) ?? '', /needs more than the hash/)
    assert.equal(payoutFault('live', anywhere, { before: off, after: signed }), null)
    assert.equal(payoutFault('live', listed, { before: off, after: open }), null)
    assert.equal(payoutFault('live', anywhere, { before: open, after: open }), null)
    assert.equal(payoutFault('sandbox', anywhere, { before: off, after: open }), null)
  })
})

test('session updates by the token alone are reported, unless addresses are listed or signed requests required', () => {
  const found = (allowedIps: readonly string[], options: object) =>
    liveFindings(
      facts(
        {},
        {
          mappings: [
            {
              merchant: { name: 'acme', allowedIps },
              mapping: { ...defaultMapping('CHECKOUT'), sessionUpdate: 'token', ...options },
            },
          ],
        },
      ),
    )
  const [finding] = found([], {})
  assert.deepEqual([finding?.id, finding?.severity], ['open-session-updates', 'amber'])
  assert.match(finding?.sentence ?? '', /"acme" may change its amount/)
  assert.deepEqual(found([], { sessionUpdate: 'listed-or-signed' }), [])
  assert.deepEqual(found(['203.0.113.7'], {}), [])
  assert.deepEqual(found([], { requestSignature: 'required' }), [])
})

test('several reasons against a start are reported together', () => {
  const found = facts({ BASE_URL: '' }, { server: { ...server, fsync: 'off' } })
  assert.throws(() => guardStart(found), /BASE_URL is not set[\s\S]*fsync = off/)
})

test('a sandbox is not checked', () => {
  const config = readConfig('all', { DATABASE_URL: 'postgres://db.example.com/gatehouse' })
  const found = { config, server: { ...server, fsync: 'off' }, mids: [{ ...mid, connector: 'sandbox' }], mappings: [] }
  assert.deepEqual(liveFindings(found), [])
})

test('a private connection is allowed by listing it, and plain http only on this machine', () => {
  const { privateAcquirers: allowed } = readConfig('all', {
    ALLOW_PRIVATE_ACQUIRERS: 'acquirer.internal, 10.1.0.0/16, 127.0.0.1',
  })
  assert.equal(addressFault('https://acquirer.internal/v1', allowed), null)
  assert.equal(addressFault('https://10.1.2.3', allowed), null)
  assert.match(addressFault('https://10.2.0.1', allowed) ?? '', /private/)
  assert.match(addressFault('http://10.1.2.3', allowed) ?? '', /plain http/)
  assert.equal(addressFault('http://127.0.0.1:8443', allowed), null)
  assert.match(addressFault('http://[::1]:8443', allowed) ?? '', /plain http/)
  assert.match(
    addressFault('https://localhost', { ...allowed, ranges: { isEmpty: true, includes: () => false } }) ?? '',
    /loopback/,
  )
  assert.match(addressFault('https://169.254.169.254/latest', allowed) ?? '', /private/)
})

test('a line has the rules of an address: TLS, or plain TCP to a listed tunnel on this machine', () => {
  const { privateAcquirers: allowed } = readConfig('all', { ALLOW_PRIVATE_ACQUIRERS: '10.1.0.0/16, 127.0.0.1' })
  assert.equal(addressFault('tls://host.acquirer.example:8583', allowed), null)
  assert.equal(addressFault('tls://10.1.2.3:8583', allowed), null)
  assert.match(addressFault('tls://10.2.0.1:8583', allowed) ?? '', /private/)
  assert.match(
    addressFault('tls://0x7f.1:8583', { ...allowed, ranges: { isEmpty: true, includes: () => false } }) ?? '',
    /loopback/,
  )
  assert.match(addressFault('tcp://host.acquirer.example:8583', allowed) ?? '', /plain TCP/)
  assert.match(addressFault('tcp://10.1.2.3:8583', allowed) ?? '', /plain TCP/)
  assert.equal(addressFault('tcp://127.0.0.1:8583', allowed), null)
})

test('a database connection is unsafe unless it is encrypted or local', () => {
  for (const safe of [
    'postgres:///gatehouse?host=/run/postgresql',
    'postgres://user@/gatehouse?host=/tmp/x',
    'postgres://localhost/gatehouse',
    'postgres://u:p@127.0.0.1:5432/gatehouse',
    'postgres://db/gatehouse?sslmode=require',
    'postgres://db/gatehouse?ssl=true',
  ])
    assert.equal(unencryptedHost(safe), null, safe)
  for (const plain of [
    'postgres://u:p@db/gatehouse',
    'postgres://db/gatehouse?sslmode=disable',
    'postgres://db/gatehouse?sslmode=prefer',
    'postgres://10.0.0.5/gatehouse',
  ])
    assert.ok(unencryptedHost(plain) !== null, plain)
})

test('a MID that a live instance refuses is accepted by a sandbox', () => {
  const { privateAcquirers } = readConfig('all', {})
  const live = { instanceMode: 'live', privateAcquirers } as const
  const entered = { mode: 'live', connector: 'sandbox', enabled: true, addresses: ['http://127.0.0.1:4000'] } as const
  assert.equal(midFault({ ...live, instanceMode: 'sandbox' }, entered), null)
  assert.equal(midFault(live, entered)?.field, 'connector')
  assert.equal(midFault(live, { ...entered, enabled: false })?.field, 'credentials.base_url')
  assert.equal(midFault(live, { ...entered, mode: 'test', addresses: ['https://sandbox.example.com'] }), null)
  assert.equal(midFault(live, { ...entered, connector: 'acme', addresses: ['https://api.acme.example'] }), null)
})
