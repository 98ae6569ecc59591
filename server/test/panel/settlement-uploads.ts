/** Settlement files that a test uploads to the panel piece by piece. */
import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Shop } from '../shop.ts'
import { type PanelClient, panelOf } from './admin.ts'

interface Answer {
  readonly http: number
  readonly result: string | undefined
  readonly message: string | undefined
}

export interface Upload {
  readonly sent: ClientRequest
  readonly answer: Promise<Answer>
}

interface RunningImport {
  readonly importId: string
  readonly phase: string
}

export interface UploadScene {
  readonly finance: PanelClient
  readonly midId: string
  /** A file of fees. */
  fileOf(name: string, count: number): string
  /** Of a file of which nothing is sent yet. */
  begin(name: string, length: number, importId?: string): Upload
  imports(): Promise<readonly RunningImport[]>
  untilImports(phases: readonly string[]): Promise<void>
  /** Holds what an import of the MID holds. */
  whileLocked(work: () => Promise<void>): Promise<void>
}

export async function uploadScene(shop: Shop): Promise<UploadScene> {
  const finance = await panelOf(shop, { role: 'finance' })
  const { rows: mids } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  const midId: string = mids[0].id
  const day = shop.base.clock.now().toISOString().slice(0, 10)
  const imports = async (): Promise<readonly RunningImport[]> =>
    (await finance.get('/settlements/imports')).body.imports
  return {
    finance,
    midId,
    imports,
    fileOf: (name, count) => {
      const rows = Array.from({ length: count }, (_, index) => `${name}-${index},fee,,EUR,0.00,0.01,-0.01,${day}`)
      return ['row,type,payment_id,currency,gross,fee,net,date', ...rows, `end,${count}`, ''].join('\n')
    },
    begin: (name, length, importId = crypto.randomUUID()) => {
      const query = new URLSearchParams({ midId, name, importId })
      const sent = request(`${shop.url}/admin/api/settlements/upload?${query.toString()}`, {
        method: 'POST',
        headers: {
          cookie: finance.cookie,
          'x-csrf-token': finance.csrf,
          'content-type': 'application/octet-stream',
          'content-length': length,
        },
      })
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      sent.on('error', reject)
      sent.on('response', async (reply) => {
        const body = JSON.parse(await text(reply))
        resolve({ http: reply.statusCode ?? 0, result: body.result, message: body.error?.message })
      })
      sent.flushHeaders()
      return { sent, answer: promise }
    },
    untilImports: async (phases) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const found = (await imports()).map(({ phase }) => phase)
        if (found.toSorted().join() === phases.toSorted().join()) return
        await sleep(50)
      }
      assert.fail(`The imports are not ${phases.join(', ')}.`)
    },
    whileLocked: async (work) => {
      const client = await shop.base.pool.connect()
      try {
        await client.query('begin')
        await client.query(`select pg_advisory_xact_lock(hashtextextended('settlement ' || $1, 0))`, [midId])
        await work()
      } finally {
        await client.query('rollback')
        client.release()
      }
    },
  }
}
