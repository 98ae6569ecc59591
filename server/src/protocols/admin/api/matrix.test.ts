/**
 * Every endpoint against every role, for the caller's own merchant and for another one. What is expected stands in
 * docs/operations/panel-access.md, which is written by hand; what is observed comes over HTTP. Changes are sent with a body that no endpoint
 * takes, so that one that is allowed answers 422 and nothing is changed.
 *
 * One function admits callers to all endpoints. `npm test` therefore compares every role's permissions with the table, and asks each endpoint
 * over HTTP as one person of every kind: allowed and refused, restricted to a merchant and not. `npm run test:full` asks as everybody.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { isFullRun } from '../../../../../tools/testing/full-run.ts'
import { accessTable, isAllowed } from '../../../../test/panel/access-table.ts'
import { merchantId, PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { createEntities } from '../../../../test/panel/admin-entities.ts'
import { insertExportSchedule } from '../../../../test/panel/export-schedule.ts'
import { type Answer, openShop, type Shop } from '../../../../test/shop.ts'
import { may, type Permission, permissionsOfRole } from '../../../panel/access/permissions.ts'
import { roleStore } from '../../../store/people/roles.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'

const table = accessTable()
const nameOfEndpoint = ({ method, path }: Endpoint): string => `${method} ${path}`

const merchantRoles = ['merchant-admin', 'merchant-viewer']
const platformRoles = ['owner', 'operator', 'support', 'finance', 'developer', 'auditor']
/** A role of the operator's own, with what it may call written down here. */
const customRole = {
  role: 'help-desk',
  permissions: ['payments.read', 'callbacks.resend'],
  mayCall: new Set([
    'GET /payments',
    'GET /merchants/:merchantId/payments/:paymentId',
    'GET /merchants/:merchantId/payments/:paymentId/routing',
    'GET /merchants/:merchantId/payments/:paymentId/notes',
    'GET /merchants/:merchantId/payments/:paymentId/payer',
    'GET /unresolved',
    'GET /refused-requests',
    'GET /disputes',
    'GET /reviews',
    'GET /payment-links',
    'GET /merchants/:merchantId/payment-links/:linkId',
    'GET /merchants/:merchantId/disputes/:disputeId',
    'GET /merchants/:merchantId/disputes/:disputeId/files/:fileId',
    'GET /merchants/:merchantId/disputes/:disputeId/bundle',
    'GET /captures',
    'GET /captures/totals',
    'POST /merchants/:merchantId/callbacks/:callbackId/resend',
    'POST /merchants/:merchantId/callbacks/resend',
    'POST /merchants/:merchantId/callbacks/resend/work',
    'POST /callbacks/resend/work',
    'POST /merchants/:merchantId/unblock',
    'POST /blocked-addresses/unblock',
  ]),
}
interface Person {
  readonly role: string
  readonly scoped: boolean
}

/** Those of the platform are also tried by people who are restricted to one merchant. */
const people: readonly Person[] = [
  ...[...platformRoles, customRole.role].map((role) => ({ role, scoped: false })),
  ...[...platformRoles, ...merchantRoles, customRole.role].map((role) => ({ role, scoped: true })),
]

let shop: Shop
let own = ''
let other: string
let browsers: Map<string, PanelClient>
let foreignWords: readonly string[]
let paramsOf: Awaited<ReturnType<typeof createEntities>>

before(async () => {
  shop = await openShop({}, ['back office'])
  own = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
  const { role: name, permissions } = customRole
  await roleStore(shop.base.pool).put({ name, title: 'Help desk', permissions }, shop.base.clock.now())
  browsers = new Map()
  for (const { role, scoped } of people) {
    const rights = scoped ? { role, allMerchants: false, merchantIds: [own] } : { role }
    browsers.set(nameOf(role, scoped), await panelOf(shop, rights))
  }
  paramsOf = await createEntities(shop, [own, other])
  foreignWords = await wordsOf(other)
})
after(() => shop[Symbol.asyncDispose]())

const nameOf = (role: string, scoped: boolean): string => (scoped ? `${role} of one merchant` : role)

function ask(
  browser: PanelClient,
  { method, path }: Endpoint,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()))
  return browser.send(method, address, [])
}

/** What belongs to a person, and not to a merchant. */
async function ownThings(browser: PanelClient, path: string): Promise<Readonly<Record<string, string>>> {
  if (path.includes(':workId')) return { workId: await workOf(browser) }
  if (path.includes(':exportScheduleId')) return insertExportSchedule(shop, await userOf(browser))
  if (!path.includes(':exportId')) return {}
  const { body } = await browser.post('/exports', { filter: {} })
  return { exportId: body.id ?? randomUUID() }
}

