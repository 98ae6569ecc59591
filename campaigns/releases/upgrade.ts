/**
 * An upgrade under load: the schema first, while the old release serves; then processes of the new release beside the old ones, which are
 * ended one by one; then the rollback, on the new schema. No request fails, and money and callbacks add up.
 *
 * The old release is the one of `origin.ts`; the new one is this checkout with additional migrations, so that an upgrade from this checkout
 * to itself has something to migrate, too.
 */
import { join } from 'node:path'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import type { Program } from '../stage/program.ts'
import { type ReleaseTree, treeHere, treeOfCommit, treeOfNextRelease } from '../stage/release-tree.ts'
import { isQuiet, until } from '../stage/stage.ts'
import { type Origin, originOf } from './origin.ts'
import { startOrigin } from './unfit-origin.ts'
import { UpgradeLoad } from './upgrade-load.ts'
import { openUpgradeStage, type UpgradeStage } from './upgrade-stage.ts'

export const upgrade: Campaign = {
  name: 'upgrade',
  asserts: 'migrations, new processes and a rollback under load: no failed request, nothing lost or duplicated.',
  sizes: { requests: 400, lanes: 8, apis: 2 },
  quick: { requests: 60, lanes: 4, apis: 1 },
  takesFrom: true,
  run: (terms) =>
    runUpgrade(terms, { origin: originOf(terms.from), next: nextOf(nextRelease), extent: 'with rollback' }),
  plantedFault: {
    what: 'a migration renames a column that the running release reads',
    seenIn: 'failed requests',
    run: (terms) => runUpgrade(terms, { origin: originOf(terms.from), next: nextOf(breaking), extent: 'schema only' }),
  },
}

/** The part that every change is tested with: the processes of the release go on serving, on the schema of this checkout. */
export const serveOnSchemaHere = (origin: Origin, terms: Terms): Promise<Findings> =>
  runUpgrade(terms, { origin, next: treeHere, extent: 'schema and audit' })

interface Upgrade {
  readonly origin: Origin
  readonly next: (folder: string) => ReleaseTree
  readonly extent: 'schema only' | 'schema and audit' | 'with rollback'
}

const breaking = { breaking: 'alter table payments rename channel to way;' }

const nextOf =
  (migrations: Readonly<Record<string, string>>) =>
  (folder: string): ReleaseTree =>
    treeOfNextRelease(join(folder, 'new'), migrations)

const recoverWithinMs = 120_000

/** Everything that a migration may do while the previous release serves. */
const nextRelease = {
  columns: [
    'payments',
    'transactions',
    'callbacks',
    'sessions',
    'chains',
    'subscriptions',
    'payer_steps',
    'cards',
    'merchants',
    'mids',
  ]
    .map((table) => `alter table ${table} add column added text, add column counted int not null default 7;`)
    .join('\n'),
  table: 'create table added (id uuid primary key, what text not null);\nalter table payments add column more jsonb;',
  index: `-- outside a transaction
create index concurrently if not exists payments_added on payments (merchant_id, added);
create index concurrently if not exists transactions_added on transactions (merchant_id, added);`,
}

async function runUpgrade(terms: Terms, { origin, next, extent }: Upgrade): Promise<Findings> {
  const opened = await openUpgradeStage(
    (folder) => (origin.commit ? treeOfCommit(join(folder, 'old'), origin.commit) : treeHere()),
    terms.database,
  )
  await using stage = opened.stage
  const { tree: before } = opened
  const after = next(stage.folder)
  const load = new UpgradeLoad(stage, terms.random)
  const processes = new ReleaseProcesses(stage, load, terms)
  await processes.begin(before)
  // Nothing has been migrated yet: the acquirer, the load or the machine is at fault, and those are of this checkout.
  if (load.failed.length > 0) throw new Error(`${origin.title} fails a request on its own schema: ${load.failed[0]}`)
  await stage.migrate(after)
  await stage.learnSecrets()
  await processes.keepLoadRunning()
  let rollbackFault: string | null = null
  if (extent === 'with rollback') {
    await processes.replaceBy(after)
    rollbackFault = await processes.replaceBy(before).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  }
  await load.end()
  const findings = joinFindings(
    {
      figures: [
        { name: 'upgraded from', value: origin.title },
        { name: 'packages it would have in other versions', value: before.foreignPackages },
      ],
      faults: [],
    },
    loadFigures(load, before, after),
  )
  if (extent === 'schema only') return findings

  const quiet = await until(() => isQuiet(stage).catch(() => false), recoverWithinMs)
  return joinFindings(
    findings,
    {
      figures: [
        { name: 'releases that could not be rolled back', value: rollbackFault === null ? 0 : 1, must: 0 },
        { name: 'not settled at the end', value: quiet === null ? 1 : 0, must: 0 },
      ],
      faults: rollbackFault === null ? [] : [rollbackFault],
    },
    auditFigures(await audit(stage)),
  )
}

/** The processes of both releases. Requests are in progress at every step. */
class ReleaseProcesses {
  readonly #stage: UpgradeStage
  readonly #load: UpgradeLoad
  readonly #terms: Terms
  #apis: readonly Program[] = []
  #worker: Program | null = null
  #generation = 0

  constructor(stage: UpgradeStage, load: UpgradeLoad, terms: Terms) {
    this.#stage = stage
    this.#load = load
    this.#terms = terms
  }

  async begin(tree: ReleaseTree): Promise<void> {
    await this.#start(tree, startOrigin)
    this.#load.apis = this.#apis
    this.#load.begin(sizeOf(this.#terms, 'lanes'))
    await this.keepLoadRunning()
  }

  keepLoadRunning(): Promise<void> {
    return this.#load.waitForMore(sizeOf(this.#terms, 'requests'))
  }

  /** Both side by side for a while; then the old processes are ended, one after the other. */
  async replaceBy(next: ReleaseTree): Promise<void> {
    const [apis, worker] = [this.#apis, this.#worker]
    await this.#start(next, (program) => program.start())
    this.#load.apis = [...apis, ...this.#apis]
    await this.keepLoadRunning()
    for (const api of apis) {
      await Promise.all([api.stop(), this.keepLoadRunning()])
      this.#load.apis = this.#load.apis.filter((one) => one !== api)
    }
    await worker?.stop()
    await this.keepLoadRunning()
  }

  async #start(tree: ReleaseTree, start: (program: Program) => Promise<void>): Promise<void> {
    this.#generation += 1
    const program = (role: 'api' | 'worker', index: number) =>
      this.#stage.program(tree, role, `${role}-${this.#generation}-${index}`)
    const apis = Array.from({ length: sizeOf(this.#terms, 'apis') }, (_, index) => program('api', index))
    const worker = program('worker', 0)
    await Promise.all([...apis, worker].map(start))
    this.#apis = apis
    this.#worker = worker
  }
}

function loadFigures(load: UpgradeLoad, before: ReleaseTree, after: ReleaseTree): Findings {
  const kinds = [...load.asked].map(([what, times]) => `${what} ${times}`)
  return {
    figures: [
      { name: 'migrations applied under load', value: after.migrations - before.migrations },
      { name: 'requests', value: `${load.requests} (${kinds.join(', ')})` },
      { name: 'failed requests', value: load.failed.length, must: 0 },
    ],
    faults: load.failed,
  }
}
