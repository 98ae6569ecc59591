/** The operator's own wallet record, and the tasks of merchants that are served through it. Chapter 40 §2, §3. */
import { z } from 'zod'
import type { TaskName } from '../../../../../panel/setup/wallet-platform.ts'
import * as platform from '../../../../../panel/setup/wallet-platform.ts'
import * as wallets from '../../../../../panel/setup/wallets.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody } from '../../values.ts'
import { entryFields, examination, keyTexts, shownTask, shownWallet, text } from '../../wallet-shapes.ts'
import { withoutUndefined } from '../../without-undefined.ts'
import { enterKey, keyEntry, keyPromotion, keyRetirement, promoteKey, retireKey } from './wallet-key-changes.ts'
import { nameOf, recordKeyOf } from './wallets.ts'

const base = '/platform-wallet'
const merchants = '/merchants/:merchantId/wallets/:mode/:wallet'
const { walletAPlatformKey: ownPlace } = platform

const { version, trustSource, merchantIdentifier } = entryFields
const entry = z
  .strictObject({ version, trustSource, merchantIdentifier, sessionUrl: text.nullable(), ...keyTexts })
  .partial()
  .transform(withoutUndefined)

const tasksAnswer = z.object({ tasks: z.array(shownTask).readonly() })

export const walletPlatformEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: base,
    summary:
      'Returns the operator’s own wallet account: settings, keys, certificates, the hash of its file and history; no private key.',
    access: 'wallet-platform.read',
    output: shownWallet.extend({ fileSha256: z.string().nullable() }),
    run: (_, { context }) => platform.readPlatformRecord(context),
  }),
  changeEndpoint({
    method: 'PUT',
    path: base,
    summary: 'Saves the settings of the operator’s own wallet account.',
    access: 'wallet-platform.write',
    body: entry,
    output: z.object({ version: z.number(), notes: z.array(z.string()).readonly() }),
    run: async ({ body }, { context, actor }) => {
      const { value, notes, audit } = await platform.savePlatformRecord(context, actor.label, body)
      return { answer: { version: value, notes }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${base}/validate`,
    summary: 'Validates the fields while they are typed; nothing is stored.',
    access: 'wallet-platform.write',
    body: entry,
    output: examination,
    run: async ({ body }, { context, actor }) => {
      const wished = { ...body, setup: 'platform', enabled: true } as const
      return { answer: await wallets.examine(context, actor.label, ownPlace, wished), audit: 'none' }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: `${base}/file`,
    summary: 'Sets the file that the service’s own hosts and platform merchants serve.',
    access: 'wallet-platform.write',
    body: z.strictObject({ base64: z.base64().max(100_000) }),
    output: doneOutput,
    run: async ({ body: { base64 } }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await platform.giveFile(context, actor.label, Buffer.from(base64, 'base64')),
    }),
  }),
  changeEndpoint({
    ...keyEntry,
    path: `${base}/keys`,
    access: 'wallet-platform.write',
    run: ({ body }, caller) => enterKey(caller, ownPlace, body),
  }),
  changeEndpoint({
    ...keyPromotion,
    path: `${base}/keys/:fingerprint/promote`,
    access: 'wallet-platform.write',
    run: ({ params, body }, caller) => promoteKey(caller, ownPlace, params.fingerprint, body),
  }),
  changeEndpoint({
    ...keyRetirement,
    path: `${base}/keys/:fingerprint/retire`,
    access: 'wallet-platform.write',
    run: ({ params }, caller) => retireKey(caller, ownPlace, params.fingerprint),
  }),
  changeEndpoint({
    method: 'POST',
    path: `${merchants}/tasks/:task`,
    summary: 'Marks a task of the platform setup as done by hand.',
    access: 'wallet-platform.write',
    body: z.strictObject({ merchantIdentifier: text.optional() }),
    output: tasksAnswer,
    run: async ({ params, body }, { context, actor }) => {
      // Safe: `path-params.ts` accepts only names of tasks here.
      const completion = { ...body, task: params.task as TaskName }
      const { tasks, audit } = await platform.markTaskDone(context, actor.label, recordKeyOf(params), completion)
      return { answer: { tasks }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${merchants}/register`,
    summary:
      'Registers a merchant and its domains with the wallet provider; on a live instance the operator does this by hand and marks the task as done.',
    access: 'wallet-platform.write',
    body: emptyBody,
    output: tasksAnswer,
    run: async ({ params }, { context, actor }) => {
      const { tasks, audit } = await platform.register(context, actor.label, recordKeyOf(params))
      return { answer: { tasks }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/wallet-domains/:wallet/:domain/verified',
    summary: 'Marks a domain as verified with the wallet provider, after checking it again.',
    access: 'wallets.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await platform.confirmDomain(context, actor.label, nameOf(params), params.domain),
    }),
  }),
]
