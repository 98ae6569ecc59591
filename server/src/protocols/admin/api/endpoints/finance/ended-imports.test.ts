/**
 * Imports of settlement files that end before their time, and what they keep from others meanwhile. See decisions/imports#end-of-an-import
 * and decisions/imports#uploads.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Upload, type UploadScene, uploadScene } from '../../../../../../test/panel/settlement-uploads.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { AdminRefused } from '../../../../../panel/admin-refused.ts'
import { importSettlement } from '../../../../../panel/finance/settlement-import.ts'
import { endImport } from '../../../../../store/finance/running-imports.ts'

let shop: Shop
let scene: UploadScene
before(async () => {
  shop = await openShop({}, ['back office'])
  scene = await uploadScene(shop)
})
after(() => shop[Symbol.asyncDispose]())

/** Fails instead of waiting for what holds the import up. */
const soon = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, sleep(5000, null, { ref: false }).then(() => assert.fail('It took five seconds.'))])

test('an upload that is sent again takes the place of one that has arrived and waits for its MID; the last one counts', async () => {
  const content = scene.fileOf('THIRD', 20)
  const importId = crypto.randomUUID()
  let last: Upload | null = null
  await scene.whileLocked(async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      const before: Upload | null = last
      last = scene.begin('third.csv', content.length, importId)
      last.answer.catch(() => undefined)
      last.sent.end(content)
      if (before !== null) await soon(assert.rejects((before as Upload).answer))
      await scene.untilImports(['waiting'])
    }
  })
  assert.equal((await (last as Upload | null)?.answer)?.result, 'imported')
})

test('an upload whose caller leaves while it waits for its MID does not keep the next one waiting', async () => {
  const content = scene.fileOf('LEFT', 20)
  await scene.whileLocked(async () => {
    const left = scene.begin('left.csv', content.length)
    left.sent.end(content)
    await scene.untilImports(['waiting'])
    const cut = assert.rejects(left.answer)
    left.sent.destroy()
    await cut
    await soon(scene.untilImports([]))
  })
  const next = scene.begin('next.csv', content.length)
  next.sent.end(content)
  assert.equal((await next.answer).result, 'imported')
})

test('an upload that is begun while the one before is being cancelled is imported, and is refused only if that one goes on', async () => {
  const content = scene.fileOf('NEXT', 20)
  const importId = crypto.randomUUID()
  await scene.whileLocked(async () => {
    const cancelled = scene.begin('cancelled.csv', content.length, importId)
    cancelled.sent.end(content)
    await scene.untilImports(['waiting'])
    const refused = scene.begin('refused.csv', content.length)
    refused.sent.end(content)
    assert.equal((await refused.answer).http, 409)
    const next = scene.begin('next.csv', content.length)
    next.sent.write(content.slice(0, 100))
    await sleep(300)
    assert.equal((await scene.finance.send('DELETE', `/settlements/imports/${importId}`, {})).http, 200)
    assert.equal((await cancelled.answer).http, 409)
    await soon(scene.untilImports(['waiting']))
    next.sent.destroy()
    await assert.rejects(next.answer)
    await soon(scene.untilImports([]))
  })
})

test('an import that is ended is over only when nothing would end another one under its id', async () => {
  const gone = new AbortController()
  let isCut = false
  const cut = async (importId: string): Promise<void> => {
    await endImport(shop.base.pool, importId)
    await sleep(200)
    isCut = true
  }
  const upload = {
    mid: { id: scene.midId, name: 'sandbox-live', currencies: [] },
    acquirerMid: null,
    name: 'twice.csv',
    format: 'common' as const,
    arrives: true as const,
    open: async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(scene.fileOf('TWICE', 10))
      gone.abort(new AdminRefused('invalid', { message: 'The upload was cut.' }))
      await sleep(60_000, null, { ref: false })
    },
    end: { signal: gone.signal, cut },
    pace: { isHurried: () => true },
  }
  const context = { ...shop.base, machine: shop.base.clock }
  await soon(assert.rejects(importSettlement(context, { label: 'a test', address: null }, upload)))
  assert.equal(isCut, true)
})

test('an import whose caller has left ends with a refusal, and is no fault', async () => {
  const refusal = new AdminRefused('invalid', { message: 'The upload was cut.' })
  for (const when of ['before', 'meanwhile']) {
    const gone = new AbortController()
    if (when === 'before') gone.abort(refusal)
    const upload = {
      mid: { id: scene.midId, name: 'sandbox-live', currencies: [] },
      acquirerMid: null,
      name: 'gone.csv',
      format: 'common' as const,
      arrives: true as const,
      open: async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(scene.fileOf('GONE', 1500))
        gone.abort(refusal)
        await sleep(60_000, null, { ref: false })
      },
      end: { signal: gone.signal, cut: (importId: string) => endImport(shop.base.pool, importId) },
      pace: { isHurried: () => true },
    }
    const context = { ...shop.base, machine: shop.base.clock }
    const ended = importSettlement(context, { label: 'a test', address: null }, upload)
    await soon(assert.rejects(ended, refusal))
  }
  await scene.untilImports([])
})

test('while rows arrive, differences can be resolved and their table analysed; a late row resolves what was missing when all have arrived', async () => {
  const { trans_id: paymentId } = (await shop.sale({})).body
  const { pool } = shop.base
  const first = scene.fileOf('FIRST', 1)
  const before = scene.begin('first.csv', first.length)
  before.sent.end(first)
  assert.equal((await before.answer).result, 'imported')
  const { rows } = await pool.query(
    `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, merchant_id, payment_id, transaction_id, file_id, found_at)
     select gen_random_uuid(), mid_id, current_date, 'missing-there', 'EUR', amount_minor, merchant_id, payment_id, id, (select id from settlement_files limit 1), now()
     from transactions where payment_id = $1 and type = 'SALE' returning id`,
    [paymentId],
  )
  const [{ id }] = rows
  const content = scene
    .fileOf('ARRIVED', 3000)
    .replace('ARRIVED-0,fee,,EUR,0.00,0.01,-0.01', `ARRIVED-0,charge,${paymentId},EUR,10.00,0.10,9.90`)
  const { sent, answer } = scene.begin('arrived.csv', content.length)
  sent.write(content.slice(0, -1000))
  await scene.untilImports(['reading'])
  const countLocks = async (): Promise<number> =>
    (
      await pool.query(
        "select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'settlement_differences' and l.mode = 'ShareUpdateExclusiveLock'",
      )
    ).rows[0].n
  await sleep(500)
  assert.equal(await countLocks(), 0)
  await pool.query('select from settlement_differences where id = $1 for update nowait', [id])
  sent.end(content.slice(-1000))
  assert.equal((await answer).result, 'imported')
  const resolved = await pool.query(
    'select resolved_at is not null as resolved, note from settlement_differences where id = $1',
    [id],
  )
  assert.deepEqual(resolved.rows, [{ resolved: true, note: 'The acquirer settled it later, in row ARRIVED-0.' }])
})
