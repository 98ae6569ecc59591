/** The connector `paypal` and its stand-in, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { now } from '#sandbox/acquirers/kit/clock.ts'
import { openPaypal } from '#sandbox/acquirers/paypal/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { AcquirerAccount, Outcome } from '#server/connectors/connector.ts'
import { exchange } from '#server/connectors/exchange.ts'
import { paypal } from '#server/connectors/paypal/index.ts'
import { createWires } from '#server/connectors/wire.ts'

interface PaypalGround {
  readonly url: string
  readonly account: AcquirerAccount
  readonly credentials: Readonly<Record<string, unknown>>
  /** Another view of the same MID, with other credentials. */
  with(changes: Readonly<Record<string, unknown>>): AcquirerAccount
  ledger(): Promise<readonly LedgerEntry[]>
  /** What the payer does on the page; returns where the browser goes then. */
  decide(page: string, decision: 'approve' | 'decline'): Promise<URL>
  close(): Promise<void>
}

interface LedgerEntry {
  readonly transactionId: string
  readonly kind: string
  readonly amount: string
  readonly currency: string
  readonly state: string
}

export async function paypalScene(): Promise<PaypalGround> {
  const folder = await mkdtemp(join(tmpdir(), 'paypal-'))
  const standIn = await openPaypal(folder)
  const running = await startServices([standIn], 0, (fault) => {
    throw fault
  })
  const wires = createWires({ clock: { now } })
  const { url } = running
  const credentials = standIn.credentials(url).live
  return {
    url,
    credentials,
    account: paypal.open(credentials, wires, 'live'),
    with: (changes) => paypal.open({ ...credentials, ...changes }, wires, 'live'),
    ledger: async () => {
      const entries = JSON.parse(await (await fetch(`${url}/ledger`)).text()) as readonly LedgerEntry[]
      return entries.map(({ transactionId, kind, amount, currency, state }) => ({
        transactionId,
        kind,
        amount,
        currency,
        state,
      }))
    },
    decide: async (page, decision) => {
      const response = await fetch(page, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ decision }),
        redirect: 'manual',
      })
      return new URL(response.headers.get('location') ?? '')
    },
    close: async () => {
      await wires.close()
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As the gateway calls it: a fault of the wire becomes an outcome. */
export const outcomeOf = (call: () => Promise<Outcome> | undefined) =>
  exchange(
    async () => {
      const outcome = call()
      if (!outcome) throw new Error('The connector does not offer the operation.')
      return outcome
    },
    (fault) => {
      throw fault
    },
    () => undefined,
  )
