/** The doctor's findings about the panel and the hosts of forms: against a running service, and against prepared network answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { type Config, readConfig } from '#server/process/config.ts'
import { portOf as portOfServer } from '../../server/test/hosts/port-of.ts'
import { openShop } from '../../server/test/shop.ts'
import type { Finding } from './finding.ts'
import { checkForms } from './forms.ts'
import { checkPanel } from './panel.ts'
import { type Reach, type Reached, reach } from './reach.ts'

const shop = await openShop({ ADMIN_PORT: '0' })
after(() => shop[Symbol.asyncDispose]())
const { pool } = shop.base
const portOf = (url: string): number => Number(new URL(url).port)
const adminUrl = await shop.service.adminApp?.listen({ host: '127.0.0.1', port: 0 })
assert.ok(adminUrl)

const live = { GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}', HOST: '127.0.0.1', BASE_URL: 'https://pay.example' }
const configOf = (settings: Readonly<Record<string, string>>): Config =>
  readConfig('api', { ...live, PORT: String(portOf(shop.url)), ADMIN_PORT: String(portOf(adminUrl)), ...settings })

/** A network in which every address gives the given answer. */
const networkAnswering = (answer: (path: string) => Reached, resolves = true): Reach => ({
  isResolvable: async () => resolves,
  ask: async (url) => answer(new URL(url).pathname),
})

const assertFinding = (findings: readonly Finding[], level: Finding['level'], text: RegExp): void => {
  const found = findings.find((one) => one.level === level && text.test(one.text))
  assert.ok(found, JSON.stringify(findings, null, 1))
  if (level !== 'ok') assert.ok(found.remedy)
}

describe('the panel', () => {
  test('is found at its address', async () => {
    assertFinding(
      await checkPanel(configOf({ ADMIN_URL: adminUrl }), reach),
      'ok',
      /Available at http:\/\/127\.0\.0\.1/,
    )
  })

  test('at an address that does not answer is a problem, and the proxy is named', async () => {
    const findings = await checkPanel(configOf({ ADMIN_URL: 'http://127.0.0.1:9' }), reach)
    assertFinding(findings, 'problem', /The panel cannot be reached at http:\/\/127\.0\.0\.1:9: /)
    assert.match(findings.at(-1)?.remedy ?? '', /Configure the proxy .* to forward requests to 127\.0\.0\.1:\d+/)
  })

  test('is a problem if something else answers at its address', async () => {
    const payments = await checkPanel(
      configOf({ ADMIN_URL: 'https://panel.example' }),
      networkAnswering(() => ({ ok: true, status: 404, body: '' })),
    )
    assertFinding(payments, 'problem', /A different service answers at https:\/\/panel\.example \(404\)/)
  })

  test('is a problem at the address of payments, as at start-up', async () => {
    assertFinding(
      await checkPanel(configOf({ ADMIN_URL: 'https://pay.example' }), reach),
      'problem',
      /both https:\/\/pay\.example/,
    )
  })

  test('is a problem if another program uses its port', async () => {
    const other = portOf(shop.sandbox.url)
    const findings = await checkPanel(configOf({ ADMIN_PORT: String(other) }), reach)
    assertFinding(findings, 'problem', /is used by another program/)
    assert.equal(findings.length, 1)
  })

  test('is a problem of its own if the program on its port does not answer in time', async () => {
    const silent = createServer(() => undefined)
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    try {
      const findings = await checkPanel(configOf({ ADMIN_PORT: String(portOfServer(silent)) }), reach)
      assertFinding(findings, 'problem', /does not answer within 2 s/)
    } finally {
      silent.close()
      silent.closeAllConnections()
    }
  })

  test('without a public address is reported with its local one, and a process without a panel says so', async () => {
    assertFinding(await checkPanel(configOf({}), reach), 'ok', /only on 127\.0\.0\.1:\d+, for example through a tunnel/)
    assertFinding(await checkPanel(configOf({ ADMIN_PORT: 'none' }), reach), 'ok', /does not serve the panel/)
    assertFinding(
      await checkPanel(configOf({ ADMIN_PORT: '65530', ADMIN_URL: 'https://panel.example' }), reach),
      'ok',
      /The address will be/,
    )
  })
})

describe('hosts of forms', () => {
  const forms = (settings: Readonly<Record<string, string>>, network: Reach = reach) =>
    checkForms(configOf(settings), pool, network)
  const FORMS_DOMAIN = 'forms.invalid'

  test('without a DNS entry are a problem, and the remedy is a wildcard name', async () => {
    const findings = await forms({ FORMS_DOMAIN })
    assertFinding(findings, 'problem', /Hosts below forms\.invalid do not resolve/)
    assert.match(findings[0]?.remedy ?? '', /\*\.forms\.invalid/)
  })

  // biome-ignore format: a table is read in columns.
  const answers: readonly (readonly [string, (path: string) => Reached, Finding['level'], RegExp])[] = [
    ['that are not reached',                 () => ({ ok: false, fault: 'certificate has expired' }),                              'problem', /cannot be reached: certificate has expired/],
    ['where something else answers',         () => ({ ok: true, status: 503, body: '' }),                                         'problem', /A different service .* \(503\)/],
    ['where the panel answers',              () => ({ ok: true, status: 200, body: '' }),                                         'problem', /The panel answers at https:\/\/gatehouse-doctor\.forms\.invalid\/admin/],
    ['that show nothing but forms',          (path) => ({ ok: true, status: path === '/admin' ? 404 : 200, body: '' }),           'ok',      /serve only forms/],
  ]
  for (const [what, answer, level, text] of answers)
    test(`${what} are reported as ${level}`, async () => {
      assertFinding(await forms({ FORMS_DOMAIN }, networkAnswering(answer)), level, text)
    })

  test('are not tested while the service is down', async () => {
    const away = networkAnswering(() => ({ ok: true, status: 503, body: '' }))
    assertFinding(
      await forms({ FORMS_DOMAIN, PORT: '65530' }, away),
      'ok',
      /Run the doctor while the service is running/,
    )
  })

  test('on the site of payments, the panel or checkout cause a warning', async () => {
    const network = networkAnswering((path) => ({ ok: true, status: path === '/admin' ? 404 : 200, body: '' }))
    const settings = { FORMS_DOMAIN: 'forms.example.com', BASE_URL: 'https://pay.example.com' }
    assertFinding(await forms(settings, network), 'warning', /on the same site \(example\.com\) as BASE_URL,/)
    const panel = { ...settings, BASE_URL: 'https://pay.example', ADMIN_URL: 'https://panel.example.com' }
    assertFinding(await forms(panel, network), 'warning', /as ADMIN_URL,/)
    const checkout = { ...settings, BASE_URL: 'https://pay.example', CHECKOUT_DOMAIN: 'checkout.example.com' }
    assertFinding(await forms(checkout, network), 'warning', /as CHECKOUT_DOMAIN,/)
    assert.equal((await forms({ FORMS_DOMAIN }, network)).length, 1)
  })

  test('cause a warning if they are not set on a live instance with an approved form; a sandbox has its own', async () => {
    assertFinding(await forms({}), 'warning', /the approved form cannot offer wallets/)
    assertFinding(
      await forms({ GATEHOUSE_MODE: 'sandbox', BASE_URL: 'http://127.0.0.1:1' }),
      'ok',
      /below forms\.localhost/,
    )
    await pool.query("update sdk_forms set state = 'withdrawn'")
    assertFinding(await forms({}), 'ok', /run without an origin of their own and cannot offer wallets/)
  })
})
