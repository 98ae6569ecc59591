/**
 * A stand-in for a gateway of the platform of NMI, for the connector `prism-nmi`: charges, holds, captures, releases, refunds, stored cards and the
 * query by the merchant's order id. It is another company with its own record; no money moves here. It has no idempotency keys, like the original.
 *
 * An amount below 1.00 is declined, as the platform's test accounts do.
 */
import { randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { type Base, type OpenStandIn, openBase } from '../kit/stand-in.ts'
import { idOf, newNumber, type Payment, Payments } from './payment.ts'

type Form = Readonly<Record<string, string>>

export const openPrismNmi: OpenStandIn = async (folder) => {
  const payments = new Payments()
  const issue = () => ({ securityKey: randomBytes(16).toString('hex') })
  const base = await openBase<Payment>({ folder, issue, apply: payments.enter })
  const credentialsOf = (name: 'live' | 'test', url: string) => ({
    api_key: base.accounts.byName(name)?.secrets['securityKey'],
    public_key: 'unused',
    base_url: url,
  })
  return {
    routes: [...apiRoutes(base, payments), ...base.routes],
    now,
    credentials: (url) => ({ live: credentialsOf('live', url), test: credentialsOf('test', url) }),
    close: () => base.close(),
  }
}

function apiRoutes(base: Base<Payment>, payments: Payments): Routes {
  const transact = async (call: Call): Promise<Reply> => {
    const form = formOf(call)
    const account = base.accounts.bySecret('securityKey', form.security_key)?.name
    if (account === undefined) return answer({ response: '3', responsetext: 'Authentication Failed', code: '300' })
    const known = payments.withId(account, form.transactionid ?? '')
    const reply = await base.executeOnce({ call, key: null, amount: form.amount, isCompared: false }, () =>
      execute(account, form, { known, hasCard: hasCard(payments, account, form) }),
    )
    return reply === 'other-request' ? { status: 409, body: undefined } : reply
  }
  const query = async (call: Call): Promise<Reply> => {
    const { security_key: key, order_id: order = '', transaction_id: id = '' } = formOf(call)
    const account = base.accounts.bySecret('securityKey', key)?.name ?? ''
    const found = payments.withId(account, id) ?? payments.withTransaction(account, idOf(order))
    const inside = found
      ? `<transaction><transaction_id>${found.id}</transaction_id><condition>${conditionOf(found)}</condition><order_id>${found.transactionId.replaceAll('-', '')}</order_id></transaction>`
      : ''
    return xml(`<?xml version="1.0" encoding="UTF-8"?>\n<nm_response>${inside}</nm_response>`)
  }
  return [
    ['POST /api/transact.php', transact],
    ['POST /api/query.php', query],
  ]
}

interface Found {
  readonly known: Payment | undefined
  readonly hasCard: boolean
}

function execute(account: string, form: Form, { known, hasCard: isPayable }: Found): Execution<Payment> {
  const amountMinor = Math.round(Number(form.amount ?? '0') * 100)
  switch (form.type) {
    case 'sale':
    case 'auth':
      return isPayable && amountMinor > 0 ? charge(account, form, amountMinor) : refuse('Invalid Credit Card Number')
    case 'capture':
      return later('capture', known, amountMinor, form)
    case 'refund':
      return later('refund', known, amountMinor, form)
    case 'void':
      return later('reverse', known, known?.amountMinor ?? 0, form)
    default:
      return refuse('Invalid transaction type')
  }
}

/** A number, or a card that an earlier payment stored. */
const hasCard = (payments: Payments, account: string, { ccnumber = '', customer_vault_id = '' }: Form): boolean =>
  /^[0-9]{12,19}$/.test(ccnumber) || payments.hasVault(account, customer_vault_id)

function charge(account: string, form: Form, amountMinor: number): Execution<Payment> {
  const kind = form.type === 'sale' ? 'sale' : 'authorize'
  const isApproved = amountMinor >= 100
  const payment: Payment = {
    account,
    id: newNumber(),
    transactionId: idOf(form.orderid ?? ''),
    kind,
    amountMinor,
    currency: form.currency ?? 'USD',
    capturedMinor: isApproved && kind === 'sale' ? amountMinor : 0,
    refundedMinor: 0,
    state: isApproved ? 'approved' : 'declined',
    ...(form.customer_vault === 'add_customer' && isApproved && { vaultId: newNumber() }),
  }
  const { transactionId, currency, id: reference } = payment
  const effect = { account, transactionId, kind, amount: String(amountMinor), currency, reference } as const
  const words = isApproved
    ? { response: '1', responsetext: 'SUCCESS', code: '100' }
    : { response: '2', responsetext: 'DECLINE', code: '200' }
  return {
    reply: answer({
      ...words,
      id: reference,
      order: form.orderid ?? '',
      type: form.type ?? '',
      vaultId: payment.vaultId ?? form.customer_vault_id ?? '',
    }),
    line: { items: [payment], effects: [{ ...effect, state: isApproved ? 'executed' : 'declined' }] },
  }
}

/** Of a capture and a release the company is told the number of the payment alone. */
function later(
  kind: 'capture' | 'refund' | 'reverse',
  known: Payment | undefined,
  amountMinor: number,
  form: Form,
): Execution<Payment> {
  const changed = known && changedBy(kind, known, amountMinor)
  if (!known || !changed) return refuse('Transaction not found or not possible')
  const { account, currency, id } = known
  const transactionId = form.orderid === undefined ? known.transactionId : idOf(form.orderid)
  const reference = kind === 'refund' ? newNumber() : id
  const effect = { account, transactionId, kind, amount: String(amountMinor), currency, reference } as const
  const words = { response: '1', responsetext: 'SUCCESS', code: '100', id: reference, order: '', type: form.type ?? '' }
  return { reply: answer(words), line: { items: [changed], effects: [{ ...effect, state: 'executed' }] } }
}

/** Null where it is not possible. */
function changedBy(kind: 'capture' | 'refund' | 'reverse', payment: Payment, amountMinor: number): Payment | null {
  const { state, amountMinor: whole, capturedMinor, refundedMinor } = payment
  if (state !== 'approved' || amountMinor <= 0) return null
  if (kind === 'capture')
    return capturedMinor + amountMinor <= whole ? { ...payment, capturedMinor: capturedMinor + amountMinor } : null
  if (kind === 'refund')
    return refundedMinor + amountMinor <= capturedMinor
      ? { ...payment, refundedMinor: refundedMinor + amountMinor }
      : null
  return capturedMinor === 0 ? { ...payment, state: 'voided' } : null
}

function conditionOf({ state, capturedMinor }: Payment): string {
  if (state === 'declined') return 'failed'
  if (state === 'voided') return 'canceled'
  return capturedMinor > 0 ? 'pendingsettlement' : 'pending'
}

interface Words {
  readonly response: string
  readonly responsetext: string
  readonly code: string
  readonly id?: string
  readonly order?: string
  readonly type?: string
  readonly vaultId?: string
}

const refuse = (responsetext: string): Execution<Payment> => ({
  reply: answer({ response: '3', responsetext, code: '300' }),
  isRefused: true,
})

function answer({ response, responsetext, code, id = '', order = '', type = '', vaultId = '' }: Words): Reply {
  const fields = { response, responsetext, authcode: '123456', transactionid: id, avsresponse: '', cvvresponse: '' }
  const stored = vaultId === '' ? {} : { customer_vault_id: vaultId }
  const body = new URLSearchParams({ ...fields, orderid: order, type, response_code: code, ...stored })
  return { status: 200, body: String(body), headers: { 'content-type': 'text/html;charset=UTF-8' } }
}

const xml = (body: string): Reply => ({ status: 200, body, headers: { 'content-type': 'text/xml;charset=UTF-8' } })

const formOf = ({ body }: Call): Form =>
  isObject(body) ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])) : {}
