/**
 * The acquirer executes, and its answer is lost, is an error, comes too late, is cut in half, or is the answer to another request; or the
 * request itself is delayed. The gateway queries the status and never sends again: the acquirer ignores idempotency keys, so anything sent
 * twice would be charged twice. Chapter 10 §6.2.
 *
 * Over the stand-ins of real acquirers each outcome is resolved as its connector declares: by a query, a repetition under the same key, or a
 * reversal. Chapter 60 §3.
 */
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { declareQueue } from '../load/declared-queue.ts'
import type { Faults } from '../stage/acquirer.ts'
import { audit } from '../stage/audit.ts'
import { FaultyProxy, type ProxyFault } from '../stage/faulty-proxy.ts'
import type { Fields, Merchant, Reply } from '../stage/merchant.ts'
import { advanceAndAsk } from '../stage/settling.ts'
import { isQuiet, only, openStage, type Stage } from '../stage/stage.ts'
import type { StandInFault } from '../stage/stand-ins/stand-ins.ts'

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
  overStandIns: {
    sizes: { payments: 360, late: 1 },
    quick: { payments: 60, late: 0 },
    plantedFault: {
      what: 'a request without an answer counts as declined',
      seenIn: 'lost',
      patches: [
        {
          file: 'server/src/connectors/exchange.ts',
          find: 'if (!(fault instanceof WireFault) || fault.sent) return unknown(fault, onFault)',
          replace:
            "if (!(fault instanceof WireFault) || fault.sent) return { result: 'declined', reason: '', declineClass: 'hard', facts: {} }",
        },
      ],
    },
  },
}

type Loss = SandboxLoss | StandInLoss

interface SandboxLoss {
  readonly at: 'sandbox'
  readonly name: string
  readonly faults: Faults
  readonly fault?: ProxyFault
}

interface StandInLoss {
  readonly at: 'stand-ins'
  readonly name: string
  readonly fault: StandInFault
  /** Happens to every n-th request. Odd, since sales and holds alternate: an even number would meet one of them only. */
  readonly every: number
}

const always = { count: 1, of: 1 }
/** Just above the gateway's time-out for an acquirer. Chapter 10 §1.1. */
const tooLateMs = 31_000

const ignore_keys = true
/** A request that is held arrives within this time, also on a busy machine. */
const executesWithinSeconds = 60

// biome-ignore format: a table is read in columns.
const losses: readonly SandboxLoss[] = [
  // the answer is …                              scenario of the acquirer
  { at: 'sandbox', name: 'dropped',               faults: { drop_reply: always, ignore_keys } },
  { at: 'sandbox', name: 'an error',              faults: { fail_after: always, ignore_keys } },
  { at: 'sandbox', name: 'dropped now and then',  faults: { drop_reply: { count: 1, of: 3 }, ignore_keys } },
  { at: 'sandbox', name: 'cut in half',           faults: { ignore_keys }, fault: 'half' },
  { at: 'sandbox', name: 'repeated',              faults: { ignore_keys }, fault: 'repeated' },
  { at: 'sandbox', name: 'for another request',   faults: { ignore_keys }, fault: 'swapped' },
]
const late: readonly SandboxLoss[] = [
  { at: 'sandbox', name: 'late', faults: { delay_ms: tooLateMs, ignore_keys } },
  { at: 'sandbox', name: 'late, and the request before it', faults: { ignore_keys }, fault: 'hold' },
]

// biome-ignore format: a table is read in columns.
const standInLosses: readonly StandInLoss[] = [
  // the answer is …
  // executed
  { at: 'stand-ins', name: 'dropped',               fault: 'reply-lost',   every: 1 },
  { at: 'stand-ins', name: 'an error',              fault: 'error-after',  every: 1 },
  { at: 'stand-ins', name: 'garbage',               fault: 'garbage',      every: 1 },
  { at: 'stand-ins', name: 'dropped now and then',  fault: 'reply-lost',   every: 3 },
  // not executed
  { at: 'stand-ins', name: 'none, request lost',    fault: 'request-lost', every: 3 },
  { at: 'stand-ins', name: 'an error instead',      fault: 'error',        every: 3 },
]
const lateAtStandIns: readonly StandInLoss[] = [{ at: 'stand-ins', name: 'never sent', fault: 'hang', every: 3 }]

function lossesOf(terms: Terms): readonly Loss[] {
  const withLate = sizeOf(terms, 'late') > 0
  if (terms.standIns) return withLate ? [...standInLosses, ...lateAtStandIns] : standInLosses
  return withLate ? [...losses, ...late] : losses
}

async function run(terms: Terms): Promise<Findings> {
  const chosen = lossesOf(terms)
  const each = Math.ceil(sizeOf(terms, 'payments') / chosen.length)
  const proxy = new FaultyProxy()
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    database: terms.database,
    databasePool: 16,
    acquirerBehind: proxy.barrier,
    standIns: terms.standIns,
    sharedAuthority: true,
  })
  if (!terms.standIns) await declareQueue(stage, executesWithinSeconds)
  const rounds: Round[] = []
  for (const loss of chosen) {
    const round = await runRound(stage, proxy, loss, each)
    rounds.push(round)
    // What stays open would keep every later round waiting until its clock has advanced by hours.
    if (!round.resolved) break
  }

  const repeated = (await stage.acquirer.summary()).repeated_requests
  const unresolved = rounds.filter(({ resolved }) => !resolved)
  return joinFindings(
    {
      figures: [
        { name: 'payments and follow-ups', value: rounds.reduce((sum, { commands }) => sum + commands, 0) },
        {
          name: 'answers without SUCCESS',
          value: rounds.reduce((sum, { answersWithoutSuccess }) => sum + answersWithoutSuccess, 0),
        },
        { name: 'answers corrupted in transit', value: proxy.corruptedCount },
        // Real acquirers that keep idempotency keys may be sent a request again; the audit shows that it had one effect.
        ...(terms.standIns ? [] : [{ name: 'sent again', value: repeated, must: 0 }]),
        { name: 'rounds with unresolved outcomes', value: unresolved.length, must: 0 },
        ...rounds.map(({ name, clockSeconds }) => ({
          name: `resolved on the clock, ${name}`,
          value: inSeconds(clockSeconds),
        })),
      ],
      faults: unresolved.map(({ name, open }) => `Unresolved after an answer that was ${name}: ${open.join(', ')}`),
    },
    auditFigures(await audit(stage)),
  )
}

