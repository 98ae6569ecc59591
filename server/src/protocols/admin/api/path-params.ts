/** The allowed values of each path parameter, such as `:merchantId`; any other value is answered with 404. */
import { z } from 'zod'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import { taskNames } from '../../../panel/setup/wallet-platform.ts'

const shortName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/)

export const pathParams: Readonly<Record<string, z.ZodType<string>>> = {
  merchantId: z.uuid(),
  paymentId: z.uuid(),
  callbackId: z.uuid(),
  mappingId: z.uuid(),
  scheduleId: z.uuid(),
  subscriptionId: z.uuid(),
  midId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.uuid(),
  serviceAccountId: z.uuid(),
  signUpLinkId: z.uuid(),
  signUpId: z.uuid(),
  keyId: z.uuid(),
  approvalId: z.uuid(),
  alertId: z.uuid(),
  channelId: z.uuid(),
  filterId: z.uuid(),
  exportId: z.uuid(),
  exportScheduleId: z.uuid(),
  exportRunId: z.uuid(),
  workId: z.uuid(),
  fileId: z.uuid(),
  settlementId: z.uuid(),
  differenceId: z.uuid(),
  disputeId: z.uuid(),
  listId: z.uuid(),
  statementId: z.uuid(),
  runId: z.uuid(),
  entryId: z.uuid(),
  linkId: z.uuid(),
  terminalId: z.uuid(),
  form: z.uuid(),
  currency: z.string().regex(/^[A-Za-z0-9]{2,10}$/),
  task: z.enum(taskNames),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  passkeyId: z.string().regex(/^[\w-]{1,1400}$/),
  ruleSet: z.union([z.literal('global'), z.uuid()]),
  ruleVersion: z.string().regex(/^[1-9][0-9]{0,8}$/),
  role: shortName,
  brand: z.string().regex(/^[\w.-]{1,64}$/),
  protocol: z.enum(protocols),
  mode: z.enum(['live', 'test']),
  wallet: z.enum(wallets),
  domain: z.string().regex(/^[a-z0-9.*-]{1,253}$/),
}
