/** The Wallets tab of a merchant, for both setups. Chapter 40 §2 to §8. */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import * as wallets from '../../../../../panel/setup/wallets.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, instant } from '../../values.ts'
import { entryFields, examination, shownWallet } from '../../wallet-shapes.ts'
import { withoutUndefined } from '../../without-undefined.ts'
import { enterKey, keyEntry, keyPromotion, keyRetirement, promoteKey, retireKey } from './wallet-key-changes.ts'

const base = '/merchants/:merchantId/wallets/:mode/:wallet'
const domains = '/merchants/:merchantId/wallet-domains/:wallet'

const entry = z.strictObject(entryFields).partial().transform(withoutUndefined)

/** Safe: `path-params.ts` accepts only modes and wallets here. */
export const recordKeyOf = ({ merchantId, mode, wallet }: { merchantId: string; mode: string; wallet: string }) => ({
  merchantId,
  mode: mode as Mode,
  wallet: wallet as Wallet,
})
export const nameOf = ({ merchantId, wallet }: { merchantId: string; wallet: string }) => ({
  merchantId,
  wallet: wallet as Wallet,
})

const reason = z.object({ because: z.string(), remedy: z.string() })

export const walletEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: base,
    summary:
      'Returns a merchant’s wallet: settings, state, keys, certificates, domains, tasks and history; no private key.',
    access: 'wallets.read',
    output: shownWallet,
    run: ({ params }, { context }) => wallets.readWallet(context, recordKeyOf(params)),
  }),
  queryEndpoint({
    path: `${base}/check`,
    summary: 'Repeats all checks of the entered data.',
    access: 'wallets.read',
    output: z.object({ findings: z.array(z.object({ level: z.string(), text: z.string() })).readonly() }),
    run: async ({ params }, { context, actor }) => ({
      findings: await wallets.checkNow(context, actor.label, recordKeyOf(params)),
    }),
  }),
  queryEndpoint({
    path: `${base}/why`,
    summary: 'Explains why the button is missing on a page, or why tokens are refused. Only the given data is checked.',
    access: 'wallets.read',
    query: {
      host: z.string().max(255).optional(),
      secure: z.stringbool().default(true),
      currency: z.string().max(12).optional(),
      auth: z.stringbool().default(false),
      recurring: z.stringbool().default(false),
      browser: z.enum(['maker', 'maker-no-card', 'other', 'unsupported', 'frame']).optional(),
    },
    output: z.object({
      button: reason.nullable(),
      flow: z.object({
        flow: z.enum(['decrypted', 'passed_on', 'virtual']).nullable(),
        unmet: z.array(reason).readonly(),
      }),
      /** Why pages and browsers showed no button in the last seven days, newest first. */
      recorded: z
        .array(
          z.object({
            reason: z.string(),
            source: z.enum(['service', 'browser']),
            count: z.number(),
            lastAt: instant,
          }),
        )
        .readonly(),
    }),
    run: ({ params, query }, { context }) => {
      const { host = null, currency = null, browser = null, ...page } = query
      return wallets.explain(context, recordKeyOf(params), { ...page, host, currency, browser })
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: base,
    summary: 'Saves the settings; if there are errors, all of them are returned and nothing is saved.',
    access: 'wallets.write',
    body: entry,
    output: z.object({ version: z.number(), notes: z.array(z.string()).readonly() }),
    run: async ({ params, body }, { context, actor }) => {
      const { value, notes, audit } = await wallets.save(context, actor.label, recordKeyOf(params), body)
      return { answer: { version: value, notes }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${base}/validate`,
    summary: 'Validates the fields while they are typed; nothing is stored.',
    access: 'wallets.write',
    body: entry,
    output: examination,
    run: async ({ params, body }, { context, actor }) => ({
      answer: await wallets.examine(context, actor.label, recordKeyOf(params), body),
      audit: 'none',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: `${base}/testing`,
    summary: 'Sandbox: sets the wallet up with keys and certificates of the sandbox authority.',
    access: 'wallets.write',
    body: z.strictObject({ decrypts: z.boolean().default(true) }),
    output: doneOutput,
    run: async ({ params, body: { decrypts } }, { context }) => ({
      answer: doneAnswer,
      audit: await wallets.enableInSandbox(context, recordKeyOf(params), decrypts),
    }),
  }),
  changeEndpoint({
    ...keyEntry,
    path: `${base}/keys`,
    access: 'wallets.write',
    run: ({ params, body }, caller) => enterKey(caller, recordKeyOf(params), body),
  }),
  changeEndpoint({
    ...keyPromotion,
    path: `${base}/keys/:fingerprint/promote`,
    access: 'wallets.write',
    run: ({ params, body }, caller) => promoteKey(caller, recordKeyOf(params), params.fingerprint, body),
  }),
  changeEndpoint({
    ...keyRetirement,
    path: `${base}/keys/:fingerprint/retire`,
    access: 'wallets.write',
    run: ({ params }, caller) => retireKey(caller, recordKeyOf(params), params.fingerprint),
  }),
  changeEndpoint({
    method: 'POST',
    path: domains,
    summary: 'Adds domains, one per line; valid lines are saved, and each line has a result.',
    access: 'wallets.write',
    body: z.strictObject({
      domains: z.string().max(100_000),
      purpose: z.enum(['production', 'test']),
      controlledBy: z.enum(['operator', 'merchant']),
    }),
    output: z.object({
      lines: z.array(z.object({ line: z.string(), result: z.string(), text: z.string().nullable() })).readonly(),
    }),
    run: async ({ params, body: { domains: lines, ...defaults } }, { context, actor }) => {
      const answered = await wallets.enterDomains(context, actor.label, nameOf(params), { text: lines, defaults })
      return { answer: { lines: answered.lines }, audit: answered.audit }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: `${domains}/:domain/file`,
    summary: 'Uploads the association file of a domain.',
    access: 'wallets.write',
    body: z.strictObject({ base64: z.base64().max(100_000) }),
    output: doneOutput,
    run: async ({ params, body: { base64 } }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await wallets.giveDomainFile(context, actor.label, nameOf(params), {
        host: params.domain,
        file: Buffer.from(base64, 'base64'),
      }),
    }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: `${domains}/:domain`,
    summary: 'Removes a domain.',
    access: 'wallets.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await wallets.dropDomain(context, actor.label, nameOf(params), params.domain),
    }),
  }),
]
