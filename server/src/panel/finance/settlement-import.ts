/**
 * Imports a settlement file of an acquirer: whole, or not at all with a report by row. Chapter 60 §5.
 *
 * The file is read twice, first for its digest, so that a file that was imported before is recognised and changes nothing. One that is being
 * uploaded is read once, and its digest is known at its end (decisions/imports#uploads). Its rows are matched and written in portions
 * inside one transaction, so that each row takes as long as the one before (decisions/imports#matching), and rests between them leave the
 * processors to payments (decisions/imports#rests-between-portions).
 */
import { createHash, type Hash } from 'node:crypto'
import type { Mid } from '#domain/mid.ts'
import type { SettlementFormatName } from '#domain/settlement/settlement-format.ts'
import { firstDayOf } from '#domain/settlement/settlement-match.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type PaceTerms, startPace } from '../../store/finance/import-pace.ts'
import { isEndedConnection, noteProgress } from '../../store/finance/running-imports.ts'
import { settlementCandidates } from '../../store/finance/settlement-candidates.ts'
import { settlementImport } from '../../store/finance/settlement-import.ts'
import { type StoredSettlement, settlementStore } from '../../store/finance/settlements.ts'
import { alertStore } from '../../store/instance/alerts.ts'
import { AdminRefused } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import { compareBank } from './bank-comparison.ts'
import { CsvFault } from './csv-records.ts'
import { type ImportEnd, readUntil, refuseEnded } from './import-end.ts'
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
  /** By which a caller cancels the import; one of its own if there is none. */
  readonly importId?: string | null
  /** Reads the file from its beginning; called twice, or once if it `arrives`. */
  readonly open: () => AsyncIterable<Uint8Array>
  /** The file is being uploaded, and can be read only once. */
  readonly arrives?: true
  /** What ends it before its time; absent for an import that only its process ends. */
  readonly end?: ImportEnd
  readonly pace: PaceTerms
  /** Hears how many rows were read. */
  readonly onRows?: (rows: number) => void
}

type NamedUpload = SettlementUpload & { readonly importId: string }

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

/** Carries a file that was recognised at its end out of the transaction, which it rolls back. */
class ImportKnown extends Error {
  readonly file: StoredSettlement

  constructor(file: StoredSettlement) {
    super('The settlement file was imported before.')
    this.file = file
  }
}

export async function importSettlement(
  context: AdminContext,
  actor: Actor,
  upload: SettlementUpload,
): Promise<ImportResult> {
  const { end } = upload
  refuseEnded(end)
  const digest = upload.arrives === true ? null : await hashChunks(upload.open())
  const importId = upload.importId ?? context.ids.next()
  let cutting: Promise<unknown> = Promise.resolve()
  const cut = (): void => {
    cutting = end?.cut(importId).catch(() => undefined) ?? cutting
  }
  end?.signal.addEventListener('abort', cut)
  try {
    return await inTransaction(context.pool, (client) =>
      importIn(client, context, actor, { ...upload, importId, digest }),
    )
  } catch (error) {
    refuseEnded(end)
    if (isEndedConnection(error)) throw connectionEnded()
    if (error instanceof ImportKnown) return { kind: 'known', file: error.file }
    if (error instanceof ImportRefused) return { kind: 'refused', faults: error.faults, faultCount: error.faultCount }
    throw error
  } finally {
    end?.signal.removeEventListener('abort', cut)
    // A browser sends an upload again under its id, whose import would be ended instead.
    await cutting
  }
}

const connectionEnded = (): AdminRefused =>
  new AdminRefused('conflict', {
    message:
      'The import was cancelled, or lost its database connection. Import the file again: nothing is imported twice.',
  })

/** An import that waits for its sender uses its connection only with the next rows, and would not notice before that it has ended. */
async function importIn(
  client: PoolClient,
  context: AdminContext,
  actor: Actor,
  upload: NamedUpload & { readonly digest: string | null },
): Promise<ImportResult> {
  const lost = new AbortController()
  const lose = (): void => lost.abort(connectionEnded())
  client.once('error', lose)
  try {
    const signal = AbortSignal.any([lost.signal, ...(upload.end === undefined ? [] : [upload.end.signal])])
    return await importRows(client, context, actor, { ...upload, open: () => readUntil(upload.open(), signal) })
  } finally {
    client.off('error', lose)
  }
}

async function importRows(
  client: PoolClient,
  { clock, ids }: AdminContext,
  actor: Actor,
  upload: NamedUpload & { readonly digest: string | null },
): Promise<ImportResult> {
  const { mid, name, format, digest, end, importId } = upload
  const running = { importId, midId: mid.id }
  const id = ids.next()
  const target = settlementImport(client, mid.id, id)
  // Before the lock, so that an import that waits is seen and can be cancelled.
  await noteProgress(client, { ...running, phase: 'waiting', rows: 0 })
  // What ended it before could not find its connection by that note.
  refuseEnded(end)
  await target.lock()
  await noteProgress(client, { ...running, phase: 'reading', rows: 0 })
  const store = settlementStore(client)
  const known = digest === null ? null : await store.withContent(mid.id, digest)
  if (known) return { kind: 'known', file: known }
  const at = clock.now()
  await target.begin({ name, format, sha256: digest ?? provisionalDigest(id), importedBy: actor.label, importedAt: at })
  const hash = createHash('sha256')
  const isKnown = async (): Promise<StoredSettlement | null> =>
    digest === null ? store.withContent(mid.id, hash.copy().digest('hex')) : null
  const pace = startPace(upload.pace)
  const tally = startTally()
  const candidates = settlementCandidates(client, mid.id)
  const source = digest === null ? { ...upload, open: () => hashWhileRead(upload.open(), hash) } : upload
  const rowCount = await writeRows(
    source,
    isKnown,
    noteRows(client, upload, async (portion) => {
      const rows = await matchPortion(candidates, mid.id, portion)
      tally.add(rows)
      const written = await target.write(rows, at)
      await pace.pause()
      return written
    }),
  )
  const sha256 = digest ?? hash.digest('hex')
  if (digest === null) await target.nameContent(sha256)
  await noteProgress(client, { ...running, phase: 'matching', rows: rowCount })
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
  // Last, because a person who resolves one of these differences waits for this transaction.
  await target.resolveArrived(at)
  refuseEnded(end)
  return { kind: 'imported', file }
}

/** Makes a digest for a file whose content is not known yet; no content has it. */
const provisionalDigest = (id: string): string => id.replaceAll('-', '').padStart(64, '0')

async function* hashWhileRead(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

async function hashChunks(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Counts what is known of the whole file only when its last row was read. */
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

function noteRows(client: PoolClient, { mid, importId, onRows }: NamedUpload, write: Write): Write {
  let rows = 0
  return async (batch) => {
    const written = await write(batch)
    rows += batch.length
    if (rows % rowsBetweenNotes === 0) {
      await noteProgress(client, { importId, midId: mid.id, phase: 'reading', rows })
      onRows?.(rows)
    }
    return written
  }
}

/** The number of rows written. Throws the report if any row is wrong; rows are still read then, to report all of them. */
async function writeRows(
  upload: SettlementUpload,
  /** At the end: the same content, if it was imported before. */
  findKnown: () => Promise<StoredSettlement | null>,
  writePortion: Write,
): Promise<number> {
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
  const known = await findKnown()
  if (known !== null) throw new ImportKnown(known)
  if (faultCount > 0) throw new ImportRefused(faults, faultCount)
  return rowCount
}
