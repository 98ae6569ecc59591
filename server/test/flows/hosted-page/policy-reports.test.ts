/** Reports of browsers about violations of a page's policy: stored, counted, bounded, and shown in the panel. Chapter 80 §5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { policyReportStore } from '#server/store/instance/policy-reports.ts'
import { type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let owner: PanelClient
before(async () => {
  shop = await openShop()
  owner = await panelOf(shop)
})
after(() => shop[Symbol.asyncDispose]())

async function report(content: unknown, type = 'application/csp-report'): Promise<number> {
  const request = { method: 'POST', body: JSON.stringify(content), headers: { 'content-type': type } }
  return (await fetch(`${shop.url}/page/v1/report`, request)).status
}

const listed = async () => (await owner.get('/policy-reports')).body.reports

const violation = (over: Readonly<Record<string, string>> = {}) => ({
  'csp-report': {
    'document-uri': 'https://pay.example.com/auth/eyJhbGciOiJSUzI1NiJ9.secret?x=1',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://thief.example/x.js?card=4111',
    'source-file': 'https://pay.example.com/web/checkout-ABC.js?v=1',
    ...over,
  },
})

test('the same violation is one row with its number, and neither tokens nor queries are kept', async () => {
  for (let sent = 0; sent < 3; sent += 1) assert.equal(await report(violation()), 204)
  const [row, ...others] = await listed()
  assert.deepEqual(others, [])
  const { firstAt, lastAt, ...rest } = row
  assert.deepEqual(rest, {
    rule: 'script-src-elem',
    blocked: 'https://thief.example',
    page: 'pay.example.com/auth/',
    source: 'https://pay.example.com/web/checkout-ABC.js',
    reports: 3,
  })
  assert.ok(firstAt <= lastAt)
  const { rows } = await shop.base.pool.query(`select from alerts where kind = 'policy-report'`)
  assert.equal(rows.length, 1, 'Only a violation that was not known raises an alert.')
})

test('the newer form of reports is read, too', async () => {
  const body = {
    documentURL: 'https://pay.example.com/auth/secret',
    effectiveDirective: 'img-src',
    blockedURL: 'inline',
    sourceFile: 'moz-extension://abc/content.js',
  }
  assert.equal(await report([{ type: 'csp-violation', body }], 'application/reports+json'), 204)
  const row = (await listed()).find(({ rule }: { readonly rule: string }) => rule === 'img-src')
  assert.deepEqual([row.blocked, row.page, row.source], ['inline', 'pay.example.com/auth/', 'moz-extension:'])
})

test('what is no report changes nothing and is answered alike', async () => {
  const before = (await listed()).length
  for (const content of [null, [], 'words', { 'csp-report': {} }, violation({ 'effective-directive': '<script>' })])
    assert.equal(await report(content), 204)
  assert.equal((await listed()).length, before)
})

test('the list is bounded: the oldest reports go first, and all of them after their time', async () => {
  const store = policyReportStore(shop.base.pool, shop.base.clock)
  const add = (number: number) =>
    store.add({ rule: 'img-src', blocked: `https://${number}.example`, page: '', source: '' })
  for (let number = 0; number < limits.policyReports.most + 5; number += 1) assert.equal(await add(number), true)
  const rows: readonly { readonly blocked: string }[] = await listed()
  assert.equal(rows.length, limits.policyReports.most)
  assert.ok(!rows.some(({ blocked }) => blocked === 'https://thief.example'))

  await shop.advance(91 * 86_400_000)
  await add(-1)
  assert.deepEqual(
    (await listed()).map(({ blocked }: { readonly blocked: string }) => blocked),
    ['https://-1.example'],
  )
})

test('a flood of reports is dropped after the first ones, and nobody waits for it', async () => {
  const sent = limits.policyReports.burst + 20
  const answers = await Promise.all(
    Array.from({ length: sent }, (_, number) =>
      report(violation({ 'blocked-uri': `https://flood-${number}.example` })),
    ),
  )
  assert.ok(answers.every((status) => status === 204))
  const rows: readonly { readonly blocked: string }[] = await listed()
  const stored = rows.filter(({ blocked }) => blocked.includes('flood')).length
  assert.ok(stored > 0 && stored < sent, `${stored} of ${sent} were stored.`)
})

test('those who may see the health of the system see the list, others do not', async () => {
  assert.equal((await (await panelOf(shop, { role: 'auditor' })).get('/policy-reports')).http, 200)
  assert.equal((await (await panelOf(shop, { role: 'support' })).get('/policy-reports')).http, 403)
})
