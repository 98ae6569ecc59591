/**
 * The database server is lost with its files. It is restored from an encrypted base backup and the archive of its log, to a moment after
 * the backup and before the loss. Everything until the moment is there; everything after it that the acquirer executed is booked or
 * reported by `gatehouse restore reconcile`. Chapter 80 §4.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { ArchivedCluster } from '../failover/archived-cluster.ts'
import { inheritedPatches } from '../patch.ts'
import { isAnswered } from '../stage/merchant.ts'
import { ourRecord } from '../stage/our-record.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { ArchivedServer } from './archived-server.ts'
import type { RestorableServer } from './restorable-server.ts'

export const pointInTime: Campaign = {
  name: 'point-in-time',
  asserts:
    'a lost server is restored to a moment, and reconciliation then accounts for everything that the acquirer executed.',
  sizes: { payments: 40 },
  quick: { payments: 4 },
  run: (terms) => run(terms, (folder) => ArchivedServer.open(folder)),
  plantedFault: {
    what: 'Reconciliation ignores refunds that the acquirer executed.',
    seenIn: 'effects neither booked nor reported',
    patches: [
      {
        file: 'server/src/payments/commands/reconcile-restored.ts',
        find: 'all.push(...page.effects.filter(({ at }) => since === null || at >= since))',
        replace: "all.push(...page.effects.filter(({ kind }) => kind !== 'refund'))",
      },
    ],
  },
}

/** The same with three machines that fail over between the base backup and the moment. Needs what `failover` needs. */
export const clusterRestore: Campaign = {
  name: 'cluster-restore',
  asserts:
    'a cluster that fails over is restored to a moment by the commands of its page, archives again, and nothing is unaccounted for.',
  sizes: { payments: 40 },
  quick: { payments: 4 },
  run: (terms) => run(terms, (folder) => ArchivedCluster.open(folder)),
  plantedFault: {
    what: "the restored machine keeps the old cluster's settings, and archives into its folder",
    seenIn: 'restored clusters that do not archive',
    run: (terms) => run(terms, (folder) => ArchivedCluster.open(folder, 'rm "$DATA/patroni.dynamic.json"')),
  },
}

const patienceMs = 60_000

async function run(terms: Terms, open: (folder: string) => Promise<RestorableServer>): Promise<Findings> {
  let opened: RestorableServer | null = null
  const openDatabase = async (folder: string): Promise<RestorableServer> => {
    opened = await open(folder)
    return opened
  }
  await using stage = await openStage({ openDatabase, sharedAuthority: true })
  if (!opened) throw new Error('The stage has no server.')
  // Awaited here, because the stage ends with this function.
  return await loseServer(stage, opened, sizeOf(terms, 'payments'))
}

async function loseServer(stage: Stage, server: RestorableServer, payments: number): Promise<Findings> {
  const early = await pay(stage, 'BEFORE-BACKUP', payments)
  await server.takeBaseBackup()
  await server.failOver?.()
  const archived = await pay(stage, 'AFTER-BACKUP', payments)
  await until(() => isQuiet(stage), patienceMs)
  const moment = await server.moment()

  const lost = await pay(stage, 'LOST', payments)
  const refunds = await refund(stage, [...early, ...archived])
  await until(() => isQuiet(stage), patienceMs)
  await server.archive()
  await Promise.all(programsOf(stage).map((program) => program.stop()))
  await server.restoreTo(moment)
  await Promise.all(programsOf(stage).map((program) => program.start()))

  const restored = new Set((await ourRecord(stage.pool)).payments.map(({ id }) => id))
  const refused = await sale(stage, 'IN-RECOVERY')
  const { unknown, booked } = await reconcile(stage)
  // The lost charges are settled here by counting them.
  await gatehouse(stage, ['restore', 'end', '--settled-by-hand'])
  const serves = await until(async () => isAnswered(await sale(stage, 'AFTERWARDS')), patienceMs)
  await until(() => isQuiet(stage), patienceMs)
  const unaccounted = await effectsUnaccounted(stage, new Set(unknown.map(({ transactionId }) => transactionId)))
  const findings: Findings = {
    figures: [
      { name: 'payments until the moment', value: early.length + archived.length, must: 2 * payments },
      { name: 'of them missing after the restore', value: missing([...early, ...archived], restored), must: 0 },
      { name: 'payments after the moment', value: lost.length, must: payments },
      { name: 'of them missing after the restore, as they must', value: missing(lost, restored), must: payments },
      { name: 'requests accepted in recovery', value: refused.answered && refused.http === 503 ? 0 : 1, must: 0 },
      { name: 'refunds booked', value: booked, must: refunds },
      { name: 'lost charges reported', value: unknown.length, must: payments },
      { name: 'effects neither booked nor reported', value: unaccounted.length, must: 0 },
      { name: 'not recovered', value: serves === null ? 1 : 0, must: 0 },
    ],
    faults: unaccounted,
  }
  const judged = await server.judgeRestored?.()
  return judged ? joinFindings(findings, judged) : findings
}

const programsOf = ({ apis, workers }: Stage) => [...apis, ...workers]

const sale = (stage: Stage, orderId: string) => stage.merchant.sale(only(stage.apis).url, orderId)

async function pay(stage: Stage, order: string, count: number): Promise<readonly string[]> {
  const replies = await Promise.all(Array.from({ length: count }, (_, index) => sale(stage, `${order}-${index}`)))
  return replies.flatMap((reply) => (isAnswered(reply) && reply.body.trans_id ? [reply.body.trans_id] : []))
}

async function refund(stage: Stage, paymentIds: readonly string[]): Promise<number> {
  const { url } = only(stage.apis)
  const replies = await Promise.all(
    paymentIds.map((id) => stage.merchant.followUp(url, 'CREDITVOID', id, { amount: '4.00' })),
  )
  return replies.filter(isAnswered).length
}

const missing = (ids: readonly string[], known: ReadonlySet<string>): number =>
  ids.filter((id) => !known.has(id)).length

/** Each effect is a successful transaction of the same amount in our record, or was reported to the operator. */
async function effectsUnaccounted(stage: Stage, reported: ReadonlySet<string>): Promise<readonly string[]> {
  const { transactions } = await ourRecord(stage.pool)
  const ours = new Map(transactions.filter(({ state }) => state === 'success').map((one) => [one.id, one.amount_minor]))
  const effects = await stage.acquirer.ledger()
  return effects
    .filter((effect) => ours.get(effect.transaction_id) !== effect.amount && !reported.has(effect.transaction_id))
    .map((effect) => `${effect.type} ${effect.transaction_id} of ${effect.amount}`)
}

const reportSchema = z.object({ unknown: z.array(z.object({ transactionId: z.string() })), booked: z.number() })

async function reconcile(stage: Stage): Promise<z.infer<typeof reportSchema>> {
  return reportSchema.parse(JSON.parse(await gatehouse(stage, ['restore', 'reconcile', '--json'])))
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Exit status 1 means that something needs attention; the report says what. */
async function gatehouse(stage: Stage, words: readonly string[]): Promise<string> {
  const env = { DATA_DIR: stage.folder, DATABASE_URL: stage.database.url, GATEHOUSE_MODE: 'sandbox' }
  const flags = ['--disable-warning=ExperimentalWarning', ...inheritedPatches()]
  try {
    return (await promisify(execFile)(process.execPath, [...flags, 'cli/main.ts', ...words], { cwd: root, env })).stdout
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error && error.stdout !== '')
      return String(error.stdout)
    throw error
  }
}
