/** Status by payment_id, or by order_id with `size`. Chapter 30 §4.2. */

import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { inCascadingContext } from '../../kit/cascading-context.ts'
import { type MissingEntity, missingEntity } from '../../kit/prepared.ts'
import * as format from '../../kit/values/formats.ts'
import { orNumber } from '../../kit/values/json-params.ts'
import { anyText, optional, type Param } from '../../kit/values/params.ts'
import { blank, soundResult } from '../../kit/values/read.ts'
import type { BaseReading } from '../../kit/values/reading.ts'
import { integerOf, isSent, type SentValue } from '../../kit/values/sent.ts'
import { type Caller, endpoint } from '../endpoint.ts'
import { findNamedPayment } from '../named-payment.ts'
import { statusAnswer } from '../present.ts'

/** If neither identifier was sent, only `payment_id` is reported as missing: one mistake, one error. */
const paymentId: Param<string | undefined, BaseReading> = {
  words: {
    sent: 'yes, or `order_id`; it decides when both are sent',
    holds: `up to ${limits.length.identifier} characters`,
  },
  read: (path, sent, reading) => {
    if (sent === undefined && !isSent(reading.tree, 'order_id')) return blank(path)
    return optional(format.identifier).read(path, sent, reading)
  },
}

/** Ignored without `order_id`; a wrong value with it has its own error. */
const size: Param<SentValue, BaseReading> = {
  words: {
    sent: 'no',
    holds: 'a whole number from 1 to 100, only with `order_id`: returns a list of up to this many payments',
    schema: { type: ['integer', 'string'] },
  },
  read: (_, sent) => soundResult(sent),
}

interface StatusTarget {
  readonly payments: readonly PaymentRecord[]
  readonly asList: boolean
}

export const status = endpoint({
  path: '/api/v1/payment/status',
  name: 'status',
  params: {
    merchant_key: anyText,
    payment_id: paymentId,
    order_id: orNumber(optional(format.identifier)),
    size,
    hash: anyText,
  },
  find: async (input, caller): Promise<StatusTarget | MissingEntity> => {
    if (input.payment_id !== undefined) return findByPayment(input.payment_id, caller)
    return listByOrder(input.order_id ?? '', sizeOf(input.size), caller)
  },
  signature: ({ payment_id, order_id }) =>
    payment_id === undefined
      ? { names: checkoutFormulas.order, values: { order_id } }
      : { names: checkoutFormulas.payment, values: { payment_id } },
  run: async (_, found) => found,
  present: async ({ payments, asList }, caller) => {
    const answers = await Promise.all(payments.map((payment) => composeAnswer(payment, caller)))
    const [newest] = answers
    return asList || !newest ? answers : newest
  },
})

async function findByPayment(id: string, caller: Caller): Promise<StatusTarget | MissingEntity> {
  const payment = await findNamedPayment(caller, id)
  if (!payment) return missingEntity(errors.paymentDoesNotExist)
  return { payments: [await inCascadingContext(caller, payment)], asList: false }
}

async function listByOrder(
  orderId: string,
  atMost: number | null,
  caller: Caller,
): Promise<StatusTarget | MissingEntity> {
  const { merchant, mode, operations } = caller
  const payments = await operations.listOfOrder(merchant.id, orderId, mode, {
    protocols: ['CHECKOUT'],
    atMost: atMost ?? 1,
  })
  return payments.length === 0 ? missingEntity(errors.orderDoesNotExist) : { payments, asList: atMost !== null }
}

/** Null when no size was sent. */
function sizeOf(sent: SentValue): number | null {
  if (sent === undefined) return null
  const { statusSizeLow, statusSizeHigh } = limits.checkout
  const value = integerOf(sent)
  if (value === undefined || value < statusSizeLow || value > statusSizeHigh)
    throw new RefusedError(errors.sizeOutOfRange)
  return value
}

/** Reads the list of transactions only if the mapping shows it. */
async function composeAnswer(found: PaymentRecord, { operations, mapping }: Caller) {
  const payment = await operations.withFirstDate(found)
  const shown = mapping.addToStatus.includes('transactions')
  const transactions = shown ? await operations.listTransactions(payment) : undefined
  return statusAnswer(operations.facts({ payment, ...(transactions ? { transactions } : {}) }), mapping)
}
