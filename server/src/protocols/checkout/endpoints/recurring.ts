/** Recurring: the merchant charges a chain, whichever kind of payment started it. Chapter 30 §4.6. */

import { errors } from '#domain/errors.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import { isUuid } from '#domain/uuid.ts'
import type { Chain } from '../../../payments/attempt/chain.ts'
import { withCustomer } from '../../../payments/sessions/people.ts'
import { type OnSchedule, refusePaused, scheduleOfPayment } from '../../kit/named-schedule.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { isMissing, type MissingEntity } from '../../kit/prepared.ts'
import * as format from '../../kit/values/formats.ts'
import { orNumber } from '../../kit/values/json-params.ts'
import { anyText, object, optional, required, type Values } from '../../kit/values/params.ts'
import { amountIn, followUpAmount } from '../amount-params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { customData } from '../bag-params.ts'
import { type Caller, endpoint } from '../endpoint.ts'
import { chargedCustomer } from '../person-params.ts'
import { recurringAnswer } from '../present.ts'
import { description, orderNumber } from '../text-formats.ts'

const params = {
  merchant_key: anyText,
  recurring_init_trans_id: required(format.identifier),
  recurring_token: required(format.identifier),
  order: object(
    { number: orNumber(required(orderNumber)), amount: followUpAmount, description: required(description) },
    { sent: 'yes', ifAbsent: 'read' },
  ),
  customer: chargedCustomer,
  schedule_id: optional(format.uuid),
  custom_data: customData,
  hash: anyText,
}

type Input = Values<typeof params>
type FoundChain = OnSchedule & { readonly chain: Chain }

export const recurring = endpoint({
  path: '/api/v1/payment/recurring',
  name: 'recurring',
  params,
  find,
  unknown: errors.incorrectTransaction,
  signature: ({ recurring_init_trans_id, recurring_token, order }) => ({
    names: checkoutFormulas.recurring,
    values: {
      recurring_init_trans_id,
      recurring_token,
      'order.number': order?.number,
      'order.amount': order?.amount,
      'order.description': order?.description,
    },
  }),
  run,
  recall: recallPayment,
  present: (result, { operations }) => recurringAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})

async function find(input: Input, caller: Caller): Promise<FoundChain | MissingEntity | null> {
  const firstPayment = input.recurring_init_trans_id.toLowerCase()
  const token = input.recurring_token.toLowerCase()
  if (!isUuid(firstPayment) || !isUuid(token)) return null
  const { merchant, mode, operations } = caller
  const chain = await operations.findChain({ merchantId: merchant.id, mode, firstPayment, token })
  if (chain?.first.protocol !== 'CHECKOUT') return null
  const named = await scheduleOfPayment(caller, input.schedule_id)
  return isMissing(named) ? named : { ...named, chain }
}

function run(input: Input, { chain, schedule }: FoundChain, caller: Caller, useId: string | null) {
  refusePaused(schedule)
  const { order, customer } = input
  if (!order) throw new Error('A charge without an order passed its table.')
  const amount = amountIn(chain.first, order.amount, 'order.amount')
  return runUntilDeadline(caller, useId, (use) =>
    caller.operations.chargeRecurring({
      merchant: caller.merchant,
      mapping: caller.mapping,
      protocol: 'CHECKOUT',
      chain,
      auth: false,
      order: {
        id: order.number,
        description: order.description,
        amountMinor: amount.minor,
        amountDecimals: amount.decimals,
      },
      callbackUrl: null,
      schedule: schedule && { id: schedule.id, startDate: null, amount: null, firstDate: null },
      parameters: null,
      customData: input.custom_data,
      checkout: { amountAsSent: order.amount, payer: withCustomer(chain.first.payer, customer) },
      useId: use,
    }),
  )
}
