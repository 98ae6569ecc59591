/** The acquirer's addresses, one row each. */
import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../kit/reply.ts'
import type { Call, Routes } from '../kit/routes.ts'
import type { Acquirer } from './acquirer.ts'
import { chargebackOf, ledgerEntryOf, reportOf } from './answer.ts'
import { reportMoney, showMoneyDue } from './pages/money-page.ts'
import { page } from './pages/page.ts'
import { triggerPayer } from './pages/payer-trigger.ts'
import { decideRedirect, showRedirect } from './pages/redirect-page.ts'
import { settlementFile } from './settlement-file.ts'
import { readScenario } from './triggers/scenario.ts'

export const acquirerRoutes = (acquirer: Acquirer): Routes =>
  rows.map(([address, run]) => [address, (call) => run(acquirer, call)])

type Row = readonly [address: string, answers: (acquirer: Acquirer, call: Call) => Promise<Reply>]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // address                              answers
  [ 'POST /v1/transactions',              (acquirer, { key, body }) => acquirer.submit(key, body) ],
  [ 'GET /v1/transactions/:id',           (acquirer, { parameters: [id = ''], query }) => acquirer.status(id, query.get('mid')) ],
  [ 'GET /v1/chargebacks',                listChargebacks ],
  [ 'GET /v1/events',                     listReports ],
  [ 'GET /sandbox/redirect/:id/:key',     showRedirect ],
  [ 'POST /sandbox/redirect/:id/:key',    decideRedirect ],
  [ 'GET /sandbox/pay/:id/:key',          showMoneyDue ],
  [ 'POST /sandbox/pay/:id/:key',         reportMoney ],
  [ 'POST /trigger/:payment',             triggerPayer ],
  [ 'GET /ledger',                        listLedger ],
  [ 'GET /ledger/summary',                summary ],
  [ 'GET /settlement',                    settlement ],
  [ 'GET /clock',                         async (acquirer) => clock(acquirer) ],
  [ 'POST /clock',                        moveClock ],
  [ 'GET /scenario',                      async (acquirer) => scenarios(acquirer) ],
  [ 'PUT /scenario',                      setScenario ],
  [ 'DELETE /scenario',                   clearScenario ],
  [ 'GET /health',                        async () => ({ status: 200, body: { status: 'ok' } }) ],
  [ 'GET /',                              async (acquirer) => ({ status: 200, body: page(acquirer) }) ],
]

async function listLedger(acquirer: Acquirer, { query }: Call): Promise<Reply> {
  await waitUntilSettled(acquirer)
  const entries = acquirer.book.ledger.since(sinceOf(query), limitOf(query))
  return { status: 200, body: { entries: entries.map(ledgerEntryOf) } }
}

/** The settlement file of one MID for the days `from` to `to`; the gateway imports it like an acquirer's. */
async function settlement(acquirer: Acquirer, { query }: Call): Promise<Reply> {
  await waitUntilSettled(acquirer)
  const [from, to] = [query.get('from') ?? '0000-01-01', query.get('to') ?? '9999-12-31']
  const body = settlementFile(acquirer.book.ledger.since(0), { mid: query.get('mid') ?? '', from, to })
  return { status: 200, body, headers: { 'content-type': 'text/csv; charset=utf-8' } }
}

async function listChargebacks(acquirer: Acquirer, { query }: Call): Promise<Reply> {
  await waitUntilSettled(acquirer)
  const since = sinceOf(query)
  const chargebacks = acquirer.book.chargebacks.slice(since, since + limitOf(query))
  return { status: 200, body: { chargebacks: chargebacks.map(chargebackOf) } }
}

/** Chargebacks, lapsed holds and late decisions, in the order in which they happened. */
async function listReports(acquirer: Acquirer, { query }: Call): Promise<Reply> {
  await waitUntilSettled(acquirer)
  const since = sinceOf(query)
  const reports = acquirer.book.reports.slice(since, since + limitOf(query))
  return { status: 200, body: { events: reports.map(reportOf) } }
}

async function summary(acquirer: Acquirer): Promise<Reply> {
  await waitUntilSettled(acquirer)
  return {
    status: 200,
    body: {
      transactions: acquirer.book.size,
      undecided: acquirer.book.undecided.size,
      entries: acquirer.book.ledger.size,
      repeated_requests: acquirer.repeatedRequests,
      by_type: acquirer.book.ledger.totals(),
    },
  }
}

async function waitUntilSettled(acquirer: Acquirer): Promise<void> {
  acquirer.settleDue()
  await acquirer.sync()
}

function clock(acquirer: Acquirer): Reply {
  const { offsetMs } = acquirer.clock
  return { status: 200, body: { now: new Date(acquirer.clock.now()).toISOString(), offset_ms: offsetMs } }
}

async function moveClock(acquirer: Acquirer, { body }: Call): Promise<Reply> {
  const offsetMs = newOffset(acquirer.clock.offsetMs, body)
  if (offsetMs === undefined) return failure(400, 'invalid_request', 'Give advance_ms, 0 or more, or offset_ms.')
  acquirer.setClock(offsetMs)
  await acquirer.sync()
  return clock(acquirer)
}

function newOffset(offsetMs: number, body: unknown): number | undefined {
  if (!isObject(body)) return undefined
  const { advance_ms, offset_ms } = body
  if (advance_ms !== undefined) return isWhole(advance_ms) && advance_ms >= 0 ? offsetMs + advance_ms : undefined
  return isWhole(offset_ms) ? offset_ms : undefined
}

function scenarios(acquirer: Acquirer): Reply {
  return { status: 200, body: { scenarios: acquirer.scenarios.list() } }
}

async function setScenario(acquirer: Acquirer, { body }: Call): Promise<Reply> {
  const scenario = readScenario(body)
  if (typeof scenario === 'string') return failure(400, 'invalid_request', scenario)
  acquirer.scenarios.set(scenario)
  return scenarios(acquirer)
}

async function clearScenario(acquirer: Acquirer, { query }: Call): Promise<Reply> {
  acquirer.scenarios.clear(query.get('mid') ?? undefined)
  return scenarios(acquirer)
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

function sinceOf(query: URLSearchParams): number {
  const since = Number(query.get('since') ?? 0)
  return isWhole(since) && since > 0 ? since : 0
}

/** Without a limit everything: a record that ends somewhere is compared as if the rest had not happened. */
function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY)
  return isWhole(limit) && limit > 0 ? limit : Number.POSITIVE_INFINITY
}