const userOf = async (browser: PanelClient): Promise<string> => (await browser.get('/session')).body.user.id

async function workOf(browser: PanelClient): Promise<string> {
  const id = randomUUID()
  await shop.base.pool.query(
    `insert into long_work (user_id, id, kind, request, state, total, created_at, ended_at)
     values ($1, $2, 'resend', '{}', 'done', 0, now(), now())`,
    [await userOf(browser), id],
  )
  return id
}

/** An error without the one member that tells requests apart. */
const withoutRequestId = ({ http, body }: Answer) => ({ http, error: { ...body?.error, requestId: '' } })

test('every endpoint has its row in docs/operations/panel-access.md, and every row its endpoint', () => {
  const served = endpoints.map(nameOfEndpoint)
  assert.deepEqual(
    served.filter((name) => !table.has(name)),
    [],
    'write down who may call them',
  )
  assert.deepEqual(
    [...table.keys()].filter((name) => !served.includes(name)),
    [],
    'these are no longer served',
  )
})

test('what the permissions of each role grant is what docs/operations/panel-access.md says', () => {
  for (const endpoint of endpoints) {
    const { access } = endpoint
    if (access === 'open') continue
    for (const { role, scoped } of people) {
      const granted: boolean = access === 'signed-in' || isGranted(access, { role, scoped })
      assert.equal(
        granted ? 'allowed' : 'refused',
        expectation(endpoint, role, scoped),
        `${nameOfEndpoint(endpoint)} as ${nameOf(role, scoped)}`,
      )
    }
  }
})

function isGranted(access: Permission, { role, scoped }: Person): boolean {
  const permissions = permissionsOfRole(role, role === customRole.role ? customRole.permissions : null)
  return may({ permissions, merchants: scoped ? new Set([own]) : 'all' }, access)
}

/** Another one of each kind from endpoint to endpoint, so that everybody asks many of them. */
function callersOf(endpoint: Endpoint, index: number): readonly Person[] {
  if (isFullRun) return people
  const kinds = Map.groupBy(people, ({ role, scoped }) => `${expectation(endpoint, role, scoped)} ${scoped}`)
  return [...kinds.values()].flatMap((alike) => alike[index % alike.length] ?? [])
}

for (const [index, endpoint] of endpoints.entries()) {
  const { method, path } = endpoint
  const row = table.get(nameOfEndpoint(endpoint))
  if (row?.whose === 'anyone') continue

  describe(`${method} ${path}`, () => {
    test('nobody gets in without a session', async () => {
      const answer = await ask(new PanelClient(shop.url), endpoint, paramsOf(own))
      assert.equal(answer.http, 401)
      assert.deepEqual(Object.keys(answer.body), ['error'])
    })

    for (const { role, scoped } of callersOf(endpoint, index)) {
      test(`${nameOf(role, scoped)}: ${expectation(endpoint, role, scoped)}`, async () => {
        const browser = browsers.get(nameOf(role, scoped))
        assert.ok(browser)
        const answer = await ask(browser, endpoint, { ...paramsOf(own), ...(await ownThings(browser, path)) })
        if (expectation(endpoint, role, scoped) === 'refused') {
          assert.equal(withoutRequestId(answer).error.code, 'forbidden')
          assert.equal(answer.http, 403)
          return
        }
        assert.equal(answer.http, method === 'GET' ? 200 : 422, answer.text)
        if (scoped) for (const word of foreignWords) assert.ok(!answer.text.includes(word), word)
        if (path.includes(':merchantId') && scoped) {
          const foreign = await ask(browser, endpoint, paramsOf(other))
          const unknown = await ask(browser, endpoint, paramsOf(randomUUID()))
          assert.equal(foreign.http, 404)
          assert.deepEqual(
            withoutRequestId(foreign),
            withoutRequestId(unknown),
            'another’s merchant looks like none at all',
          )
        }
      })
    }
  })
}

function expectation(endpoint: Endpoint, role: string, scoped: boolean): 'allowed' | 'refused' {
  const name = nameOfEndpoint(endpoint)
  const row = table.get(name)
  if (!row) return 'refused'
  const allowed =
    role === customRole.role ? row.whose === 'oneself' || customRole.mayCall.has(name) : isAllowed(row, role, scoped)
  return allowed ? 'allowed' : 'refused'
}

/** What must not be read by people of another merchant. */
async function wordsOf(id: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query('select id, name, key, test_key from merchants where id = $1', [id])
  const { rows: payments } = await shop.base.pool.query('select id from payments where merchant_id = $1', [id])
  return [...Object.values(rows[0] as object), ...payments.map((payment) => payment.id)].map((word) =>
    word === 'demo-dms' ? '"demo-dms"' : String(word),
  )
}
