/**
 * A stand-in for Stripe: PaymentIntents, SetupIntents, Refunds and webhooks of the version 2026-10-28.endive, as far as a gateway uses them. It
 * is another company with its own record; no money moves here. The payer's page is `/pages/:key`, that of
 * disputes `/disputes`.
 */
import { randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import type { AccountName } from '../kit/accounts.ts'
import { now } from '../kit/clock.ts'
import { disputePages } from '../kit/dispute-pages.ts'
import type { Execution } from '../kit/idempotency.ts'
import { payerPages } from '../kit/payer-pages.ts'
import { type Base, type OpenStandIn, openBase, type StandIn } from '../kit/stand-in.ts'
import { filesBytes } from '../kit/uploads.ts'
import { toMinor } from './amounts.ts'
import { type Caller, continueIntent, createIntent, type Fields } from './charge.ts'
import { answerDispute, closeDispute, createFile, updateDispute } from './dispute-answers.ts'
import { disputable, takeInquiryStep, takeStep } from './disputes.ts'
import { invalid, keyReused, unauthorizedReply } from './errors.ts'
import { cancelIntent, captureIntent, createRefund, settleRefund } from './later-steps.ts'
import { answerIntent, listEvents, listIntents, listRefunds } from './lists.ts'
import { type IntentRecord, type Item, newId, Records } from './records.ts'
import { webhook } from './webhook.ts'

export const openStripe: OpenStandIn = async (folder) => {
  const records = new Records()
  const base = await openBase<Item>({ folder, issue, apply: records.enter, notifications: webhook })
  const timer = setInterval(() => void settleRefunds(base, records), settlesEveryMs).unref()
  return {
    routes: [...apiRoutes(base, records), ...pages(base, records), ...disputes(base, records), ...base.routes],
    reportsDisputes: true,
    now,
    credentials: (url) => ({ live: credentialsOf(base, 'live', url), test: credentialsOf(base, 'test', url) }),
    close: async () => {
      clearInterval(timer)
      await base.close()
    },
  } satisfies StandIn
}

const settlesEveryMs = 250

async function settleRefunds(base: Base<Item>, records: Records): Promise<void> {
  for (const refund of records.list('refund')) {
    const line = settleRefund(refund, records.find('payment_intent', refund.account, refund.intent))
    if (line) await base.write(line)
  }
}

const issue = (name: AccountName): Readonly<Record<string, string>> => ({
  secretKey: `sk_${name}_${randomBytes(24).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
})

function credentialsOf({ accounts }: Base<Item>, name: AccountName, url: string): Fields {
  const { secretKey = '', webhookSecret = '' } = accounts.byName(name)?.secrets ?? {}
  return { secret_key: secretKey, webhook_secret: webhookSecret, base_url: url }
}

function apiRoutes(base: Base<Item>, records: Records): Routes {
  const accountOf = ({ headers }: Call): string | undefined =>
    base.accounts.bySecret('secretKey', /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1])?.name

  const question = (address: string, reply: (account: string, call: Call) => Reply): Routes[number] => [
    `GET ${address}`,
    async (call) => {
      const account = accountOf(call)
      return account === undefined ? unauthorizedReply : reply(account, call)
    },
  ]
  const command = (address: string, execute: (caller: Caller, id: string) => Execution<Item>): Routes[number] => [
    `POST ${address}`,
    async (call) => {
      const account = accountOf(call)
      if (account === undefined) return unauthorizedReply
      const fields = fieldsOf(call.body)
      const caller = { account, fields, records, key: call.key ?? '', url: `http://${call.host}` }
      const key = call.key === undefined ? null : `${account} ${call.key}`
      const amount = fields['amount'] ?? fields['amount_to_capture']
      const reply = await base.executeOnce({ call, key, amount }, () => execute(caller, call.parameters[0] ?? ''))
      return reply === 'other-request' ? keyReused : reply
    },
  ]
  return [
    command('/v1/payment_intents', (caller) => createIntent('payment_intent', caller)),
    command('/v1/setup_intents', (caller) => createIntent('setup_intent', caller)),
    command('/v1/payment_intents/:id/capture', (caller, id) => captureIntent(id, caller)),
    command('/v1/payment_intents/:id/cancel', (caller, id) => cancelIntent(id, caller)),
    command('/v1/refunds', createRefund),
    command('/v1/customers', ({ account }) => create({ object: 'customer', id: newId('cus'), account })),
    command('/v1/tokens', exchangeToken),
    command('/v1/disputes/:id', (caller, id) => updateDispute(id, caller)),
    command('/v1/disputes/:id/close', (caller, id) => closeDispute(id, caller)),
    question('/v1/disputes/:id', (account, call) => answerDispute(account, call, records)),
    [
      'POST /v1/files',
      async (call) => {
        const account = accountOf(call)
        return account === undefined ? unauthorizedReply : createFile(base, account, call)
      },
      filesBytes,
    ],
    question('/v1/payment_intents', (account, call) => listIntents('payment_intent', account, call, records)),
    question('/v1/setup_intents', (account, call) => listIntents('setup_intent', account, call, records)),
    question('/v1/payment_intents/:id', (account, call) => answerIntent('payment_intent', account, call, records)),
    question('/v1/setup_intents/:id', (account, call) => answerIntent('setup_intent', account, call, records)),
    question('/v1/refunds', (account, call) => listRefunds(account, call, records)),
    question('/v1/events', (account, call) => listEvents(account, call, base.books.notices)),
    question('/v1/balance', (account) => ({ status: 200, body: { object: 'balance', livemode: account === 'live' } })),
  ]
}

