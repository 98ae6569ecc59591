/**
 * The acquirer executes, and its answer is lost, is an error, comes too late, is cut in half, or is the answer to another request; or the
 * request itself is delayed. The gateway queries the status and never sends again: the acquirer ignores idempotency keys, so anything sent
 * twice would be charged twice. Chapter 10 §6.2.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import type { Faults } from '../stage/acquirer.ts'
import { audit } from '../stage/audit.ts'
import { FaultyProxy, type ProxyFault } from '../stage/faulty-proxy.ts'
import type { Fields, Reply } from '../stage/merchant.ts'
import { isQuiet, only, openStage, type Stage } from '../stage/stage.ts'

export const lostReply: Campaign = {
  name: 'lost-reply',
  asserts:
    'after a lost, garbled or late answer the gateway queries the status, never resends, and always resolves the outcome.',
  sizes: { payments: 200, late: 1 },
  quick: { payments: 48, late: 0 },
  run,
  plantedFault: {
    what: 'the answer to another request is accepted',
    seenIn: 'lost',
    patches: [
      {
        file: 'server/src/connectors/sandbox/answer.ts',
        find: 'if (transaction.transaction_id !== transactionId)',
        replace: "if (transactionId === '')",
      },
    ],
  },
}

interface Loss {
  readonly name: string
  readonly faults: Faults
  readonly fault?: ProxyFault
}

const always = { count: 1, of: 1 }
/** Just above the gateway's time-out for an acquirer. Chapter 10 §1.1. */
const tooLateMs = 31_000

// biome-ignore format: a table is read in columns.
const losses: readonly Loss[] = [
  // the answer is …               scenario of the acquirer
  { name: 'dropped',               faults: { drop_reply: always, ignore_keys: true } },
  { name: 'an error',              faults: { fail_after: always, ignore_keys: true } },
  { name: 'dropped now and then',  faults: { drop_reply: { count: 1, of: 3 }, ignore_keys: true } },
  { name: 'cut in half',           faults: { ignore_keys: true }, fault: 'half' },
  { name: 'repeated',              faults: { ignore_keys: true }, fault: 'repeated' },
  { name: 'for another request',   faults: { ignore_keys: true }, fault: 'swapped' },
]
const late: readonly Loss[] = [
  { name: 'late', faults: { delay_ms: tooLateMs, ignore_keys: true } },
  { name: 'late, and the request before it', faults: { ignore_keys: true }, fault: 'hold' },
]

async function run(terms: Terms): Promise<Findings> {
  const chosen = sizeOf(terms, 'late') > 0 ? [...losses, ...late] : losses
  const each = Math.ceil(sizeOf(terms, 'payments') / chosen.length)
  const proxy = new FaultyProxy()
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    database: terms.database,
    databasePool: 16,
    acquirerBehind: proxy.barrier,
    sharedAuthority: true,
  })
  const rounds: Round[] = []
  for (const loss of chosen) rounds.push(await runRound(stage, proxy, loss, each))

  const repeated = (await stage.acquirer.summary()).repeated_requests
  const unresolved = rounds.filter(({ resolved }) => !resolved)
  return joinFindings(
    {
      figures: [
        { name: 'payments and follow-ups', value: rounds.reduce((sum, { commands }) => sum + commands, 0) },
        {
          name: 'answers that did not arrive',
          value: rounds.reduce((sum, { undefinedAnswers }) => sum + undefinedAnswers, 0),
        },
        { name: 'answers corrupted in transit', value: proxy.corruptedCount },
        { name: 'sent again', value: repeated, must: 0 },
        { name: 'rounds with unresolved outcomes', value: unresolved.length, must: 0 },
        ...rounds.map(({ name, clockSeconds }) => ({
          name: `resolved on the clock, ${name}`,
          value: inSeconds(clockSeconds),
        })),
      ],
      faults: unresolved.map(({ name }) => `Unresolved after an answer that was ${name}`),
    },
    auditFigures(await audit(stage)),
  )
}

interface Round {
  readonly name: string
  readonly commands: number
  readonly undefinedAnswers: number
  readonly resolved: boolean
  /** How far the clock was advanced until everything was known. */
  readonly clockSeconds: number
}

/** Sales and holds first, then their follow-ups, each of which loses its answer as well. */
async function runRound(stage: Stage, proxy: FaultyProxy, loss: Loss, count: number): Promise<Round> {
  const { name, faults, fault = 'none' } = loss
  const { url } = only(stage.apis)
  const { merchant, acquirer } = stage
  await acquirer.setFaults(faults)
  proxy.holdMs = tooLateMs
  proxy.fault = fault
  const orders = Array.from({ length: count }, (_, index) => `${name}-${index}`.replaceAll(/[ ,]+/g, '-'))
  const firsts = await Promise.all(
    orders.map((order, index) => merchant.sale(url, order, { ...kindOf(index), ...cardOf(index) })),
  )
  const afterFirsts = await resolve(stage)

  const later = await Promise.all(
    firsts.map((first, index) => {
      const { action, fields } = followUpOf(index)
      return merchant.followUp(url, action, transIdOf(first), fields)
    }),
  )
  const afterLater = await resolve(stage)
  proxy.fault = 'none'
  await acquirer.clearFaults()
  return {
    name,
    commands: firsts.length + later.length,
    undefinedAnswers: [...firsts, ...later].filter((reply) => !isDecided(reply)).length,
    resolved: afterFirsts !== null && afterLater !== null,
    clockSeconds: ((afterFirsts ?? 0) + (afterLater ?? 0)) / 1000,
  }
}

const kindOf = (index: number): Fields => (index % 2 === 0 ? {} : { auth: 'Y' })

/** Every fifth is declined, so that an answer to another request would say the opposite. */
const cardOf = (index: number): Fields => (index % 5 === 4 ? { card_exp_month: '02' } : {})

/** A sale is refunded in part or voided, a hold captured or released. */
function followUpOf(index: number): { readonly action: string; readonly fields: Fields } {
  if (index % 2 === 1) return index % 4 === 1 ? { action: 'CAPTURE', fields: {} } : { action: 'CREDITVOID', fields: {} }
  return index % 4 === 0 ? { action: 'CREDITVOID', fields: { amount: '4.00' } } : { action: 'VOID', fields: {} }
}

/** CREDITVOID is accepted before its outcome is known, so its answer says nothing about it. */
const isDecided = (reply: Reply): boolean => reply.answered && reply.body.result === 'SUCCESS'

function transIdOf(reply: Reply): string {
  const transId = reply.answered ? reply.body.trans_id : undefined
  if (transId === undefined) throw new Error(`The gateway itself failed: ${JSON.stringify(reply)}`)
  return transId
}

const stepMs = 5_000
const mostSteps = 300
const afterStepMs = 400

/** Advances both clocks until nothing is open; returns how far, or null if that never happened. */
async function resolve(stage: Stage): Promise<number | null> {
  for (let step = 0; step <= mostSteps; step += 1) {
    if (await isQuiet(stage)) return step * stepMs
    await stage.advance(stepMs)
    await sleep(afterStepMs)
  }
  return null
}
