/** Adyen in a month: one of the merchants is routed to its stand-in, which settles, refunds and reports disputes under references of its own. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdyen } from '#sandbox/acquirers/adyen/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { until } from '../../callbacks/callback-scene.ts'
import type { Shop } from '../../shop.ts'
import { adyenFile, readAdyenRecord } from './month-adyen-file.ts'
import type { SettledRow } from './month-differences.ts'
import { base64, type SettlementFile } from './month-files.ts'

export const adyenMid = 'adyen-live'

/** Numbers of the settlement batches. */
const [usualBatch, lateBatch] = [41, 42]

export interface MonthAdyen extends AsyncDisposable {
  /** Takes the step of a dispute in place of the payer's bank. */
  dispute(paymentId: string, step: 'open' | 'won'): Promise<void>
  /** Resolves once everything that Adyen reported is entered. */
  enterReports(): Promise<void>
  listExecuted(): Promise<readonly SettledRow[]>
  writeFile(rows: readonly SettledRow[], day: string): Promise<SettlementFile>
  writeLateFile(rows: readonly SettledRow[], day: string): Promise<SettlementFile>
}

/** Its MID replaces all others of the merchant. */
export async function openMonthAdyen(shop: Shop, merchantId: string): Promise<MonthAdyen> {
  await using opened = new AsyncDisposableStack()
  const { url, credentials } = await startAdyen(shop, opened)
  await routeToAdyen(shop, merchantId, credentials)
  const readRecord = async () => readAdyenRecord(JSON.parse(await (await fetch(`${url}/notifications`)).text()))
  const write = async (rows: readonly SettledRow[], day: string, batch: number): Promise<SettlementFile> => {
    const { account, payments } = await readRecord()
    const content = base64(adyenFile(rows, { account, payments, day, batch }))
    return { format: 'adyen', acquirerMid: account, content }
  }
  const resources = opened.move()
  return {
    dispute: async (paymentId, step) => {
      const { payments } = await readRecord()
      await send('POST', `${url}/disputes`, { payment: payments.get(paymentId)?.psp, step })
    },
    enterReports: async () => {
      await until(async () => {
        const { arrived, waiting } = await countReports(shop)
        if (waiting === 0 && arrived === (await readRecord()).reports) return true
        // A report that came before its command was answered waits for a moment.
        await shop.advance(waiting === 0 ? 0 : 1000)
        return false
      })
    },
    listExecuted: async () => (await readRecord()).rows,
    writeFile: (rows, day) => write(rows, day, usualBatch),
    writeLateFile: (rows, day) => write(rows, day, lateBatch),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** With the clock of the shop. */
async function startAdyen(shop: Shop, opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'month-adyen-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const standIn = await openAdyen(folder)
  const running = await startServices([standIn], 0, (fault) => {
    throw fault
  })
  opened.defer(() => running.stop())
  const { url } = running
  await send('POST', `${url}/clock`, { advance_ms: shop.base.clock.offsetMs })
  await send('PUT', `${url}/accounts/live/notifications`, { url: `${shop.url}/acquirers/${adyenMid}/notifications` })
  return { url, credentials: standIn.credentials(url).live }
}

async function routeToAdyen(shop: Shop, merchantId: string, credentials: object): Promise<void> {
  const settings = { mode: 'live', name: adyenMid, connector: 'adyen', descriptor: 'EXAMPLE SHOP' } as const
  const { id: midId } = await createMid(shop.base, settings, credentials)
  await shop.base.pool.query('delete from merchant_mappings where merchant_id = $1', [merchantId])
  await linkMerchant(shop.base, { merchantId, midId })
  await shop.service.configuration.refresh()
}

async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await reply.text()
  assert.ok(reply.ok, text)
}

interface Reports {
  readonly arrived: number
  readonly waiting: number
}

async function countReports(shop: Shop): Promise<Reports> {
  const { rows } = await shop.base.pool.query<Reports>(
    `select (select count(*)::int from acquirer_notifications) as arrived,
       (select count(*)::int from acquirer_events where state = 'due') as waiting`,
  )
  return rows[0] ?? assert.fail('nothing was counted')
}
