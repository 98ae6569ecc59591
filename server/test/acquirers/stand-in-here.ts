/**
 * A stand-in for an acquirer inside the test's process, the connector that speaks to it, and a merchant's address that collects its
 * notifications.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { OpenStandIn } from '#sandbox/acquirers/kit/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { AcquirerAccount, AcquirerEvent, RegisteredConnector } from '#server/connectors/connector.ts'
import { askUndo, exchange } from '#server/connectors/exchange.ts'
import type { Outcome } from '#server/connectors/outcome.ts'
import { createWires } from '#server/connectors/wire.ts'

interface LedgerEntry {
  readonly transactionId: string
  readonly kind: string
  readonly amount: string
  readonly state: string
}

export interface StandInHere {
  readonly url: string
  readonly account: AcquirerAccount
  /** With some credentials changed. */
  accountWith(changes: object): AcquirerAccount
  /** As `sale 1000 executed`. */
  ledger(): Promise<readonly string[]>
  /** Resolves with the events of the next notification that the connector verified. */
  nextEvents(): Promise<readonly AcquirerEvent[]>
  /** The process ends and starts again with the same record. */
  restart(): Promise<void>
  close(): Promise<void>
}

const raise = (fault: unknown): never => {
  throw fault
}

/** As the gateway calls an operation: a broken connection becomes an outcome. */
export const outcomeOf = (send: () => Promise<Outcome> | undefined): Promise<Outcome> =>
  exchange(
    async () => (await send()) ?? raise(new Error('The operation is not offered.')),
    raise,
    () => undefined,
  )

export const undoOutcomeOf = (send: () => Promise<Outcome> | undefined): Promise<Outcome> =>
  askUndo(async () => (await send()) ?? raise(new Error('The operation is not offered.')), raise)

/** Of the gateway, unless a test needs that of the stand-in. */
const noon = { now: () => new Date('2026-11-16T12:00:00Z') }

export async function openStandInHere(
  open: OpenStandIn,
  connector: RegisteredConnector,
  clock = noon,
): Promise<StandInHere> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  let standIn = await open(folder)
  let running = await startServices([standIn], 0, raise)
  const wires = createWires({ clock, budgetMs: 5_000 })
  const accountWith = (changes: object): AcquirerAccount =>
    connector.open({ ...standIn.credentials(running.url).test, ...changes }, wires, 'test')

  const arrivals: Promise<readonly AcquirerEvent[]>[] = []
  const waiting: ((events: Promise<readonly AcquirerEvent[]>) => void)[] = []
  const server = createServer((request, response) => {
    const reading = buffer(request).then(async (body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const notification = { headers, query: {}, body, receivedAt: standIn.now() }
      const read = await accountWith({}).readNotification?.(notification)
      response.statusCode = read?.kind === 'unverified' ? 401 : connector.notificationAnswer.status
      response.end(connector.notificationAnswer.body)
      if (read?.kind === 'unverified') throw new Error(read.reason)
      return read?.kind === 'verified' ? read.events : []
    })
    // One that is never read, such as the last before the end, fails no test; the test that reads it gets the failure.
    reading.catch(() => undefined)
    const next = waiting.shift()
    if (next) next(reading)
    else arrivals.push(reading)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const receiver = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/notifications`
  const announce = () =>
    fetch(`${running.url}/accounts/test/notifications`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver }),
    })
  await announce()

  return {
    get url() {
      return running.url
    },
    get account() {
      return accountWith({})
    },
    accountWith,
    ledger: async () => {
      const entries: readonly LedgerEntry[] = JSON.parse(await (await fetch(`${running.url}/ledger`)).text())
      for (const entry of entries) requireEntry(entry)
      return entries.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)
    },
    nextEvents: () => arrivals.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    restart: async () => {
      await running.stop()
      standIn = await open(folder)
      running = await startServices([standIn], 0, raise)
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await wires.close()
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Other programs compare these entries with the gateway's record, so that all ledgers have the same members and our ids. */
function requireEntry(entry: LedgerEntry): void {
  assert.deepEqual(Object.keys(entry).toSorted(), ['amount', 'currency', 'kind', 'state', 'transactionId'])
  assert.match(entry.transactionId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}