interface Round {
  readonly name: string
  readonly commands: number
  readonly answersWithoutSuccess: number
  readonly resolved: boolean
  /** What was open in the end, in words. */
  readonly open: readonly string[]
  /** How far the clock was advanced until everything was known. */
  readonly clockSeconds: number
}

/** Sales and holds first, then their follow-ups, each of which loses its answer as well. */
async function runRound(stage: Stage, proxy: FaultyProxy, loss: Loss, count: number): Promise<Round> {
  const { url } = only(stage.apis)
  const { merchants } = stage
  await begin(stage, proxy, loss)
  const orders = Array.from({ length: count }, (_, index) => `${loss.name}-${index}`.replaceAll(/[ ,]+/g, '-'))
  // Each merchant gets every kind of payment.
  const merchantOf = (index: number): Merchant => merchants[index % merchants.length] ?? stage.merchant
  const turnOf = (index: number): number => Math.floor(index / merchants.length)
  const cardOf = loss.at === 'sandbox' ? sandboxCardOf : () => ({})
  const firsts = await Promise.all(
    orders.map((order, index) =>
      merchantOf(index).sale(url, order, { ...kindOf(turnOf(index)), ...cardOf(turnOf(index)) }),
    ),
  )
  const afterFirsts = await resolve(stage)

  const later = await Promise.all(
    firsts.map((first, index) => {
      const { action, fields } = followUpOf(turnOf(index))
      return merchantOf(index).followUp(url, action, transIdOf(first), fields)
    }),
  )
  const afterLater = await resolve(stage)
  const open = afterFirsts === null || afterLater === null ? await describeOpen(stage) : []
  await end(stage, proxy, loss)
  return {
    name: loss.name,
    commands: firsts.length + later.length,
    answersWithoutSuccess: [...firsts, ...later].filter((reply) => !isSuccess(reply)).length,
    resolved: afterFirsts !== null && afterLater !== null,
    open,
    clockSeconds: ((afterFirsts ?? 0) + (afterLater ?? 0)) / 1000,
  }
}

async function begin({ acquirer, standIns }: Stage, proxy: FaultyProxy, loss: Loss): Promise<void> {
  if (loss.at === 'stand-ins') return standIns.setFault(loss.fault, loss.every)
  await acquirer.setFaults(loss.faults)
  proxy.holdMs = tooLateMs
  proxy.fault = loss.fault ?? 'none'
}

async function end({ acquirer, standIns }: Stage, proxy: FaultyProxy, loss: Loss): Promise<void> {
  if (loss.at === 'stand-ins') return standIns.clearFaults()
  proxy.fault = 'none'
  await acquirer.clearFaults()
}

async function describeOpen({ pool }: Stage): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `select mids.name || ' ' || type || ' ' || state || ' ' || count(*) as text
     from transactions join mids on mids.id = mid_id where state in ('sent', 'waiting', 'undefined')
     group by mids.name, type, state union all
     select 'callbacks due ' || count(*) from callbacks where state = 'due' having count(*) > 0`,
  )
  return rows.map(({ text }) => text)
}

const kindOf = (index: number): Fields => (index % 2 === 0 ? {} : { auth: 'Y' })

/** Every fifth is declined, so that an answer to another request would say the opposite. */
const sandboxCardOf = (index: number): Fields => (index % 5 === 4 ? { card_exp_month: '02' } : {})

/** A sale is refunded in part or voided, a hold captured or released. */
function followUpOf(index: number): { readonly action: string; readonly fields: Fields } {
  if (index % 2 === 1) return index % 4 === 1 ? { action: 'CAPTURE', fields: {} } : { action: 'CREDITVOID', fields: {} }
  return index % 4 === 0 ? { action: 'CREDITVOID', fields: { amount: '4.00' } } : { action: 'VOID', fields: {} }
}

/** CREDITVOID is accepted before its outcome is known, so its answer says nothing about it. */
const isSuccess = (reply: Reply): boolean => reply.answered && reply.body.result === 'SUCCESS'

function transIdOf(reply: Reply): string {
  const transId = reply.answered ? reply.body.trans_id : undefined
  if (transId === undefined) throw new Error(`The gateway itself failed: ${JSON.stringify(reply)}`)
  return transId
}

/**
 * Short steps for ten minutes of the clock, then long ones for seven hours: a request that was lost on the way to CyberSource ends when its
 * search counts as complete, after an hour and a half.
 */
const shortSteps = { count: 120, ms: 5_000 }
const longSteps = { count: 420, ms: 60_000 }

/** Advances both clocks until nothing is open; returns how far, or null if that never happened. */
async function resolve(stage: Stage): Promise<number | null> {
  let advancedMs = 0
  for (const { count, ms } of [shortSteps, longSteps]) {
    for (let step = 0; step < count; step += 1) {
      if (await isQuiet(stage)) return advancedMs
      await advanceAndAsk(stage, ms)
      advancedMs += ms
    }
  }
  return (await isQuiet(stage)) ? advancedMs : null
}
