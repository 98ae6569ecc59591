/** Settlement files of acquirers, the differences found in them, and the comparison per MID and day. Chapter 70 §3. */
import { z } from 'zod'
import { settlementKinds } from '#domain/settlement/settlement-kind.ts'
import { utcDay } from '#domain/time.ts'
import { notFound } from '../../../../../panel/admin-refused.ts'
import { differenceLines } from '../../../../../panel/exports/difference-file.ts'
import { askResolution } from '../../../../../panel/finance/differences.ts'
import {
  findDifference,
  findSettlement,
  listDifferences,
  listReconciledDays,
  listSettlements,
} from '../../../../../panel/finance/settlements.ts'
import { changeEndpoint, downloadEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, id, instant, minor, pageLimit, textInput } from '../../values.ts'

export const shownFile = z.object({
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
  /** What the money is for, also without a row; null for the bank's. The amounts have no sign: money of a refund, chargeback and payout leaves. */
  movement: z.enum(settlementKinds).nullable(),
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
