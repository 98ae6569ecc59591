/** Bodies that arrive slowly: a settlement file has the time of its import, everything else a minute. See decisions/imports#uploads. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Upload, type UploadScene, uploadScene } from '../../../../../../test/panel/settlement-uploads.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

/** A minute of an instance. */
const bodyMs = 200

let shop: Shop
let scene: UploadScene
before(async () => {
  shop = await openShop({}, ['back office'], { bodyMs })
  scene = await uploadScene(shop)
})
after(() => shop[Symbol.asyncDispose]())

test('an upload that takes longer than other bodies may is imported', async () => {
  const content = scene.fileOf('SLOW', 2000)
  const { sent, answer } = scene.begin('slow.csv', content.length)
  sent.write(content.slice(0, 30_000))
  await sleep(3 * bodyMs)
  sent.write(content.slice(30_000, 60_000))
  await sleep(3 * bodyMs)
  sent.end(content.slice(60_000))
  assert.deepEqual(await answer, { http: 200, result: 'imported', message: undefined })
})

test('an upload that waits for another import of its MID is imported afterwards, however long nothing is sent', async () => {
  const content = scene.fileOf('WAITS', 20)
  const { timeout } = shop.service.app.server
  shop.service.app.server.setTimeout(bodyMs)
  let waiting: Upload | null = null
  await scene.whileLocked(async () => {
    waiting = scene.begin('waits.csv', content.length)
    waiting.sent.write(content.slice(0, 100))
    await scene.untilImports(['waiting'])
    await sleep(3 * bodyMs)
    waiting.sent.end(content.slice(100))
  })
  shop.service.app.server.setTimeout(timeout)
  assert.equal((await (waiting as Upload | null)?.answer)?.result, 'imported')
})

test('an upload that the browser repeats by itself takes the place of the one before', async () => {
  const content = scene.fileOf('AGAIN', 3000)
  const importId = crypto.randomUUID()
  const first = scene.begin('again.csv', content.length, importId)
  const ended = assert.rejects(first.answer)
  first.sent.write(content.slice(0, 60_000))
  await scene.untilImports(['reading'])
  const other = scene.begin('other.csv', content.length)
  other.sent.write(content.slice(0, 1000))
  const { http, message } = await other.answer
  other.sent.destroy()
  assert.deepEqual([http, message?.startsWith('Another import is running.')], [409, true])
  const again = scene.begin('again.csv', content.length, importId)
  again.sent.end(content)
  assert.equal((await again.answer).result, 'imported')
  await ended
})

test('an import that waits is cancelled by its id, and the one before it goes on', async () => {
  await scene.whileLocked(async () => {
    const { sent, answer } = scene.begin('cancelled.csv', 1_000_000)
    sent.write(scene.fileOf('C', 10))
    await scene.untilImports(['waiting'])
    const [{ importId } = { importId: '' }] = await scene.imports()
    assert.equal((await scene.finance.send('DELETE', `/settlements/imports/${crypto.randomUUID()}`, {})).http, 409)
    assert.equal((await scene.imports()).length, 1, 'another id ends nothing')
    assert.equal((await scene.finance.send('DELETE', `/settlements/imports/${importId}`, {})).http, 200)
    assert.equal((await answer).http, 409)
    sent.destroy()
    await scene.untilImports([])
    const { rows } = await shop.base.pool.query(
      `select after::json as after from audit_log where action = 'settlement.cancel-import' and subject = $1`,
      [`mid ${scene.midId}`],
    )
    assert.deepEqual(rows, [{ after: { importId } }])
  })
})

/** What a connection receives on which a request is sent whose body never ends. */
async function drip(head: string): Promise<string> {
  const { hostname, port } = new URL(shop.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (data) => {
    received += data.toString()
  })
  // The last bytes cross the end of the connection.
  socket.on('error', () => undefined)
  socket.write(`${head}\r\nhost: ${hostname}:${port}\r\ncontent-length: 1000\r\n\r\n`)
  const byte = setInterval(() => socket.write('x'), bodyMs / 10)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(byte)
  return received
}

// biome-ignore format: a table is read in columns.
const slow: readonly (readonly [what: string, head: string, answers: readonly number[]])[] = [
  ['a merchant’s request',                'POST /post HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded',                     [408]],
  ['a request of the panel',              'POST /admin/api/session HTTP/1.1\r\ncontent-type: application/json',                         [408]],
  ['a request of no route',               'POST /nothing HTTP/1.1',                                                                     [404, 408]],
  ['an address that cannot be read',      'POST /%ff HTTP/1.1',                                                                         [400, 408]],
  ['an upload of nobody',                 'POST /admin/api/settlements/upload HTTP/1.1\r\ncontent-type: application/octet-stream',      [401, 408]],
  ['an upload that is no file',           'POST /admin/api/settlements/upload HTTP/1.1\r\ncontent-type: application/json',              [401, 408]],
]

for (const [what, head, answers] of slow)
  test(`the connection of ${what} ends with 408 if its body does not arrive in time`, async () => {
    const received = await drip(head)
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    assert.deepEqual(statuses, answers, received)
  })

test('a request whose body has arrived may be answered later', async () => {
  await scene.whileLocked(async () => {
    const content = Buffer.from(scene.fileOf('LATE', 5)).toString('base64')
    const late = scene.finance.post('/settlements', { midId: scene.midId, name: 'late.csv', content })
    await scene.untilImports(['waiting'])
    await sleep(3 * bodyMs)
    const [{ importId } = { importId: '' }] = await scene.imports()
    await scene.finance.send('DELETE', `/settlements/imports/${importId}`, {})
    assert.equal((await late).http, 409)
  })
})
