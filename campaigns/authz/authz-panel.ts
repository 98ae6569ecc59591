/** The panel's part: which role may call which endpoint, and what users of one merchant can read or change of another's data. */
import { randomUUID } from 'node:crypto'
import type { Endpoint } from '#server/protocols/admin/api/endpoint.ts'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { type AccessRow, accessTable, isAllowed } from '../../server/test/panel/access-table.ts'
import { type PanelClient, panelOf } from '../../server/test/panel/admin.ts'
import type { Params } from '../../server/test/panel/admin-entities.ts'
import type { Answer } from '../../server/test/shop.ts'
import type { Findings } from '../campaign.ts'
import { type AuthzScene, changedTables } from './authz-scene.ts'
import { bodyOf, namesEntity } from './foreign-requests.ts'

/** A short run takes only the first ones: with the most permissions for a single merchant, they can try the most on another's data. */
const people = [
  { role: 'merchant-admin', scoped: true },
  { role: 'owner', scoped: true },
  ...['operator', 'support', 'finance', 'developer', 'auditor', 'merchant-viewer'].map((role) => ({
    role,
    scoped: true,
  })),
  ...['owner', 'operator', 'support', 'finance', 'developer', 'auditor'].map((role) => ({ role, scoped: false })),
]

interface Tally {
  cells: number
  readonly letIn: string[]
  readonly refused: string[]
  readonly leaks: string[]
  readonly changes: string[]
  readonly unjudged: string[]
}

export async function tryPanel(scene: AuthzScene, roles: number): Promise<Findings> {
  const table = accessTable()
  const tally: Tally = { cells: 0, letIn: [], refused: [], leaks: [], changes: [], unjudged: [] }
  let before = await scene.state()
  for (const person of people.slice(0, roles)) {
    const rights = person.scoped ? { allMerchants: false, merchantIds: [scene.own['merchantId'] ?? ''] } : {}
    const browser = await panelOf(scene.shop, { role: person.role, ...rights })
    for (const endpoint of endpoints) {
      const row = table.get(nameOf(endpoint))
      if (!row) tally.unjudged.push(`${nameOf(endpoint)} has no row in docs/operations/panel-access.md.`)
      else if (row.whose !== 'anyone') await tryEndpoint({ scene, browser, endpoint, row, ...person }, tally)
    }
    await scene.shop.service.awaitIdle()
    const after = await scene.state()
    for (const name of changedTables(before, after)) tally.changes.push(`${titleOf(person)} changed ${name}`)
    before = after
  }
  return findingsOf(tally)
}

interface Cell {
  readonly scene: AuthzScene
  readonly browser: PanelClient
  readonly endpoint: Endpoint
  readonly row: AccessRow
  readonly role: string
  readonly scoped: boolean
}

async function tryEndpoint(cell: Cell, tally: Tally): Promise<void> {
  const { scene, browser, endpoint, row, role, scoped } = cell
  const title = `${titleOf(cell)}: ${nameOf(endpoint)}`
  // No endpoint accepts a list as its body, so an allowed change is refused for that reason.
  const own = await callEndpoint(browser, endpoint, scene.own, [])
  tally.cells += 1
  if (own.http >= 500) tally.unjudged.push(`${title}: ${own.http}`)
  const isIn = own.http !== 403
  if (isIn && !isAllowed(row, role, scoped)) tally.letIn.push(`${title}: ${own.http}`)
  if (!isIn && isAllowed(row, role, scoped)) tally.refused.push(`${title}: ${own.text}`)
  if (!scoped) return
  if (scene.secretTexts.some((word) => own.text.includes(word)))
    tally.leaks.push(`${title} discloses data of another merchant`)

  for (const [how, params] of foreignParams(cell)) {
    const answer = await callEndpoint(browser, endpoint, params, bodyOf(endpoint))
    tally.cells += 1
    if (answer.http < 400) tally.leaks.push(`${title} with ${how}: ${answer.text.slice(0, 200)}`)
    if (scene.secretTexts.some((word) => answer.text.includes(word)))
      tally.leaks.push(`${title} with ${how} reveals the victim’s texts`)
    if (answer.http === 422 && how === 'another’s entity') tally.unjudged.push(`${title}: ${answer.text.slice(0, 200)}`)
  }
}

/** The other merchant with its entities, and the user's own merchant with the other one's entities. */
function foreignParams({ scene, endpoint: { path } }: Cell): readonly (readonly [how: string, params: Params])[] {
  const named = [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? [])
  return [
    ...(named.includes('merchantId') ? [['another’s merchant', scene.foreign] as const] : []),
    ...(namesEntity(path)
      ? [['another’s entity', { ...scene.foreign, merchantId: scene.own['merchantId'] ?? '' }] as const]
      : []),
  ]
}

function callEndpoint(
  browser: PanelClient,
  { method, path }: Endpoint,
  params: Params,
  body: unknown,
): Promise<Answer> {
  return browser.send(
    method,
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID())),
    body,
  )
}

function findingsOf({ cells, letIn, refused, leaks, changes, unjudged }: Tally): Findings {
  return {
    figures: [
      { name: 'cells of the panel', value: cells },
      { name: 'wrongly allowed', value: letIn.length, must: 0 },
      { name: 'wrongly refused', value: refused.length, must: 0 },
      { name: 'disclosed of another merchant', value: leaks.length, must: 0 },
      { name: 'changed at another merchant', value: changes.length, must: 0 },
      { name: 'cells that could not be judged', value: unjudged.length, must: 0 },
    ],
    faults: [...letIn, ...refused, ...leaks, ...changes, ...unjudged],
  }
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const titleOf = ({ role, scoped }: { readonly role: string; readonly scoped: boolean }): string =>
  scoped ? `${role} of one merchant` : role
