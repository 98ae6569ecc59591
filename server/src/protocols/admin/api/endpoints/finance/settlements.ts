/** Settlement files of acquirers, the differences found in them, and the comparison per MID and day. Chapter 70 §3. */
import { z } from 'zod'
import { settlementFormatNames } from '#domain/settlement/settlement-format.ts'
import { utcDay } from '#domain/time.ts'
import { invalid, notFound } from '../../../../../panel/admin-refused.ts'
import { differenceLines } from '../../../../../panel/exports/difference-file.ts'
import { askResolution } from '../../../../../panel/finance/differences.ts'
import { importSettlement } from '../../../../../panel/finance/settlement-import.ts'
import {
  cancelImport,
  findDifference,
  findSettlement,
  listDifferences,
  listReconciledDays,
  listRunningImports,
  listSettlements,
  prepareArrivingUpload,
  prepareUpload,
} from '../../../../../panel/finance/settlements.ts'
import {
  type Caller,
  type ChangeResult,
  changeEndpoint,
  downloadEndpoint,
  type Endpoint,
  queryEndpoint,
} from '../../endpoint.ts'
import { uploadEndpoint } from '../../uploads/upload-endpoint.ts'
import { dayInput, doneAnswer, doneOutput, emptyBody, id, instant, minor, pageLimit, textInput } from '../../values.ts'

/** As text in JSON; larger files are uploaded as they are. */
const largestFile = 32 * 1024 * 1024
/** Some ten million rows, which take hours. */
const largestUpload = 1_000_000_000

const shownFile = z.object({
  id,
  midId: id,
  midName: z.string().nullable(),
  name: z.string(),
  format: z.string(),
  sha256: z.string(),
  rowCount: z.number(),
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  importedBy: z.string(),
  importedAt: instant,
  matched: z.number(),
  openDifferences: z.number(),
})

const shownDifference = z.object({
  id,
  /** Null for a line of the bank of which no MID is known. */
  midId: id.nullable(),
  midName: z.string().nullable(),
  day: z.string(),
  kind: z.string(),
  currency: z.string(),
  decimals: z.number(),
  oursMinor: minor.nullable(),
  theirsMinor: minor.nullable(),
  merchantId: id.nullable(),
  paymentId: id.nullable(),
  transactionId: id.nullable(),
  /** The acquirer's row, or the bank's line. */
  ref: z.string().nullable(),
  /** What the acquirer's row is for; null without a row. */
  rowKind: z.string().nullable(),
  payout: z.string().nullable(),
  /** Null if it was found in a bank statement. */
  fileId: id.nullable(),
  foundAt: instant,
  resolvedAt: instant.nullable(),
  note: z.string().nullable(),
  /** The request to resolve it that waits for a second person. */
  waiting: z.object({ approvalId: id, askedBy: id, askedByName: z.string(), askedAt: instant }).nullable(),
})

const differenceFilter = {
  midId: z.uuid().optional(),
  fileId: z.uuid().optional(),
  day: dayInput.optional(),
  reportedBy: z.enum(['acquirer', 'bank']).optional(),
  open: z.enum(['true', 'false']).default('true'),
}

type WishedDifferences = z.output<z.ZodObject<typeof differenceFilter>>

const filterOf = ({ midId, fileId, day, reportedBy, open }: WishedDifferences) => ({
  midId: midId ?? null,
  fileId: fileId ?? null,
  day: day ?? null,
  reportedBy: reportedBy ?? null,
  openOnly: open === 'true',
})

const shownDay = z.object({
  day: z.string(),
  currency: z.string(),
  decimals: z.number(),
  ours: z.number(),
  oursMinor: minor,
  theirs: z.number(),
  grossMinor: minor,
  feeMinor: minor,
  netMinor: minor,
  matched: z.number(),
  openDifferences: z.number(),
  /** The net of the day's rows that name a payout: what of it the bank has booked, and what is outstanding. */
  announcedMinor: minor,
  bankMinor: minor,
  outstandingMinor: minor,
  /** The last day of the oldest payout that is outstanding. */
  outstandingSince: z.string().nullable(),
  /** It is outstanding for more than five banking days. */
  overdue: z.boolean(),
  bankDifferences: z.number(),
})

const importTerms = {
  midId: z.uuid(),
  name: textInput(200),
  format: z.enum(settlementFormatNames).default('common'),
  /** The name under which the acquirer knows the MID, if the file has it. */
  acquirerMid: textInput(200).nullable().default(null),
}

const shownImport = z.object({
  result: z.enum(['imported', 'known', 'refused']),
  file: shownFile.nullable(),
  faults: z.array(z.object({ line: z.number(), text: z.string() })).readonly(),
  faultCount: z.number(),
})

async function importUpload(
  { context, actor }: Caller,
  upload: ReturnType<typeof prepareUpload> | ReturnType<typeof prepareArrivingUpload>,
): Promise<ChangeResult<z.input<typeof shownImport>>> {
  if (upload === null) throw invalid('midId', 'Select a MID.')
  const result = await importSettlement(context, actor, upload)
  if (result.kind === 'refused') {
    const { faults, faultCount } = result
    return { answer: { result: 'refused', file: null, faults, faultCount }, audit: 'none' }
  }
  const file = await findSettlement(context, result.file.id)
  const audit = result.kind === 'imported' ? 'written' : 'none'
  return { answer: { result: result.kind, file, faults: [], faultCount: 0 }, audit }
}

