/**
 * The sandbox acquirer's words into ours.
 *
 * An answer that does not state the result is `unknown`: a state it may add one day, a proxy's error page, an error of its own.
 */
import { z } from 'zod'
import { declineClasses } from '#domain/payment/payment.ts'
import type { AcquirerFacts, Answer, Outcome } from '../connector.ts'
import { refusedSend } from '../outcome.ts'
import type { WireReply } from '../wire.ts'

/** The answer to something that was sent. */
export function toOutcome(reply: WireReply, transactionId: string): Outcome {
  const { status } = reply
  const body = reply.json()
  if (status === 200) return fromTransaction(body, transactionId)

  const code = errorCode(body)
  if (code !== undefined && refusedUnexecuted.get(code) === status) {
    return code === 'unavailable' ? refusedSend(code) : { result: 'not-executed', reason: code, facts: {} }
  }
  return unknown(`The acquirer answered ${status}${code === undefined ? '' : `, ${code}`}.`)
}

/** The answer to a question. An error tells about the question and not about the transaction, save that it is not there. */
export function toAnswer(reply: WireReply, transactionId: string): Answer {
  const { status } = reply
  const body = reply.json()
  if (status === 200) return fromTransaction(body, transactionId)

  const code = errorCode(body)
  // The word counts and not the number alone: a proxy that knows no such path answers 404 as well.
  if (status === 404 && code === 'transaction_not_found') return { result: 'never-arrived' }
  return unknown(`The acquirer answered ${status}${code === undefined ? '' : `, ${code}`}.`)
}

/** The acquirer says both before it touches anything, and only with these statuses: whatever else answers so is not the acquirer. */
const refusedUnexecuted: ReadonlyMap<string, number> = new Map([
  ['unavailable', 503],
  ['invalid_request', 400],
])

const transactionSchema = z.object({
  transaction_id: z.string(),
  state: z.enum(['approved', 'declined', 'pending', 'waiting', 'redirect']),
  reason: z.string().optional(),
  decline_class: z.enum(declineClasses).catch('unknown'),
  reference: z.string(),
  approval_code: z.string().optional(),
  rrn: z.string().optional(),
  arn: z.string().optional(),
  network_transaction_id: z.string().optional(),
  descriptor: z.string().optional(),
  avs_result: z.string().optional(),
  cvv_result: z.string().optional(),
  stored_credential: z.string().optional(),
  redirect_path: z
    .string()
    .regex(/^\/[^/\\]/)
    .optional(),
  payment_path: z
    .string()
    .regex(/^\/[^/\\]/)
    .optional(),
  return_url: z.url({ protocol: /^https?$/ }).optional(),
  crypto_address: z.string().optional(),
  crypto_network: z.string().nullish(),
  crypto_currency: z.string().optional(),
  crypto_amount: z.string().optional(),
  voucher_reference: z.string().optional(),
  expires_at: z.iso.datetime().optional(),
  received: z
    .string()
    .regex(/^[0-9]{1,38}$/)
    .optional(),
  exchange_rate: z.string().optional(),
  exchange_rate_base: z.string().optional(),
  exchange_currency: z.string().optional(),
  exchange_amount: z.string().optional(),
  settlement_currency: z.string().optional(),
  settlement_amount: z.string().optional(),
})

type Transaction = z.infer<typeof transactionSchema>

const lostAnswerSchema = z.object({ drop_answer: z.literal(true) })

/** True if the gateway is to close the merchant's connection instead of answering. Chapter 10 §12, expiry 07/2039. */
export const losesMerchantAnswer = (reply: WireReply): boolean => lostAnswerSchema.safeParse(reply.json()).success

const errorSchema = z.object({ error: z.object({ code: z.string() }) })

