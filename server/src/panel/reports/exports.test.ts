import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeUser } from '../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../test/shop.ts'
import type { PanelContext } from '../panel-context.ts'
import { beginExport, cancelExport, claimExport, exportedLines, exportOf } from './exports.ts'

let shop: Shop
let context: PanelContext
before(async () => {
  shop = await openShop()
  // The parts of the panel that an export needs.
  context = { ...shop.base, configuration: shop.service.configuration } as unknown as PanelContext
  await shop.sale({})
})
after(() => shop[Symbol.asyncDispose]())

const everybody = { permissions: new Set(['payments.export'] as const), merchants: 'all' } as const

async function beginUserExport() {
  const { id: userId } = await makeUser(shop)
  const exporter = { userId, grant: everybody }
  const { id, rowsTotal } = await beginExport(context, exporter, {}, {})
  return { exporter, userId, id, rowsTotal }
}

test('an export that is cancelled while it is written ends after the page in progress', async () => {
  const { exporter, userId, id } = await beginUserExport()
  await claimExport(context, userId, id)
  const lines = exportedLines(context, exporter, id, {})[Symbol.asyncIterator]()
  assert.match((await lines.next()).value, /^id,/)
  await cancelExport(context, userId, id)
  await lines.next()
  assert.ok((await lines.next()).done)
  assert.equal((await exportOf(context, userId, id)).state, 'cancelled')
})

test('a cancelled export can be neither cancelled again nor downloaded', async () => {
  const { userId, id } = await beginUserExport()
  await cancelExport(context, userId, id)
  await assert.rejects(cancelExport(context, userId, id), { code: 'conflict' })
  await assert.rejects(claimExport(context, userId, id), { code: 'not_found' })
})

test('an export whose download breaks off is failed and keeps its progress', async () => {
  const { exporter, userId, id, rowsTotal } = await beginUserExport()
  await claimExport(context, userId, id)
  for await (const _line of exportedLines(context, exporter, id, {})) break
  const row = await exportOf(context, userId, id)
  assert.equal(row.state, 'failed')
  assert.ok(row.rowsWritten < rowsTotal)
})
