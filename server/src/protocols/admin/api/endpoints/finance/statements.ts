/** Statements of merchants. Chapter 70 §3. */
import { z } from 'zod'
import { notFound } from '../../../../../panel/admin-refused.ts'
import {
  closeAll,
  findStatement,
  listStatementsFor,
  statementCsv,
} from '../../../../../panel/finance/statement-files.ts'
import { createStatementPdf } from '../../../../../panel/finance/statement-pdf.ts'
import { closeStatements } from '../../../../../panel/finance/statements.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, id, instant, minor, pageLimit } from '../../values.ts'

const shownStatement = z.object({
  merchantId: id,
  merchantTitle: z.string(),
  currency: z.string(),
  decimals: z.number(),
  firstDay: z.string(),
  lastDay: z.string(),
  id,
  openingMinor: minor,
  salesMinor: minor,
  refundsMinor: minor,
  chargebacksMinor: minor,
  payoutsMinor: minor,
  feesMinor: minor,
  heldMinor: minor,
  releasedMinor: minor,
  correctionsMinor: minor,
  paidOutMinor: minor,
  closingMinor: minor,
  reserveMinor: minor,
  madeBy: z.string(),
  madeAt: instant,
})

const path = '/merchants/:merchantId/statements/:statementId'

export const statementEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/statements',
    summary: 'Lists statements, newest first; the next page starts before the last id.',
    access: 'accounts.read',
    query: { merchantId: z.uuid().optional(), before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ statements: z.array(shownStatement).readonly() }),
    run: async ({ query: { merchantId, before, limit } }, { context, grant }) => ({
      statements: await listStatementsFor(context, grant, {
        merchantId: merchantId ?? null,
        before: before ?? null,
        limit,
      }),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/statements',
    summary: 'Closes a statement per merchant and currency up to a day that is over; what is closed already stays.',
    access: 'payouts.write',
    body: z.strictObject({ lastDay: dayInput, merchantId: z.uuid().nullable().default(null) }),
    output: z.object({ closed: z.number() }),
    run: async ({ body: { lastDay, merchantId } }, { context, actor }) => {
      const closed =
        merchantId === null
          ? await closeAll(context, actor, lastDay)
          : (await closeStatements(context, actor, merchantId, lastDay)).length
      return { answer: { closed }, audit: closed > 0 ? 'written' : 'none' }
    },
  }),
  queryEndpoint({
    path,
    summary: 'Returns a statement.',
    access: 'accounts.read',
    output: shownStatement,
    run: async ({ params: { merchantId, statementId } }, { context }) => {
      const statement = await findStatement(context, merchantId, statementId)
      if (statement === null) throw notFound()
      return statement
    },
  }),
  queryEndpoint({
    path: `${path}/csv`,
    summary: 'Returns a statement as CSV.',
    access: 'accounts.read',
    output: z.object({ name: z.string(), content: z.string() }),
    run: async ({ params: { merchantId, statementId } }, { context }) => {
      const statement = await findStatement(context, merchantId, statementId)
      if (statement === null) throw notFound()
      return statementCsv(statement)
    },
  }),
  queryEndpoint({
    path: `${path}/pdf`,
    summary: 'Returns a statement as PDF, in base64.',
    access: 'accounts.read',
    output: z.object({ name: z.string(), content: z.string() }),
    run: async ({ params: { merchantId, statementId } }, { context }) => {
      const statement = await findStatement(context, merchantId, statementId)
      if (statement === null) throw notFound()
      return await createStatementPdf(statement)
    },
  }),
]