export const settlementEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/settlements',
    summary: 'Lists imported settlement files, newest first; the next page starts before the last id.',
    access: 'settlements.read',
    query: { midId: z.uuid().optional(), before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ files: z.array(shownFile).readonly() }),
    run: async ({ query: { midId, before, limit } }, { context }) => ({
      files: await listSettlements(context, midId ?? null, before ?? null, limit),
    }),
  }),
  queryEndpoint({
    path: '/settlements/differences',
    summary:
      'Lists differences between our record and the acquirers’, and between theirs and the bank’s; the next page starts after the last id.',
    access: 'settlements.read',
    query: { ...differenceFilter, after: z.uuid().optional(), limit: pageLimit },
    output: z.object({ differences: z.array(shownDifference).readonly() }),
    run: async ({ query: { after, limit, ...filter } }, { context }) => ({
      differences: await listDifferences(context, { ...filterOf(filter), after: after ?? null, limit }),
    }),
  }),
  downloadEndpoint({
    path: '/settlements/differences/export',
    summary: 'Downloads the differences that match the filters as CSV.',
    access: 'settlements.read',
    fileType: 'text/csv; charset=utf-8',
    query: differenceFilter,
    run: async ({ query }, { context }) => ({
      fileName: `differences-${utcDay(context.clock.now())}.csv`,
      parts: differenceLines(context, filterOf(query)),
    }),
  }),
  queryEndpoint({
    path: '/settlements/differences/:differenceId',
    summary: 'Returns a difference, open or resolved.',
    access: 'settlements.read',
    output: shownDifference,
    run: async ({ params: { differenceId } }, { context }) => {
      const difference = await findDifference(context, differenceId)
      if (difference === null) throw notFound()
      return difference
    },
  }),
  queryEndpoint({
    path: '/settlements/days',
    summary:
      'Compares our transactions, the acquirer’s rows and what the bank booked, per day and currency of one MID, the newest days first; by default of 31 days before the last. After many transactions the answer ends with the period to ask for next.',
    access: 'settlements.read',
    query: { midId: z.uuid().optional(), from: dayInput.optional(), to: dayInput.optional() },
    output: z.object({
      days: z.array(shownDay).readonly(),
      /** Null if all days of the period were compared. */
      next: z.object({ from: z.string(), to: z.string() }).nullable(),
    }),
    run: async ({ query: { midId, from, to } }, { context }) =>
      midId === undefined ? { days: [], next: null } : listReconciledDays(context, midId, from, to),
  }),
  queryEndpoint({
    path: '/settlements/imports',
    summary:
      'Lists imports of settlement files that are running, in the panel or on the command line, and how far they are.',
    access: 'settlements.read',
    output: z.object({
      imports: z
        .array(
          z.object({
            importId: id,
            midId: id,
            midName: z.string().nullable(),
            /** It waits for another import of its MID; its rows are read and stored, then matched and booked. */
            phase: z.enum(['waiting', 'reading', 'matching']),
            rows: z.number(),
          }),
        )
        .readonly(),
    }),
    run: async (_request, { context }) => ({ imports: await listRunningImports(context) }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/settlements/imports/:importId',
    summary: 'Cancels an import that is running or waits, wherever it was started. Nothing of it is kept.',
    access: 'settlements.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { importId } }, { context }) => {
      const { midId } = await cancelImport(context, importId)
      const audit = {
        action: 'settlement.cancel-import',
        subject: `mid ${midId}`,
        merchantId: null,
        after: { importId },
      }
      return { answer: doneAnswer, audit }
    },
  }),
  queryEndpoint({
    path: '/settlements/:settlementId',
    summary: 'Returns an imported settlement file.',
    access: 'settlements.read',
    output: shownFile,
    run: async ({ params: { settlementId } }, { context }) => {
      const file = await findSettlement(context, settlementId)
      if (file === null) throw notFound()
      return file
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/settlements',
    summary:
      'Imports a settlement file, whole or not at all. A file that was imported before changes nothing; one with faults is refused with a report by line.',
    access: 'settlements.write',
    bodyBytes: largestFile,
    /** The content is the bytes of the file, so that its encoding can be checked. */
    body: z.strictObject({ ...importTerms, content: z.base64().min(1) }),
    output: shownImport,
    run: ({ body }, caller) => importUpload(caller, prepareUpload(caller.context, body)),
  }),
  uploadEndpoint({
    path: '/settlements/upload',
    summary:
      'Imports a settlement file of up to 1 GB, which is the body, while it arrives; otherwise like the import of a text. If the connection ends before the answer, nothing is imported. An answer that takes long begins with spaces and has the status 200; a refusal is then its member "error".',
    access: 'settlements.write',
    fileBytes: largestUpload,
    query: { ...importTerms, acquirerMid: textInput(200).optional() },
    output: shownImport,
    run: ({ query, file, importId }, caller) =>
      importUpload(
        caller,
        prepareArrivingUpload(caller.context, { ...query, acquirerMid: query.acquirerMid ?? null, importId }, file),
      ),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/settlements/differences/:differenceId/resolve',
    summary:
      'Asks a second person to resolve a difference: with a note, with a correcting posting, or by recording the chargeback that only the acquirer’s file reports.',
    access: 'settlements.write',
    body: z.strictObject({
      note: textInput(500),
      correct: z.boolean().default(false),
      /** Of a chargeback that is missing here: it is recorded, and its dispute opened. */
      chargeback: z
        .strictObject({ reasonCode: textInput(100).nullable().default(null) })
        .nullable()
        .default(null),
    }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { differenceId }, body }, { context, user, actor }) => {
      const approval = await askResolution(context, { user, actor }, differenceId, body)
      return { answer: { approvalId: approval.id }, audit: 'written' }
    },
  }),
]
