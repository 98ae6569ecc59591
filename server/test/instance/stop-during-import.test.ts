/** A process that is to end while it imports settlement files. See decisions/imports#end-of-an-import. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PanelClient, panelOf } from '../panel/admin.ts'
import { openShop, type Shop } from '../shop.ts'
import { spawnGateway } from './gateway-process.ts'

let shop: Shop
let midId: string
before(async () => {
  shop = await openShop()
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  midId = rows[0].id
})
after(() => shop[Symbol.asyncDispose]())

function start(more: Readonly<Record<string, string>>) {
  const environment = {
    DATABASE_URL: shop.base.databaseUrl,
    DATA_DIR: shop.base.config.dataDir,
    LOG_LEVEL: 'error',
    PORT: '0',
    SESSION_KEY_BITS: '2048',
    ...more,
  }
  return spawnGateway([], { environment })
}

/** Reads on, because the process writes its log there. */
const readyAt = (child: ReturnType<typeof start>): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (words: string) => {
      said += words
      const [, found] = /ready: (http:\S+)/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
    child.stderr.resume()
    child.once('exit', () => reject(new Error(said)))
  })

const heading = 'row,type,payment_id,currency,gross,fee,net,date'
const rowsOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}-${index},fee,,EUR,0.00,0.01,-0.01,2026-01-02\n`).join('')

/** The answer to an upload of which only the beginning is sent. */
async function uploadBeginning(url: string, { cookie, csrf }: PanelClient): Promise<{ http: number; body: string }> {
  const sent = request(
    `${url}/admin/api/settlements/upload?${new URLSearchParams({ midId, name: 'long.csv' }).toString()}`,
    {
      method: 'POST',
      headers: {
        cookie,
        'x-csrf-token': csrf,
        'content-type': 'application/octet-stream',
        'content-length': 100_000_000,
      },
    },
  )
  const { promise, resolve, reject } = Promise.withResolvers<{ http: number; body: string }>()
  sent.on('error', reject)
  sent.on('response', async (reply) => resolve({ http: reply.statusCode ?? 0, body: await text(reply) }))
  sent.write(`${heading}\n${rowsOf('LONG', 2500)}`)
  return promise.finally(() => sent.destroy())
}

async function untilImports(panel: PanelClient, phases: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const imports: readonly { readonly phase: string }[] = (await panel.get('/settlements/imports')).body.imports
    if (
      imports
        .map(({ phase }) => phase)
        .toSorted()
        .join() === phases
    )
      return
    await sleep(50)
  }
  assert.fail(`The imports are not ${phases}.`)
}

const cases = [
  { where: 'beside payments', hasOwnPort: false },
  { where: 'on its own port', hasOwnPort: true },
]

for (const { where, hasOwnPort } of cases)
  test(`on SIGTERM imports of a panel ${where} end at once, are to be sent again, and the process ends in order`, async (t) => {
    const port = hasOwnPort ? await findFreePort() : null
    const child = start(port === null ? {} : { ADMIN_PORT: String(port) })
    t.after(() => child.kill('SIGKILL'))
    const ready = await readyAt(child)
    const url = port === null ? ready : `http://127.0.0.1:${port}`
    const { cookie, csrf } = await panelOf(shop, { role: 'finance' })
    const panel = Object.assign(new PanelClient(url), { cookie, csrf })
    const uploaded = uploadBeginning(url, panel)
    await untilImports(panel, 'reading')
    // The import of a text waits for the upload, which is of the same MID.
    const content = Buffer.from(`${heading}\n${rowsOf('TEXT', 1)}end,1\n`).toString('base64')
    const posted = panel.post('/settlements', { midId, name: 'text.csv', content })
    await untilImports(panel, 'reading,waiting')

    const begun = performance.now()
    child.kill('SIGTERM')
    const exit = once(child, 'exit')
    const [upload, post] = await Promise.all([uploaded, posted])
    assert.deepEqual([upload.http, post.http], [503, 503], `${upload.body} ${post.text}`)
    for (const body of [upload.body, post.text]) assert.match(body, /Send the file again/)
    const late = await panel.post('/settlements', { midId, name: 'late.csv', content })
    assert.deepEqual([late.http, late.body.error.code], [503, 'ending'], 'a new import is refused')
    assert.deepEqual(await exit, [0, null])
    assert.ok(performance.now() - begun < 7000, `It took ${performance.now() - begun} ms.`)
    const { rows } = await shop.base.pool.query(
      `select (select count(*)::int from settlement_files) as files, (select count(*)::int from settlement_rows) as rows,
       (select count(*)::int from pg_stat_activity where datname = current_database() and application_name like 'settling %') as imports`,
    )
    assert.deepEqual(rows, [{ files: 0, rows: 0, imports: 0 }])
  })

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : assert.fail('There is no port.')
}