const fieldsOf = (body: unknown): Fields =>
  isObject(body) ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])) : {}

const create = (item: Extract<Item, { object: 'token' | 'customer' }>): Execution<Item> => ({
  reply: { status: 200, body: { id: item.id, object: item.object } },
  line: { items: [item] },
})

/** The wallet's token is not opened: the stand-in has none of the wallet's keys. */
function exchangeToken({ account, fields }: Caller): Execution<Item> {
  const isToken = /^\{.*"data"/.test(fields['pk_token'] ?? '')
  if (!isToken) return { reply: invalid(400, 'parameter_missing', 'Missing pk_token.'), isRefused: true }
  return create({ object: 'token', id: newId('tok'), account })
}

const pages = (base: Base<Item>, records: Records): Routes =>
  payerPages({
    find: (key) => {
      const intent = records.atPage(key)
      if (!intent?.page) return undefined
      const currency = intent.object === 'setup_intent' ? 'USD' : intent.currency.toUpperCase()
      const amountMinor = BigInt(toMinor(intent.amount, currency))
      const payment = { merchant: 'Stripe', amountMinor, currency, card: `•••• ${intent.lastFour}` }
      return { payment, returnUrl: intent.page.isDecided ? backTo(intent) : null }
    },
    decide: async (key, decision) => {
      const before = records.atPage(key)
      if (!before) throw new Error('The page belongs to no payment.')
      // A payment that was cancelled meanwhile stays so.
      if (before.status !== 'requires_action') return backTo(before)
      const { intent, line } = continueIntent(before, decision)
      await base.write(line)
      return backTo(intent)
    },
  })

const disputes = (base: Base<Item>, records: Records): Routes =>
  disputePages(base, {
    list: () => disputable(records),
    take: (reference, step) => takeStep(reference, step, records),
    inquire: (reference, step) => takeInquiryStep(reference, step, records),
  })

function backTo({ id, object, error, page }: IntentRecord): string {
  const url = new URL(page?.returnUrl ?? '')
  url.searchParams.set(object, id)
  url.searchParams.set('redirect_status', error ? 'failed' : 'succeeded')
  return url.href
}
