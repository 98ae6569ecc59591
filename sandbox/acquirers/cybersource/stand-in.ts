/**
 * A stand-in for CyberSource: payments, credits, later steps, time-out reversals, Transaction Search and webhooks of its REST API, as far as a
 * gateway uses them. It is another company with its own record; no money moves here.
 */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Handler, Routes } from '../../kit/routes.ts'
import type { Account, AccountName } from '../kit/accounts.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { type Base, type OpenStandIn, openBase, type StandIn } from '../kit/stand-in.ts'
import { invalid, notFound, unauthorizedReply } from './errors.ts'
import { accountOf, issue } from './keys.ts'
import { cancel, capture, refund, reverse } from './later-steps.ts'
import { amountIn, type Fields, fieldsIn, request, textIn } from './payments.ts'
import { type Transaction, Transactions } from './transaction.ts'
import { recordOf } from './views.ts'
import { webhook } from './webhook.ts'

export const openCybersource: OpenStandIn = async (folder) => {
  const known = new Transactions()
  const base = await openBase<Transaction>({ folder, issue, apply: known.enter, notifications: webhook })
  return {
    routes: [...apiRoutes(base, known), ...base.routes],
    now,
    credentials: (url) => ({ live: credentialsOf(base, 'live', url), test: credentialsOf(base, 'test', url) }),
    close: () => base.close(),
  } satisfies StandIn
}

function credentialsOf({ accounts }: Base<Transaction>, name: AccountName, url: string): Fields {
  const secrets = accounts.byName(name)?.secrets ?? {}
  return {
    merchant_id: secrets['merchantId'],
    key_id: secrets['keyId'],
    shared_secret: secrets['sharedSecret'],
    webhook_key_id: secrets['webhookKeyId'],
    webhook_key: secrets['webhookKey'],
    webhook_private_key: secrets['privateKey'],
    base_url: url,
  }
}

type Later = (target: Transaction | undefined, step: Parameters<typeof capture>[1]) => Execution<Transaction>

function apiRoutes(base: Base<Transaction>, known: Transactions): Routes {
  // Transaction Search lags behind; tests hide everything from it.
  const search = { isCurrent: true }
  const post = (address: string, handle: (call: Call, account: Account) => Promise<Reply> | Reply): Routes[number] => [
    `POST ${address}`,
    requireSignature('post', address, handle),
  ]
  const requireSignature =
    (method: string, address: string, handle: (call: Call, account: Account) => Promise<Reply> | Reply): Handler =>
    async (call) => {
      const account = accountOf(base.accounts, call, method, pathOf(address, call))
      return account ? handle(call, account) : unauthorizedReply
    }
  /** CyberSource has no idempotency keys: a repeated request is a new one. */
  const once = async (
    call: Call,
    amount: string | undefined,
    execute: () => Execution<Transaction>,
  ): Promise<Reply> => {
    const reply = await base.executeOnce({ call, key: null, amount }, execute)
    return reply === 'other-request' ? invalid('DUPLICATE_REQUEST') : reply
  }
  const amountOf = ({ body }: Call): string | undefined => {
    const { minor } = amountIn(fieldsIn(body), 'orderInformation')
    return minor === null ? undefined : String(minor)
  }
  const later = (address: string, act: Later): Routes[number] =>
    post(address, (call, { name }) =>
      once(call, amountOf(call), () =>
        act(known.withId(name, call.parameters[0] ?? ''), { body: fieldsIn(call.body), account: name, known }),
      ),
    )
  const afterTimeout = (address: string, act: Later): Routes[number] =>
    post(address, (call, { name }) =>
      once(call, undefined, () => {
        const body = fieldsIn(call.body)
        const target = known.withMerchantId(name, textIn(fieldsIn(body, 'clientReferenceInformation'), 'transactionId'))
        if (!target) return { reply: invalid('INVALID_DATA'), isRefused: true }
        return act(target, { body, account: name, known })
      }),
    )
  const first = (step: 'payments' | 'credits'): Routes[number] =>
    post(`/pts/v2/${step}`, (call, { name }) =>
      once(call, amountOf(call), () => request(step, fieldsIn(call.body), name, known)),
    )
  return [
    first('payments'),
    first('credits'),
    later('/pts/v2/payments/:id/captures', capture),
    later('/pts/v2/payments/:id/refunds', refund),
    later('/pts/v2/captures/:id/refunds', refund),
    later('/pts/v2/payments/:id/reversals', reverse),
    later('/pts/v2/payments/:id/voids', cancel),
    later('/pts/v2/captures/:id/voids', cancel),
    later('/pts/v2/refunds/:id/voids', cancel),
    later('/pts/v2/credits/:id/voids', cancel),
    afterTimeout('/pts/v2/reversals', reverse),
    afterTimeout('/pts/v2/voids', cancel),
    post('/tss/v2/searches', (call, { name }) => {
      const found = search.isCurrent ? known.withCode(name, codeIn(call)) : []
      return { status: 201, body: listOf(found) }
    }),
    [
      'GET /tss/v2/transactions/:id',
      requireSignature('get', '/tss/v2/transactions/:id', ({ parameters: [id = ''] }, { name }) => {
        const found = known.withId(name, id)
        return found ? { status: 200, body: recordOf(found) } : notFound()
      }),
    ],
    [
      'PUT /search',
      async ({ body }) => {
        search.isCurrent = !(isObject(body) && body.current === false)
        return { status: 200, body: search }
      },
    ],
  ]
}

/** What was signed: the address with its parameters in place. */
function pathOf(address: string, { parameters }: Call): string {
  const values = [...parameters]
  return address.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''))
}

/** The only query that a gateway asks: for a merchant's reference. */
function codeIn({ body }: Call): string {
  const { code = '' } =
    /^clientReferenceInformation\.code:(?<code>\S+)$/.exec(textIn(fieldsIn(body), 'query'))?.groups ?? {}
  return code
}

const listOf = (found: readonly Transaction[]): Fields => ({
  totalCount: found.length,
  count: found.length,
  ...(found.length > 0 && { _embedded: { transactionSummaries: found.map(recordOf) } }),
})
