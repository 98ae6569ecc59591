/** Bank accounts of merchants, payout runs, bank statements and corrections. Chapter 70 §3. */
import { z } from 'zod'
import { askCorrection } from '../../../../../panel/finance/corrections.ts'
import { listPayable, merchantsPerRun, obstacles } from '../../../../../panel/finance/payouts/payable.ts'
import { askPayoutAccount, listPayoutAccounts } from '../../../../../panel/finance/payouts/payout-accounts.ts'
import { importBankStatement, markPaid } from '../../../../../panel/finance/payouts/payout-marks.ts'
import { preparePayoutRun } from '../../../../../panel/finance/payouts/payout-runs.ts'
import {
  cancelLapsedRuns,
  listPayoutRuns,
  listReceivedPayouts,
  readPayoutFile,
  requirePayoutRun,
} from '../../../../../panel/finance/payouts/shown-runs.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, id, instant, minor, pageLimit, textInput } from '../../values.ts'

const largestFile = 32 * 1024 * 1024

const compact = z
  .string()
  .trim()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
const currency = z.string().regex(/^[A-Z]{3}$/, 'Enter a currency such as EUR.')
const bankAccount = {
  holder: textInput(70),
  number: compact,
  bic: compact.nullable().default(null),
}
const payee = { merchantId: id, merchantTitle: z.string() }
const shownAccount = { holder: z.string(), number: z.string(), bic: z.string().nullable() }

const shownRun = z.object({
  id,
  currency: z.string(),
  decimals: z.number(),
  state: z.enum(['waiting', 'sent', 'paid', 'cancelled']),
  executeOn: z.string(),
  ...shownAccount,
  madeBy: z.string(),
  madeAt: instant,
  items: z.number(),
  paid: z.number(),
  totalMinor: minor,
})

const shownItem = z.object({
  merchantId: id,
  merchantTitle: z.string(),
  id,
  statementId: id,
  amountMinor: minor,
  ...shownAccount,
  /** The merchant's account differs from the one that the run would pay: the run cannot be approved. */
  accountChanged: z.boolean(),
  endToEnd: z.string(),
  state: z.enum(['waiting', 'sent', 'paid', 'cancelled']),
  paidOn: z.string().nullable(),
  paidBy: z.string().nullable(),
})

