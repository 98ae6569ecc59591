/** Verifies the address with which a payer comes back. It is no proof of payment: the callback or the status of the payment is. */
import { type Bytes, concat, hex, sameText, utf8 } from './bytes.ts'
import type { Receiver } from './callback.ts'
import { CallbackError } from './errors.ts'

/** Paid or held, not decided yet, or not paid, at the moment of the return. */
const returnOutcomes = ['success', 'open', 'failure'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

/** The order as the shop has stored it: never take it from the address. */
export interface ReturnedOrder {
  readonly id: string
  /** As it was sent; absent if the payer chooses it. */
  readonly amount?: string
  readonly currency: string
}

export interface PayerReturn {
  readonly transId: string
  readonly outcome: ReturnOutcome
}

/** Throws a CallbackError unless the service made the address for this order. `query` is what follows the question mark. */
export async function verifyReturn(
  query: string | URLSearchParams,
  order: ReturnedOrder,
  { passwords }: Pick<Receiver, 'passwords'>,
): Promise<PayerReturn> {
  const sent = typeof query === 'string' ? new URLSearchParams(query) : query
  // The service appends to what the shop's address has.
  const last = (name: string): string => sent.getAll(name).at(-1) ?? ''
  const [transId, hash] = [last('trans_id'), last('hash').toLowerCase()]
  if (last('order_id') !== order.id) throw new CallbackError('The return is of another order.')
  for (const outcome of returnOutcomes)
    for (const password of passwords)
      if (sameText(hash, await returnHash(transId, order, outcome, password))) return { transId, outcome }
  throw new CallbackError(
    'The hash of the return is not valid: compare the password, and the amount and currency of the order.',
  )
}

async function returnHash(
  transId: string,
  { id, amount = '', currency }: ReturnedOrder,
  outcome: ReturnOutcome,
  password: string,
): Promise<string> {
  const key = await hmac(utf8(password), utf8('payer return'))
  return hex(await hmac(key, concat([transId, id, amount, currency, outcome].map(netstring))))
}

/** The number of bytes, a colon, the value, a comma: no value can move into another one. */
function netstring(value: string): Bytes {
  const bytes = utf8(value)
  return concat([utf8(`${bytes.length}:`), bytes, utf8(',')])
}

async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}
