/**
 * A stand-in for Adyen: Checkout API v71, Disputes API v30 and Webhooks v1, as far as a gateway uses them. It is another company with its own record; no money
 * moves here. Its addresses begin with `/v71`; the payer's page is `/pages/:key`, that of disputes `/disputes`.
 */
import { randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import type { AccountName } from '../kit/accounts.ts'
import type { Line } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { type DisputeStep, disputePages, type InquiryStep } from '../kit/dispute-pages.ts'
import type { Execution } from '../kit/idempotency.ts'
import { payerPages } from '../kit/payer-pages.ts'
import { type Base, type OpenStandIn, openBase, type StandIn } from '../kit/stand-in.ts'
import { filesBytes } from '../kit/uploads.ts'
import { authorise, complete } from './authorisation.ts'
import { type DisputeMethod, serveDispute } from './dispute-service.ts'
import { disputableOf, takeStep } from './disputes.ts'
import { invalid, unknownKey, wrongAccount } from './errors.ts'
import { cancelByReference, type ModificationPath, modify } from './modifications.ts'
import { type Payment, Payments } from './payment.ts'
import { webhook } from './webhook.ts'

type Fields = Readonly<Record<string, unknown>>

export const openAdyen: OpenStandIn = async (folder) => {
  const payments = new Payments()
  const base = await openBase<Payment>({ folder, issue, apply: payments.enter, notifications: webhook })
  return {
    routes: [...apiRoutes(base, payments), ...pages(base, payments), ...disputes(base, payments), ...base.routes],
    reportsDisputes: true,
    now,
    credentials: (url) => ({ live: credentialsOf(base, 'live', url), test: credentialsOf(base, 'test', url) }),
    close: () => base.close(),
  } satisfies StandIn
}

const issue = (name: AccountName): Readonly<Record<string, string>> => ({
  merchantAccount: `Gatehouse${name === 'live' ? 'Live' : 'Test'}ECOM`,
  apiKey: `AQE${randomBytes(48).toString('base64url')}`,
  hmacKey: randomBytes(32).toString('hex').toUpperCase(),
})

function credentialsOf({ accounts }: Base<Payment>, name: AccountName, url: string): Fields {
  const { merchantAccount, apiKey, hmacKey } = accounts.byName(name)?.secrets ?? {}
  return { merchant_account: merchantAccount, api_key: apiKey, hmac_key: hmacKey, base_url: `${url}/v71` }
}

interface KnownCaller {
  readonly body: Fields
  readonly account: string
  readonly merchantAccount: string
  readonly transactionId: string
  readonly url: string
  readonly payments: Payments
}

function apiRoutes(base: Base<Payment>, payments: Payments): Routes {
  const answer = async (call: Call, execute: (caller: KnownCaller) => Execution<Payment>): Promise<Reply> => {
    const account = base.accounts.bySecret('apiKey', call.headers['x-api-key'])
    if (!account) return unknownKey
    const body = isObject(call.body) ? call.body : {}
    const { merchantAccount = '' } = account.secrets
    // A request about a payer's return names no account.
    if (body.merchantAccount !== undefined && body.merchantAccount !== merchantAccount) return wrongAccount
    const { name } = account
    const caller = {
      body,
      account: name,
      merchantAccount,
      transactionId: call.key ?? '',
      url: `http://${call.host}`,
      payments,
    }
    const amount = isObject(body.amount) ? String(body.amount.value) : undefined
    // Adyen returns the first answer for a key, and does not compare the requests.
    const key = call.key === undefined ? null : `${name} ${call.key}`
    const reply = await base.executeOnce({ call, key, amount, isCompared: false }, () => execute(caller))
    return reply === 'other-request' ? invalid('704', 'request already processed or in progress') : reply
  }
  const modification = (path: ModificationPath): Routes[number] => [
    `POST /v71/payments/:psp/${path}`,
    (call) => answer(call, (caller) => modify(path, call.parameters[0] ?? '', caller.body, caller)),
  ]
  const disputeMethod = (method: DisputeMethod): Routes[number] => [
    `POST /v71/${method}`,
    (call) => answer(call, (caller) => serveDispute(method, caller)),
    filesBytes,
  ]
  return [
    disputeMethod('retrieveApplicableDefenseReasons'),
    disputeMethod('supplyDefenseDocument'),
    disputeMethod('defendDispute'),
    disputeMethod('acceptDispute'),
    ['POST /v71/payments/details', (call) => answer(call, (caller) => complete(caller.body, caller))],
    ['POST /v71/payments', (call) => answer(call, (caller) => authorise(caller.body, caller))],
    ['POST /v71/cancels', (call) => answer(call, (caller) => cancelByReference(caller.body, caller))],
    modification('captures'),
    modification('refunds'),
    modification('cancels'),
    modification('reversals'),
    // A question: like a refusal it executes nothing, so that its answer is not stored.
    ['POST /v71/paymentMethods', (call) => answer(call, () => ({ reply: methods, isRefused: true }))],
  ]
}

const methods: Reply = {
  status: 200,
  body: { paymentMethods: [{ name: 'Cards', type: 'scheme', brands: ['visa', 'mc'] }] },
}

const pages = (base: Base<Payment>, payments: Payments): Routes =>
  payerPages({
    find: (key) => {
      const payment = payments.atPage(key)
      if (!payment?.page) return undefined
      const { amount, currency, lastFour, page } = payment
      const shown = { merchant: page.merchant, amountMinor: BigInt(amount), currency, card: `•••• ${lastFour}` }
      return { payment: shown, returnUrl: page.redirectResult && backTo(page.returnUrl, page.redirectResult) }
    },
    decide: async (key, decision) => {
      const payment = payments.atPage(key)
      if (!payment?.page) throw new Error('The page belongs to no payment.')
      const redirectResult = randomBytes(24).toString('base64url')
      await base.write({ items: [{ ...payment, page: { ...payment.page, decision, redirectResult } }] })
      return backTo(payment.page.returnUrl, redirectResult)
    },
  })

function disputes(base: Base<Payment>, payments: Payments): Routes {
  const take = (reference: string, step: DisputeStep | InquiryStep): Line<Payment> => {
    const before = payments.listCaptured().find(({ pspReference }) => pspReference === reference)
    if (!before) throw new Error('The reference belongs to no captured payment.')
    const { merchantAccount = '' } = base.accounts.byName(before.account)?.secrets ?? {}
    const { payment, effects, notices } = takeStep(before, step, merchantAccount)
    return { items: [payment], effects, notices }
  }
  return disputePages(base, { list: () => payments.listCaptured().map(disputableOf), take, inquire: take })
}

function backTo(returnUrl: string, redirectResult: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('redirectResult', redirectResult)
  return url.href
}
