/**
 * A stand-in for Checkout.com: payments, payouts, tokens, answers to disputes and webhooks of its current platform, as far as a gateway uses them. It is another
 * company with its own record; no money moves here. The payer's page is `/pages/:key`, that of disputes `/disputes`.
 */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Handler, Routes } from '../../kit/routes.ts'
import type { Account, AccountName } from '../kit/accounts.ts'
import { now } from '../kit/clock.ts'
import { disputePages } from '../kit/dispute-pages.ts'
import type { Execution } from '../kit/idempotency.ts'
import { payerPages } from '../kit/payer-pages.ts'
import { type Base, type OpenStandIn, openBase, type StandIn } from '../kit/stand-in.ts'
import { type ActionPath, act } from './actions.ts'
import { type Caller, decideAtPage, type Fields, fieldsOf, request, returnUrlOf, textOf } from './charge.ts'
import { disputeAnswerRoutes } from './dispute-answers.ts'
import { disputableOf, takeStep } from './disputes.ts'
import { invalid, notFound, unauthorizedReply, withRequestId } from './errors.ts'
import { accountOf, exchangeKey, issue } from './keys.ts'
import { newId, type Payment, Payments } from './payment.ts'
import { actionView, paymentView } from './views.ts'
import { webhook } from './webhook.ts'

export const openCheckout: OpenStandIn = async (folder) => {
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

function credentialsOf({ accounts }: Base<Payment>, name: AccountName, url: string): Fields {
  const secrets = accounts.byName(name)?.secrets ?? {}
  return {
    secret_key: secrets['secretKey'],
    public_key: secrets['publicKey'],
    processing_channel_id: secrets['channel'],
    currency_account_id: secrets['currencyAccount'],
    webhook_secret: secrets['signatureKey'],
    // Only the card whose issuer asks for it, so that the other cards show their own outcomes.
    three_ds: 'on-demand',
    base_url: url,
  }
}

function apiRoutes(base: Base<Payment>, payments: Payments): Routes {
  // A token lives for minutes, so that it need not outlive the process.
  const tokens = new Map<string, string>()
  const requireAccount =
    (handle: (call: Call, account: Account) => Promise<Reply> | Reply, key: 'secret' | 'public' = 'secret'): Handler =>
    async (call) => {
      const account = accountOf(base.accounts, call, key)
      return withRequestId(account ? await handle(call, account) : unauthorizedReply)
    }
  /** Checkout.com returns the first answer for a key, and does not compare the requests. */
  const once = async (
    call: Call,
    { name }: Account,
    execute: (caller: Caller) => Execution<Payment>,
  ): Promise<Reply> => {
    const idempotencyKey = call.headers['cko-idempotency-key']
    const amount = isObject(call.body) ? String(call.body.amount) : undefined
    const url = `http://${call.host}`
    const caller = {
      account: name,
      transactionId: idempotencyKey ?? '',
      url,
      numberOf: (token: string) => tokens.get(token),
    }
    const key = idempotencyKey === undefined ? null : `${name} ${idempotencyKey}`
    const reply = await base.executeOnce({ call, key, amount, isCompared: false }, () => execute(caller))
    return reply === 'other-request' ? { status: 409, body: undefined } : reply
  }
  const action = (path: ActionPath): Routes[number] => [
    `POST /payments/:id/${path}`,
    requireAccount(async (call, account) => {
      const payment = payments.withId(account.name, call.parameters[0] ?? '')
      if (!payment) return notFound
      // Looked up again inside: the payment may have changed since, and a repeated request gets its first answer.
      return once(call, account, (caller) =>
        act(path, payments.withId(account.name, payment.id) ?? payment, fieldsOf(call.body), caller),
      )
    }),
  ]
  return [
    ['POST /connect/token', async (call) => exchangeKey(base.accounts, call)],
    ['POST /tokens', requireAccount((call) => createToken(fieldsOf(call.body), tokens), 'public')],
    [
      'POST /payments',
      requireAccount((call, account) => once(call, account, (caller) => request(fieldsOf(call.body), caller))),
    ],
    [
      'GET /payments',
      requireAccount((call, account) => listPayments(call, payments.withReference(account.name, referenceIn(call)))),
    ],
    [
      'GET /payments/:id',
      requireAccount(({ parameters: [id = ''], host }, { name }) => {
        const payment = payments.withId(name, id)
        return payment ? { status: 200, body: paymentView(payment, `http://${host}`) } : notFound
      }),
    ],
    [
      'GET /payments/:id/actions',
      requireAccount(({ parameters: [id = ''] }, { name }) => {
        const payment = payments.withId(name, id)
        return payment ? { status: 200, body: payment.actions.map(actionView) } : notFound
      }),
    ],
    action('captures'),
    action('refunds'),
    action('voids'),
    action('reversals'),
    ...disputeAnswerRoutes({ base, payments, known: requireAccount }),
  ]
}

const referenceIn = ({ query }: Call): string => query.get('reference') ?? ''

function listPayments(call: Call, found: readonly Payment[]): Reply {
  if (referenceIn(call) === '') return invalid('reference_required')
  const data = found.map((payment) => paymentView(payment, `http://${call.host}`))
  return { status: 200, body: { limit: 100, skip: 0, total_count: data.length, data } }
}

/** A wallet's token cannot be opened here, so that it stands for a card that is approved. */
function createToken({ type, number, token_data: data }: Fields, tokens: Map<string, string>): Reply {
  const isWallet = (type === 'applepay' || type === 'googlepay') && isObject(data)
  if (!isWallet && textOf(number) === '') return invalid(type === 'card' ? 'number_required' : 'token_data_invalid')
  const token = newId('tok')
  tokens.set(token, isWallet ? '4111111111111111' : textOf(number))
  return { status: 201, body: { type, token, ...(isWallet && { token_format: 'cryptogram_3ds' }) } }
}

const pages = (base: Base<Payment>, payments: Payments): Routes =>
  payerPages({
    find: (key) => {
      const payment = payments.atPage(key)
      if (!payment?.page) return undefined
      const { amount, currency, lastFour, page } = payment
      const shown = { merchant: page.merchant, amountMinor: BigInt(amount), currency, card: `•••• ${lastFour}` }
      return { payment: shown, returnUrl: returnUrlOf(payment) }
    },
    decide: async (key, decision) => {
      const payment = payments.atPage(key)
      if (!payment?.page) throw new Error('The page belongs to no payment.')
      const { line = {} } = decideAtPage(payment, decision, '')
      await base.write(line)
      return returnUrlOf(payments.atPage(key) ?? payment) ?? payment.page.failureUrl
    },
  })

const disputes = (base: Base<Payment>, payments: Payments): Routes =>
  disputePages(base, {
    list: () => payments.listCaptured().map(disputableOf),
    take: (reference, step) => {
      const before = payments.listCaptured().find(({ id }) => id === reference)
      if (!before) throw new Error('The reference belongs to no captured payment.')
      const { payment, effects, notices } = takeStep(before, step)
      return { items: [payment], effects, notices }
    },
  })
