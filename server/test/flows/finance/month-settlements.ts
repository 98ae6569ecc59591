/** The import of a month's settlement files: of each MID the usual one, and a late one a week after it. */
import assert from 'node:assert/strict'
import { dayMs } from '#domain/time.ts'
import { adyenMid } from './month-adyen.ts'
import { rowInEuros, type SettledRow, withDifferences } from './month-differences.ts'
import type { SettlementFile } from './month-files.ts'
import { commonFile, listExecuted, sandboxFile } from './month-sandbox.ts'
import type { Month } from './month-scene.ts'

interface Acquirer {
  listExecuted(): Promise<readonly SettledRow[]>
  writeFile(rows: readonly SettledRow[], day: string): Promise<SettlementFile>
  writeLateFile(rows: readonly SettledRow[], day: string): Promise<SettlementFile>
}

export async function importSettlements(month: Month): Promise<void> {
  const { shop, finance, mids, today, rowsOf } = month
  const found = await rowsOf<{ id: string; name: string; connector: string }>(
    `select distinct m.id, m.name, m.connector from payments p join mids m on m.id = p.mid_id where not p.test order by m.connector desc, m.name`,
  )
  for (const { id, name } of found) mids.set(name, id)
  assert.deepEqual(
    found.map(({ connector }) => connector),
    ['sandbox', 'sandbox', 'adyen'],
    'two acquirers',
  )
  await shop.advance(dayMs)
  const planted: string[] = []
  const lateRows = new Map<string, readonly SettledRow[]>()
  const others = new Map<string, string>()
  for (const [name, midId] of mids) others.set(name, (await paymentsAt(month, midId, 'SETTLED'))[0] ?? '')
  for (const [name, midId] of mids) {
    const acquirer = acquirerOf(month, name, midId)
    const [declined = ''] = await paymentsAt(month, midId, 'DECLINED')
    const [, elsewhere = ''] = [...others].find(([other]) => other !== name) ?? []
    const { rows, late, differences } = withDifferences(await acquirer.listExecuted(), { declined, elsewhere })
    planted.push(...differences)
    lateRows.set(name, [{ ...rowInEuros('', '', 0n, 1n), effect: 'fee' }, late])
    const file = await acquirer.writeFile(rows, today())
    const { body, text } = await finance.post('/settlements', { midId, name: `${name}.csv`, ...file })
    assert.equal(body.result, 'imported', text)
  }
  // A transaction is missing only after the usual days; a later file covers them, with a row that comes late.
  await shop.advance(7 * dayMs)
  for (const [name, midId] of mids) {
    const file = await acquirerOf(month, name, midId).writeLateFile(lateRows.get(name) ?? [], today())
    const { body } = await finance.post('/settlements', { midId, name: 'late.csv', ...file })
    if (body.result !== 'imported') assert.fail(JSON.stringify(body.faults))
  }
  const { differences } = (await finance.get('/settlements/differences?limit=200')).body
  const listed = differences.map((one: Record<string, string>) => `${one['kind']} ${one['paymentId']}`)
  assert.deepEqual(listed.toSorted(), planted.toSorted())
}

const acquirerOf = (month: Month, name: string, midId: string): Acquirer =>
  name === adyenMid
    ? month.adyen
    : {
        listExecuted: () => listExecuted(month, { name, midId }),
        writeFile: async (rows, day) => sandboxFile(rows, { mid: name, day }),
        writeLateFile: async (rows, day) => commonFile(rows, { mid: name, day }),
      }

const paymentsAt = async ({ rowsOf }: Month, midId: string, status: string): Promise<readonly string[]> =>
  (
    await rowsOf<{ id: string }>('select id from payments where mid_id = $1 and status = $2 and not test order by id', [
      midId,
      status,
    ])
  ).map(({ id }) => id)
