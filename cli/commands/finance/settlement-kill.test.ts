/** An import that is killed leaves nothing of its file, and the file can be imported again. Chapter 60 §5. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readRunningImports } from '#server/store/finance/running-imports.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const environment = { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir }
const root = fileURLToPath(new URL('../../..', import.meta.url))
const tables = [
  'settlement_files',
  'settlement_rows',
  'settlement_differences',
  'settlement_payouts',
  'book_entries',
] as const

async function counts(): Promise<Readonly<Record<string, number>>> {
  const sums = tables.map((name) => `(select count(*)::int from ${name}) as ${name}`)
  return (await shop.base.pool.query(`select ${sums.join(', ')}`)).rows[0]
}

/** Until so many rows are read; the process could have ended by itself meanwhile, which would prove nothing. */
async function untilRead(rows: number, child: ChildProcess): Promise<void> {
  for (;;) {
    const [running] = await readRunningImports(shop.base.pool)
    if (running !== undefined && running.rows >= rows) return
    assert.equal(child.exitCode, null, 'The import ended before it was killed.')
    await pause(10)
  }
}

test('an import that is killed in the middle leaves nothing, and is repeated whole', async () => {
  const { body } = await shop.sale({})
  const path = join(shop.base.config.dataDir, 'large.csv')
  const [rowCount, charges] = [14_000, 1500]
  const lines = Array.from({ length: rowCount }, (_, index) =>
    index < charges
      ? `R-${index},charge,${body.trans_id},EUR,10.00,0.14,9.86,2026-01-02,PAYOUT-1`
      : `R-${index},fee,,EUR,0.00,0.14,-0.14,2026-01-02,PAYOUT-1`,
  )
  const heading = 'row,type,payment_id,currency,gross,fee,net,date,payout'
  await writeFile(path, [heading, ...lines, `end,${rowCount}`, ''].join('\n'))
  const before = await counts()
  const words = ['settlement', 'import', path, '--mid', 'sandbox-live', '--json']
  const child = spawn(process.execPath, ['cli/main.ts', ...words], {
    cwd: root,
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await untilRead(10_000, child)
  child.kill('SIGKILL')
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  assert.deepEqual(await counts(), before)

  const again = await runGatehouse(words, { environment, signal: AbortSignal.abort() })
  assert.equal(again.code, 0, again.err)
  const { settlement_rows: rows, settlement_files: files, settlement_differences: differences } = await counts()
  assert.deepEqual(
    [rows, files, differences],
    [rowCount, 1, charges - 1],
    'one row settles the payment, the others double it',
  )
})
