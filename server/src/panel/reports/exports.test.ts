import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeUser, merchantId, panelOf } from '../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../test/shop.ts'
import { readSource } from '../../store/instance/read-source.ts'
import type { PanelContext } from '../panel-context.ts'
import { beginExport, cancelExport, claimExport, exportedLines, requireExport } from './exports.ts'

let shop: Shop
let context: PanelContext
before(async () => {
  shop = await openShop({}, ['back office'])
  // The parts of the panel that an export needs.
  const reports = readSource({ primary: shop.base.pool, replica: null, reportChange: () => undefined })
  context = { ...shop.base, reports, configuration: shop.service.configuration } as unknown as PanelContext
  await shop.sale({})
})
after(() => shop[Symbol.asyncDispose]())

const everybody = { permissions: new Set(['payments.export'] as const), merchants: 'all' } as const

async function beginUserExport() {
  const { id: userId } = await makeUser(shop)
  const exporter = { userId, grant: everybody }
  const { id, rowsTotal } = await beginExport(context, exporter, {}, { kind: 'payments', sent: {} })
  return { exporter, userId, id, rowsTotal }
}

test('an export that is cancelled while it is written ends after the page in progress', async () => {
  const { exporter, userId, id } = await beginUserExport()
  await claimExport(context, userId, id)
  const lines = exportedLines(context, exporter, { id, kind: 'payments' }, {})[Symbol.asyncIterator]()
  assert.match((await lines.next()).value, /^id,/)
  await cancelExport(context, userId, id)
  await lines.next()
  assert.ok((await lines.next()).done)
  assert.equal((await requireExport(context, userId, id)).state, 'cancelled')
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
  for await (const _line of exportedLines(context, exporter, { id, kind: 'payments' }, {})) break
  const row = await requireExport(context, userId, id)
  assert.equal(row.state, 'failed')
  assert.ok(row.rowsWritten < rowsTotal)
})

test('a payment is exported with names and references, and each of its transactions has a row of its own', async () => {
  const demo = await merchantId(shop, 'demo')
  const finance = await panelOf(shop, { role: 'finance' })
  const validFrom = shop.base.clock.now().toISOString().slice(0, 10)
  const rules = [
    { kinds: ['sale'], share: 30_000 },
    { kinds: ['refund'], currency: 'EUR', fixedMinor: '10' },
  ]
  const added = await finance.post(`/merchants/${demo}/price-lists`, { validFrom, country: 'DE', rules })
  assert.equal(added.http, 200, added.text)
  await shop.service.configuration.refresh()
  const { trans_id } = (await shop.sale({ order_id: 'EXPORTED', auth: 'Y' })).body
  await shop.followUp('CAPTURE', trans_id)
  await shop.service.awaitIdle()
  await finance.post(`/merchants/${demo}/payments/${trans_id}/refund`, { amountMinor: '400', reason: 'returned' })
  await shop.service.awaitIdle()
  const filter = { orderId: 'EXPORTED' }
  const fileOf = async (
    kind: 'payments' | 'transactions',
    grant: Parameters<typeof beginExport>[1]['grant'] = everybody,
  ): Promise<readonly (readonly string[])[]> => {
    const { id: userId } = await makeUser(shop)
    const exporter = { userId, grant }
    const row = await beginExport(context, exporter, filter, { kind, sent: filter })
    await claimExport(context, userId, row.id)
    const lines: string[] = []
    for await (const part of exportedLines(context, exporter, row, filter)) lines.push(part)
    return lines
      .join('')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
  }
  const [head = [], ...payments] = await fileOf('payments')
  const cell = (name: string): string | undefined => payments[0]?.[head.indexOf(name)]
  assert.equal(payments.length, 1)
  assert.deepEqual(
    [cell('merchant'), cell('mid'), cell('attempt'), cell('kind')],
    ['demo', 'sandbox-live', '1', 'sale'],
  )
  const { rows } = await shop.base.pool.query(
    `select reference, facts->>'rrn' as rrn, facts->>'approvalCode' as code from transactions where payment_id = $1 and type in ('AUTH', 'CAPTURE') order by id`,
    [trans_id],
  )
  const last = (name: string): string => rows.map((row) => row[name]).findLast((value) => value !== null) ?? ''
  assert.deepEqual(
    [cell('reference'), cell('rrn'), cell('approval_code')],
    [last('reference'), last('rrn'), last('code')],
  )
  const [heads = [], ...transactions] = await fileOf('transactions')
  assert.deepEqual(
    transactions.map((row) => row[heads.indexOf('type')]),
    ['AUTH', 'CAPTURE', 'REFUND'],
  )
  assert.deepEqual(
    transactions.map((row) => row[heads.indexOf('fee')]),
    ['0.00', '0.30', '0.10'],
  )
  assert.equal(cell('fee'), '0.40')
  const { rows: days } = await shop.base.pool.query('select financial_day::text as day from payments where id = $1', [
    trans_id,
  ])
  assert.ok(days[0].day !== null && transactions.every((row) => row[heads.indexOf('financial_day')] === days[0].day))
  assert.ok(transactions.every((row) => row[heads.indexOf('payment_id')] === trans_id))

  assert.ok(!heads.includes('acquirer_fee') && !head.includes('acquirer_fee'), 'not for users who see no settlements')
  const seer = { permissions: new Set(['payments.export', 'settlements.read'] as const), merchants: 'all' } as const
  const feesOf = async (kind: 'payments' | 'transactions'): Promise<readonly string[]> => {
    const [titles = [], ...lines] = await fileOf(kind, seer)
    assert.deepEqual(titles.slice(-2), ['acquirer_fee', 'acquirer_fee_currency'])
    return lines.map((line) => line.slice(-2).join(' ').trim())
  }
  assert.deepEqual(
    [await feesOf('payments'), await feesOf('transactions')],
    [[''], ['', '', '']],
    'before a file has them',
  )
  const file = crypto.randomUUID()
  await shop.base.pool.query(
    `insert into settlement_files (id, mid_id, name, format, sha256, row_count, imported_by, imported_at)
     select $1, id, 'a.csv', 'common', repeat('0', 64), 2, 'a test', now() from mids where name = 'sandbox-live'`,
    [file],
  )
  const capture = transactions.find((row) => row[heads.indexOf('type')] === 'CAPTURE')?.[0]
  await shop.base.pool.query(
    `insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on, transaction_id)
     select f.mid_id, ref, file, line, kind, currency, gross, gross - net, net, '2026-03-01', $2::uuid from settlement_files f,
       (values ('R1', $1::uuid, 1, 'charge', 'EUR', 1000, 986), ('R2', $1, 2, 'fee', 'EUR', 0, -5), ('R3', $1, 3, 'fee', 'KWD', 0, -7))
         as given (ref, file, line, kind, currency, gross, net) where f.id = $1`,
    [file, capture],
  )
  assert.deepEqual(await feesOf('transactions'), ['', '0.19 0.007 EUR KWD', ''])
  assert.deepEqual(await feesOf('payments'), ['0.19 0.007 EUR KWD'])
})
