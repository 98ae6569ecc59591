/** Risk lists: cards, addresses and other attributes that rules block, allow or have reviewed. Chapter 70 §7. */
import { z } from 'zod'
import { isRiskKind, riskKinds, riskLists } from '#domain/risk/risk-entry.ts'
import { invalid } from '../../../../../panel/admin-refused.ts'
import {
  addRiskEntry,
  exportRiskEntries,
  importRiskEntries,
  listRiskEntries,
  readValueFromPayment,
  removeRiskEntry,
} from '../../../../../panel/setup/risk-lists.ts'
import { changeEndpoint, downloadEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant, instantInput, pageLimit, textInput } from '../../values.ts'

const kind = z.enum(Object.keys(riskKinds).filter(isRiskKind))
const list = z.enum(riskLists)
const largestFile = 8 * 1024 * 1024

const shownEntry = z.object({
  id,
  merchantId: id.nullable(),
  list,
  kind,
  value: z.string(),
  reason: z.string(),
  expiresAt: instant.nullable(),
  createdAt: instant,
  createdBy: z.string(),
})

export const riskEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/risk-entries',
    summary: 'Lists entries of risk lists, newest first; the next page starts before the last id.',
    access: 'routing.read',
    query: {
      merchantId: z.uuid().optional(),
      list: list.optional(),
      kind: kind.optional(),
      value: textInput(255).optional(),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({ entries: z.array(shownEntry).readonly() }),
    run: async ({ query }, { context }) => ({
      entries: await listRiskEntries(context, {
        merchantId: query.merchantId ?? null,
        list: query.list ?? null,
        kind: query.kind ?? null,
        value: query.value ?? null,
        before: query.before ?? null,
        limit: query.limit,
      }),
    }),
  }),
  downloadEndpoint({
    path: '/risk-entries/export',
    summary: 'Downloads all entries of risk lists as CSV, in the form that the import reads.',
    access: 'routing.read',
    fileType: 'text/csv; charset=utf-8',
    run: async (_, { context }) => ({ fileName: 'risk-lists.csv', parts: exportRiskEntries(context) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/risk-entries',
    summary:
      'Adds an entry to a risk list, or changes reason and expiry of the one that is there. Without a value it is taken from the named payment.',
    access: 'routing.write',
    body: z.strictObject({
      /** Null for all merchants. */
      merchantId: z.uuid().nullable(),
      list,
      kind,
      value: textInput(255).nullable().default(null),
      payment: z.strictObject({ merchantId: z.uuid(), paymentId: z.uuid() }).nullable().default(null),
      reason: textInput(500),
      expiresAt: instantInput.nullable().default(null),
    }),
    output: shownEntry,
    run: async ({ body: { payment, value: typed, ...body } }, { context, actor }) => {
      if (body.merchantId !== null && context.configuration.merchant(body.merchantId) === null)
        throw invalid('merchantId', 'Select a merchant.')
      const value =
        typed ?? (payment && (await readValueFromPayment(context, payment.merchantId, payment.paymentId, body.kind)))
      if (value === null) throw invalid('value', 'Enter a value.')
      const { entry, audit } = await addRiskEntry(context, actor, { ...body, value })
      return { answer: entry, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/risk-entries/import',
    summary:
      'Imports entries from CSV (merchant, list, kind, value, reason, expires), whole or not at all; faults are reported by line.',
    access: 'routing.write',
    bodyBytes: largestFile,
    body: z.strictObject({ content: z.base64().min(1) }),
    output: z.object({
      added: z.number(),
      changed: z.number(),
      faults: z.array(z.object({ line: z.number(), text: z.string() })).readonly(),
      faultCount: z.number(),
    }),
    run: async ({ body: { content } }, { context, actor }) => {
      async function* bytes() {
        yield Buffer.from(content, 'base64')
      }
      const { audit, ...answer } = await importRiskEntries(context, actor, bytes())
      return { answer, audit }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/risk-entries/:entryId',
    summary: 'Removes an entry from its risk list.',
    access: 'routing.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { entryId } }, { context }) => ({
      answer: doneAnswer,
      audit: await removeRiskEntry(context, entryId),
    }),
  }),
]