/** A proxy that mixes up its connections hands out the answer to another request, which says nothing about this one. */
function fromTransaction(body: unknown, transactionId: string): Outcome {
  const parsed = transactionSchema.safeParse(body)
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')

  const transaction = parsed.data
  if (transaction.transaction_id !== transactionId)
    return unknown('The answer of the acquirer is about another transaction.')

  const facts = factsOf(transaction)
  switch (transaction.state) {
    case 'approved':
      return { result: 'approved', facts }
    case 'declined':
      return {
        result: 'declined',
        reason: transaction.reason ?? 'Declined',
        declineClass: transaction.decline_class,
        facts,
      }
    case 'waiting':
      return { result: 'waiting', facts }
    case 'pending':
      return { result: 'unknown', reason: 'The acquirer has not decided yet.', facts }
    case 'redirect':
      return toPayerStep(transaction, facts)
  }
}

/** The acquirer's pages are served beside our own, so that its path belongs to the origin to which the payer comes back. */
function toPayerStep({ redirect_path, return_url }: Transaction, facts: AcquirerFacts): Outcome {
  if (!redirect_path || !return_url) return unknown('The answer of the acquirer names no page for the payer.')
  const { href: url } = new URL(redirect_path, return_url)
  return { result: 'payer-step', step: 'REDIRECT', url, method: 'GET', params: {}, facts }
}

function factsOf(transaction: Transaction): AcquirerFacts {
  const extended = extendedOf(transaction)
  return {
    reference: transaction.reference,
    ...(transaction.approval_code && { approvalCode: transaction.approval_code }),
    ...(transaction.rrn && { rrn: transaction.rrn }),
    ...(transaction.arn && { arn: transaction.arn }),
    ...(transaction.network_transaction_id && { networkTransactionId: transaction.network_transaction_id }),
    ...(transaction.descriptor && { descriptor: transaction.descriptor }),
    ...moneyOf(transaction),
    ...exchangeOf(transaction),
    ...(transaction.stored_credential && { storedCredential: transaction.stored_credential }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}

/** The page of crypto money has no place of its own in the answers, so that it stands among the rest. */
function extendedOf(transaction: Transaction): Readonly<Record<string, string>> {
  const { avs_result, cvv_result, settlement_currency, settlement_amount, crypto_address } = transaction
  const payment_page = crypto_address ? pageOf(transaction) : null
  return {
    ...(avs_result && { avs_result }),
    ...(cvv_result && { cvv_result }),
    ...(settlement_currency && { settlement_currency }),
    ...(settlement_amount && { settlement_amount }),
    ...(payment_page && { payment_page }),
  }
}

function moneyOf(transaction: Transaction): AcquirerFacts {
  const { crypto_address, crypto_network, crypto_currency, crypto_amount, voucher_reference, expires_at, received } =
    transaction
  return {
    ...(crypto_address && {
      crypto: {
        address: crypto_address,
        network: crypto_network ?? null,
        ...(crypto_amount && { amount: crypto_amount }),
        ...(crypto_currency && { currency: crypto_currency }),
      },
    }),
    ...(voucher_reference && {
      voucher: { reference: voucher_reference, expires: inUtc(expires_at), url: pageOf(transaction) },
    }),
    ...(received && { received }),
  }
}

function exchangeOf(transaction: Transaction): Pick<AcquirerFacts, 'exchange'> {
  const { exchange_rate: rate, exchange_currency: currency, exchange_amount: amount } = transaction
  if (!rate || !currency || !amount) return {}
  return { exchange: { rate, rateBase: transaction.exchange_rate_base ?? null, currency, amount } }
}

const pageOf = ({ payment_path, return_url }: Transaction): string | null =>
  payment_path && return_url ? new URL(payment_path, return_url).href : null

const inUtc = (instant: string | undefined): string | null => instant?.slice(0, 19).replace('T', ' ') ?? null

function errorCode(body: unknown): string | undefined {
  return errorSchema.safeParse(body).data?.error.code
}

function unknown(reason: string): Outcome {
  return { result: 'unknown', reason, facts: {} }
}