export const payoutEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants/:merchantId/payout-accounts',
    summary: 'Lists the bank accounts to which a merchant is paid, one per currency.',
    access: 'accounts.read',
    output: z.object({ accounts: z.array(z.object({ currency: z.string(), ...shownAccount })).readonly() }),
    run: async ({ params: { merchantId } }, { context }) => ({
      accounts: await listPayoutAccounts(context, merchantId),
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/merchants/:merchantId/payout-accounts/:currency',
    summary: 'Asks a second person to change the bank account to which a merchant is paid in a currency.',
    access: 'accounts.write',
    stepUp: true,
    body: z.strictObject({ ...bankAccount, reason: textInput(500) }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId, currency: of }, body }, { context, user, actor }) => {
      const { reason, ...account } = body
      const wanted = { ...account, merchantId, currency: of.toUpperCase() }
      return {
        answer: { approvalId: (await askPayoutAccount(context, { user, actor }, wanted, reason)).id },
        audit: 'written',
      }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/corrections',
    summary: 'Asks a second person to correct what a merchant is owed; a negative amount takes money from it.',
    access: 'accounts.write',
    body: z.strictObject({
      currency: z.string().regex(/^[A-Z0-9]{3,10}$/),
      amountMinor: z
        .string()
        .regex(/^-?[0-9]{1,38}$/, 'Enter a whole number of minor units.')
        .transform(BigInt),
      reason: textInput(500),
    }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId }, body }, { context, user, actor }) => ({
      answer: { approvalId: (await askCorrection(context, { user, actor }, merchantId, body)).id },
      audit: 'written',
    }),
  }),
  queryEndpoint({
    path: '/payout-runs',
    summary: 'Lists payout runs, newest first; the next page starts before the last id.',
    access: 'payouts.read',
    query: { before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ runs: z.array(shownRun).readonly() }),
    run: async ({ query: { before, limit } }, { context }) => {
      await cancelLapsedRuns(context)
      return { runs: await listPayoutRuns(context, before ?? null, limit) }
    },
  }),
  queryEndpoint({
    path: '/payout-runs/payable',
    summary:
      'Lists what the next payout run in a currency can pay, per merchant, and why others cannot be paid; without a currency, of the first one in which a merchant can be paid.',
    access: 'payouts.read',
    query: { currency: currency.optional() },
    output: z.object({
      currency: z.string().nullable(),
      /** All in which a statement was closed or a bank account was entered. */
      currencies: z
        .array(
          z.object({
            currency: z.string(),
            decimals: z.number(),
            payable: z.number(),
            totalMinor: minor,
            /** The operator's account of the last run that was not refused. */
            from: z.object(shownAccount).nullable(),
          }),
        )
        .readonly(),
      payable: z
        .array(
          z.object({
            ...payee,
            statementId: id,
            lastDay: z.string(),
            closingMinor: minor,
            /** Paid out after the last day; the amount is the closing balance without it. */
            paidSinceMinor: minor,
            amountMinor: minor,
            ...shownAccount,
          }),
        )
        .readonly(),
      others: z
        .array(
          z.object({
            ...payee,
            lastDay: z.string().nullable(),
            amountMinor: minor.nullable(),
            obstacle: z.enum(obstacles),
            runId: id.nullable(),
          }),
        )
        .readonly(),
      /** Of `others`, which ends after a thousand. */
      othersCount: z.number(),
    }),
    run: async ({ query: { currency: wanted } }, { context }) => {
      await cancelLapsedRuns(context)
      return listPayable(context, wanted ?? null)
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/payout-runs',
    summary:
      'Prepares a payout run of the newest statements in a currency, and asks a second person to approve it. Approval writes the file for the bank.',
    access: 'payouts.write',
    body: z.strictObject({
      currency,
      /** Exactly these merchants, or refused; null for all that can be paid. */
      merchantIds: z
        .array(z.uuid())
        .min(1, 'Select at least one merchant.')
        .max(merchantsPerRun)
        .nullable()
        .default(null),
      /** The total that the person has read: the run is refused if it is another one by now. */
      totalMinor: z
        .string()
        .regex(/^[0-9]{1,38}$/, 'Enter a whole number of minor units.')
        .transform(BigInt)
        .nullable()
        .default(null),
      from: z.strictObject(bankAccount),
      executeOn: dayInput,
      reason: textInput(500),
    }),
    output: z.object({ id, approvalId: id }),
    run: async ({ body }, { context, user, actor }) => ({
      answer: await preparePayoutRun(context, { user, actor }, body),
      audit: 'written',
    }),
  }),
  queryEndpoint({
    path: '/payout-runs/:runId',
    summary: 'Returns a payout run with its items.',
    access: 'payouts.read',
    output: shownRun.extend({
      /** Null if no user asked for it, or none has approved it. */
      preparedByName: z.string().nullable(),
      approvedByName: z.string().nullable(),
      list: z.array(shownItem).readonly(),
    }),
    run: async ({ params: { runId } }, { context }) => {
      await cancelLapsedRuns(context)
      return requirePayoutRun(context, runId)
    },
  }),
  queryEndpoint({
    path: '/payout-runs/:runId/file',
    summary: 'Returns the file of an approved run for the bank (ISO 20022 pain.001).',
    access: 'payouts.write',
    output: z.object({ name: z.string(), content: z.string() }),
    run: ({ params: { runId } }, { context }) => readPayoutFile(context, runId),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/payout-runs/:runId/paid',
    summary: 'Marks items of a run as paid by the bank; without a list all of them.',
    access: 'payouts.write',
    body: z.strictObject({ paidOn: dayInput, itemIds: z.array(z.uuid()).max(1000).nullable().default(null) }),
    output: z.object({ paid: z.number() }),
    run: async ({ params: { runId }, body }, { context, actor }) => ({
      answer: { paid: await markPaid(context, actor, runId, body) },
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/bank-statements',
    summary:
      'Imports a bank statement (ISO 20022 camt.053): marks payouts as paid and recognises what acquirers paid. A file that was imported before changes nothing.',
    access: 'payouts.write',
    bodyBytes: largestFile,
    body: z.strictObject({ name: textInput(200), content: z.base64().min(1) }),
    output: z.object({
      lines: z.number(),
      known: z.number(),
      paidItems: z.number(),
      received: z.number(),
      /** New differences between the bank and what acquirers announced. */
      differences: z.number(),
      reports: z.array(z.object({ ref: z.string(), text: z.string() })).readonly(),
    }),
    run: async ({ body: { name, content } }, { context, actor }) => {
      const file = { name, content: Buffer.from(content, 'base64') }
      const { changed, ...answer } = await importBankStatement(context, actor, file)
      return { answer, audit: changed ? 'written' : 'none' }
    },
  }),
  queryEndpoint({
    path: '/settlements/payouts',
    summary:
      'Compares what an acquirer announced per payout with what the bank received; by default for the last 31 days.',
    access: 'settlements.read',
    query: { midId: z.uuid().optional(), from: dayInput.optional(), to: dayInput.optional() },
    output: z.object({
      payouts: z
        .array(
          z.object({
            payout: z.string(),
            currency: z.string(),
            decimals: z.number(),
            firstDay: z.string(),
            lastDay: z.string(),
            netMinor: minor,
            /** What two people posted to the account of differences; the bank is not expected to book it. */
            postedMinor: minor,
            bankMinor: minor,
            bookedOn: z.string().nullable(),
            matches: z.boolean(),
            /** Overdue: not booked five banking days after the last row. */
            state: z.enum(['matches', 'waiting', 'overdue', 'differs']),
            openDifferences: z.number(),
          }),
        )
        .readonly(),
    }),
    run: async ({ query: { midId, from, to } }, { context }) => ({
      payouts: midId === undefined ? [] : await listReceivedPayouts(context, midId, from, to),
    }),
  }),
]
