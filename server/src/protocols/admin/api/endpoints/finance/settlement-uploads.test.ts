/** Settlement files that are uploaded as they are: imported while they arrive, whole or not at all. See decisions/imports#uploads. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { streamSpacesUntil } from '../../uploads/arriving-file.ts'

let shop: Shop
let midId: string
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office'])
  finance = await panelOf(shop, { role: 'finance' })
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  midId = rows[0].id
})
after(() => shop[Symbol.asyncDispose]())

const heading = 'row,type,payment_id,currency,gross,fee,net,date'
const day = (): string => shop.base.clock.now().toISOString().slice(0, 10)
const fileOf = (name: string, count: number): string => {
  const rows = Array.from({ length: count }, (_, index) => `${name}-${index},fee,,EUR,0.00,0.01,-0.01,${day()}`)
  return [heading, ...rows, `end,${count}`, ''].join('\n')
}

interface Sending {
  readonly by?: PanelClient
  readonly headers?: Readonly<Record<string, string>>
  /** The length that is announced. */
  readonly length?: number
  /** The connection ends after what was sent. */
  readonly cutAfterMs?: number
}

/** Over plain HTTP, so that a test can announce more than it sends. */
async function send(name: string, content: string, { by = finance, headers = {}, length, cutAfterMs }: Sending = {}) {
  const query = new URLSearchParams({ midId, name })
  const sent = request(`${shop.url}/admin/api/settlements/upload?${query}`, {
    method: 'POST',
    headers: {
      cookie: by.cookie,
      'x-csrf-token': by.csrf,
      'content-type': 'application/octet-stream',
      'content-length': length ?? Buffer.byteLength(content),
      ...headers,
    },
  })
  const { promise, resolve, reject } = Promise.withResolvers<{ http: number; text: string }>()
  sent.on('error', reject)
  sent.on('response', async (reply) => {
    let text = ''
    for await (const chunk of reply) text += String(chunk)
    resolve({ http: reply.statusCode ?? 0, text })
  })
  sent.write(content)
  if (cutAfterMs !== undefined) setTimeout(() => sent.destroy(new Error('cut')), cutAfterMs)
  else if (length === undefined) sent.end()
  const { http, text } = await promise.finally(() => sent.destroy())
  return { http, text, body: JSON.parse(text) }
}

const stored = async (): Promise<string> => {
  const { rows } = await shop.base.pool.query(
    `select (select count(*) from settlement_files) || ' ' || (select count(*) from settlement_rows) || ' '
       || (select count(*) from book_entries) || ' ' || (select count(*) from audit_log where action = 'settlement.import') as counts`,
  )
  return rows[0].counts
}

test('a file is imported while it arrives, under its own digest, and a second time it changes nothing', async () => {
  const content = fileOf('A', 2500)
  const first = await send('a.csv', content)
  assert.deepEqual([first.http, first.body.result, first.body.file?.rowCount], [200, 'imported', 2500], first.text)
  assert.equal(first.body.file.sha256, (await sha256Of(content)).toString('hex'))
  const before = await stored()
  assert.equal(before, '1 2500 5000 1')
  const again = await send('again.csv', content)
  assert.deepEqual([again.http, again.body.result, again.body.file.id], [200, 'known', first.body.file.id])
  const asText = { midId, name: 'a.csv', content: Buffer.from(content).toString('base64') }
  assert.equal((await finance.post('/settlements', asText)).body.result, 'known', 'however it is sent')
})

const sha256Of = async (text: string): Promise<Buffer> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text)))

test('a file with a wrong row, without its end, or with rows of another file is refused with a report, and nothing is kept', async () => {
  const before = await stored()
  const wrong = await send('wrong.csv', fileOf('C', 3).replace('C-1,fee', 'C-1,fees'))
  assert.deepEqual([wrong.http, wrong.body.result, wrong.body.faults[0].line], [200, 'refused', 3], wrong.text)
  const unended = await send('unended.csv', fileOf('C', 3).replace('end,3\n', ''))
  assert.match(unended.body.faults[0].text, /the file was cut/)
  assert.equal((await send('rows.csv', fileOf('A', 2))).body.result, 'refused', 'rows that another file has')
  assert.equal(await stored(), before)
})

test('an upload that is cut imports nothing, and does not keep others waiting', async () => {
  const before = await stored()
  const content = fileOf('D', 5000)
  await assert.rejects(send('cut.csv', content, { length: content.length + 1000, cutAfterMs: 500 }))
  for (let tries = 0; tries < 50 && (await finance.get('/settlements/imports')).body.imports.length > 0; tries += 1)
    await sleep(100)
  assert.equal(await stored(), before)
  assert.equal((await send('d.csv', content)).body.result, 'imported')
})

test('a running import is cancelled by anybody who may import, also if its upload stands still; nothing is kept', async () => {
  const before = await stored()
  const content = fileOf('F', 3000)
  const running = send('f.csv', content, { length: content.length + 1_000_000, cutAfterMs: 5000 })
  const until = async (count: number): Promise<void> => {
    for (let tries = 0; tries < 40; tries += 1) {
      if ((await finance.get('/settlements/imports')).body.imports.length === count) return
      await sleep(100)
    }
    assert.fail(`There are not ${count} imports.`)
  }
  const support = await panelOf(shop, { role: 'support' })
  await until(1)
  const path = `/settlements/imports/${(await finance.get('/settlements/imports')).body.imports[0].importId}`
  assert.equal((await support.send('DELETE', path, {})).http, 403)
  assert.equal((await finance.send('DELETE', path, {})).http, 200)
  await until(0)
  assert.equal((await finance.send('DELETE', path, {})).http, 409, 'there is none any more')
  const ended = await running.catch(() => null)
  assert.ok(ended === null || ended.http === 409, 'refused while it was written, or cut while it waited for more')
  assert.equal(await stored(), before)
  const again = await send('f.csv', content)
  assert.equal(again.body.result, 'imported', again.text)
})

test('who may not import, a page that is not ours, another type of body and a file that is too large are refused', async () => {
  const before = await stored()
  const [support, content] = [await panelOf(shop, { role: 'support' }), fileOf('E', 2)]
  assert.equal((await send('e.csv', content, { by: support })).http, 403)
  assert.equal((await send('e.csv', content, { headers: { 'x-csrf-token': 'wrong' } })).http, 403)
  assert.equal((await send('e.csv', content, { headers: { cookie: 'a=b' } })).http, 401)
  const json = await send('e.csv', '{}', { headers: { 'content-type': 'application/json' } })
  assert.deepEqual([json.http, /application\/octet-stream/.test(json.text)], [422, true], json.text)
  const large = await send('e.csv', content, { length: 1_000_000_001 })
  assert.deepEqual([large.http, /larger than 1 GB/.test(large.text)], [413, true], large.text)
  assert.equal(
    (await finance.send('POST', '/settlements', content, { 'content-type': 'application/octet-stream' })).http,
    422,
  )
  assert.equal(await stored(), before)
})

test('an answer that takes long begins with spaces, and is read like any other', async () => {
  let text = ''
  for await (const part of streamSpacesUntil(sleep(100, '{"a":1}'), 10)) text += part
  assert.match(text, /^ {2,}\{/)
  assert.deepEqual(JSON.parse(text), { a: 1 })
})
