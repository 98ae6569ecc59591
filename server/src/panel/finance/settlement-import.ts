/**
 * Imports a settlement file of an acquirer: whole, or not at all with a report by row. Chapter 60 §5.
 *
 * The file is read twice, first for its digest, so that a file that was imported before is recognised and changes nothing. Its rows are
 * matched and written in portions inside one transaction, so that each row takes as long as the one before (decision 0243), and rests
 * between them leave the processors to payments (decision 0253).
 */
import { createHash } from 'node:crypto'
import type { Mid } from '#domain/mid.ts'
import type { SettlementFormatName } from '#domain/settlement/settlement-format.ts'
import { firstDayOf } from '#domain/settlement/settlement-match.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type PaceTerms, startPace } from '../../store/finance/import-pace.ts'
import { noteProgress } from '../../store/finance/running-imports.ts'
import { settlementImport } from '../../store/finance/settlement-import.ts'
import { type StoredSettlement, settlementStore } from '../../store/finance/settlements.ts'
import { alertStore } from '../../store/instance/alerts.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import { compareBank } from './bank-comparison.ts'
import { CsvFault } from './csv-records.ts'
import { matchPortion, type NumberedRow, type PortionRow } from './settlement-matching.ts'
import { settlementRows } from './settlement-rows.ts'

const rowsAtOnce = 1000
/** A file of a hundred thousand rows takes a minute: how far it is, is said some ten times. */
const rowsBetweenNotes = 10_000
/** A report of more faults would not be read. */
const faultsShown = 100

interface RowFault {
  readonly line: number
  readonly text: string
}

interface SettlementUpload {
  readonly mid: Pick<Mid, 'id' | 'name' | 'currencies'>
  /** The name under which the acquirer knows the MID; null if it is ours. */
  readonly acquirerMid: string | null
  readonly name: string
  readonly format: SettlementFormatName
  /** Reads the file from its beginning; called twice. */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly pace: PaceTerms
  /** Hears how many rows were read. */
  readonly onRows?: (rows: number) => void
}

export type ImportResult =
  | { readonly kind: 'imported'; readonly file: StoredSettlement }
  /** The same content was imported before; nothing was changed. */
  | { readonly kind: 'known'; readonly file: StoredSettlement }
  | { readonly kind: 'refused'; readonly faults: readonly RowFault[]; readonly faultCount: number }

/** Carries the report out of the transaction, which it rolls back. */
class ImportRefused extends Error {
  readonly faults: readonly RowFault[]
  readonly faultCount: number

  constructor(faults: readonly RowFault[], faultCount: number) {
    super('The settlement file was refused.')
    this.faults = faults
    this.faultCount = faultCount
  }
}

export async function importSettlement(
  context: AdminContext,
  actor: Actor,
  upload: SettlementUpload,
): Promise<ImportResult> {
  const sha256 = await hashChunks(upload.open())
  try {
    return await inTransaction(context.pool, (client) => importIn(client, context, actor, { ...upload, sha256 }))
  } catch (error) {
    if (error instanceof ImportRefused) return { kind: 'refused', faults: error.faults, faultCount: error.faultCount }
    throw error
  }
}

async function importIn(
  client: PoolClient,
  { clock, ids }: AdminContext,
  actor: Actor,
  upload: SettlementUpload & { readonly sha256: string },
): Promise<ImportResult> {
  const { mid, name, format, sha256 } = upload
  const id = ids.next()
  const target = settlementImport(client, mid.id, id)
  await target.lock()
  const store = settlementStore(client)
  const known = await store.withContent(mid.id, sha256)
  if (known) return { kind: 'known', file: known }
  const at = clock.now()
  await target.begin({ name, format, sha256, importedBy: actor.label, importedAt: at })
  const pace = startPace(upload.pace)
  const tally = startTally()
  const rowCount = await writeRows(
    upload,
    noted(client, upload, async (portion) => {
      const rows = await matchPortion(client, mid.id, portion)
      tally.add(rows)
      const written = await target.write(rows, at)
      await pace.rest()
      return written
    }),
  )
  await noteProgress(client, { midId: mid.id, phase: 'matching', rows: rowCount })
  await target.finish({ rowCount, ...tally.sums() }, at, pace)
  await note(client, clock, actor, {
    action: 'settlement.import',
    subject: `settlement ${id}`,
    merchantId: null,
    after: { mid: mid.name, name, format, sha256, rows: rowCount },
  })
  const file = await store.find(id)
  if (!file) throw new Error(`Settlement ${id} was not stored.`)
  await compareBank(client, { clock, ids }, { at, from: file.firstDay })
  if (file.openDifferences > 0)
    await alertStore(client, { clock, ids }).raise({
      kind: 'settlement-difference',
      merchantId: null,
      paymentId: null,
      text: `The settlement file ${name} of MID ${mid.name} has ${file.openDifferences} open differences. Resolve them under Settlements.`,
    })
  return { kind: 'imported', file }
}

async function hashChunks(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** What is known of the whole file only when its last row was read. */
function startTally() {
  let [matched, firstDay, lastDay] = [0, null as string | null, null as string | null]
  return {
    add: (rows: readonly PortionRow[]): void => {
      for (const { row, match } of rows) {
        if (match !== null) matched += 1
        const first = firstDayOf(row, match)
        if (firstDay === null || first < firstDay) firstDay = first
        if (lastDay === null || row.bookedOn > lastDay) lastDay = row.bookedOn
      }
    },
    sums: () => ({ matched, firstDay, lastDay }),
  }
}

/** Returns the lines that were written. */
type Write = (rows: readonly NumberedRow[]) => Promise<ReadonlySet<number>>

function noted(client: PoolClient, { mid, onRows }: SettlementUpload, write: Write): Write {
  let rows = 0
  return async (batch) => {
    const written = await write(batch)
    rows += batch.length
    if (rows % rowsBetweenNotes === 0) {
      await noteProgress(client, { midId: mid.id, phase: 'reading', rows })
      onRows?.(rows)
    }
    return written
  }
}

/** The number of rows written. Throws the report if any row is wrong; rows are still read then, to report all of them. */
async function writeRows(upload: SettlementUpload, writePortion: Write): Promise<number> {
  const faults: RowFault[] = []
  let faultCount = 0
  let rowCount = 0
  const report = (line: number, text: string): void => {
    faultCount += 1
    if (faults.length < faultsShown) faults.push({ line, text })
  }
  let batch: NumberedRow[] = []
  const write = async (): Promise<void> => {
    const written = await writePortion(batch)
    for (const { line, ref } of batch)
      if (!written.has(line)) report(line, `Row ${ref} is in the file twice, or was imported before with another file.`)
    batch = []
  }
  try {
    for await (const read of settlementRows(upload)) {
      if (typeof read.row === 'string') report(read.line, read.row)
      else {
        rowCount += 1
        batch.push({ ...read.row, line: read.line })
      }
      if (batch.length === rowsAtOnce) await write()
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    report(0, error.message)
  }
  if (batch.length > 0) await write()
  if (faultCount > 0) throw new ImportRefused(faults, faultCount)
  return rowCount
}
