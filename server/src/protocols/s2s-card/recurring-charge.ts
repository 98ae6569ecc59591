/** RECURRING_SALE and RECURRING_DEBIT: one table of parameters, which differs only in `auth`. Chapter 10 §7.6. */

import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { isUuid } from '#domain/uuid.ts'
import type { Chain } from '../../payments/attempt/chain.ts'
import { type Action, action, type Caller } from '../kit/action.ts'
import { type OnSchedule, refusePaused, scheduleOfPayment } from '../kit/named-schedule.ts'
import { paymentNotes, recallPayment } from '../kit/payment-recall.ts'
import { isMissing, type MissingEntity } from '../kit/prepared.ts'
import { customData, parameterBag } from '../kit/values/bag.ts'
import * as format from '../kit/values/formats.ts'
import { anyText, optional, type Param, required, type Values } from '../kit/values/params.ts'
import { blank, faultyResult } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { sentIn } from '../kit/values/sent.ts'
import { knownHere } from './named-payment.ts'
import { chargeAmount, chargedAmount } from './order-params.ts'
import { paymentAnswer } from './present.ts'
import { planParams, scheduleWish } from './recurring-params.ts'

const otherName = 'recurring_first_trans_id'

/** Deployed clients send either name; if both are missing, both are reported. */
const firstTransId: Param<string, BaseReading> = {
  words: { sent: `yes; \`${otherName}\` is read when it is absent`, holds: 'the `trans_id` of the first payment' },
  read: (name, sent, reading) => {
    if (sent !== undefined) return required(format.identifier).read(name, sent, reading)
    const other = sentIn(reading.tree, otherName)
    if (other !== undefined) return required(format.identifier).read(otherName, other, reading)
    return faultyResult(...blank(name).violations, ...blank(otherName).violations)
  },
}

const paramsWith = (auth: Param<boolean>) => ({
  client_key: anyText,
  order_id: required(format.orderNumber('in')(format.text(limits.length.orderId))),
  order_amount: chargeAmount,
  order_description: required(format.text(limits.length.orderDescription)),
  recurring_init_trans_id: firstTransId,
  recurring_token: required(format.identifier),
  callback_url: optional(format.callbackUrl),
  auth,
  ...planParams,
  parameters: parameterBag,
  custom_data: customData,
  hash: anyText,
})

type Input = Values<ReturnType<typeof paramsWith>>
type FoundChain = OnSchedule & { readonly chain: Chain }

export function recurringAction(name: string, kind: 'sale' | 'debit', auth: Param<boolean>): Action {
  return action({
    name,
    params: paramsWith(auth),
    find: (input, caller) => find(input, caller, kind),
    unknown: errors.incorrectTransaction,
    signature: (_, { chain: { first } }) => ({
      formula: cardFormulas.start,
      values: { email: first.payerEmail ?? undefined, pan10: first.pan10 ?? undefined },
    }),
    run,
    recall: recallPayment,
    present: (result, caller) => paymentAnswer(caller.operations.facts(result), caller),
    logNotes: paymentNotes,
  })
}

async function find(input: Input, caller: Caller, kind: 'sale' | 'debit'): Promise<FoundChain | MissingEntity | null> {
  const firstPayment = input.recurring_init_trans_id.toLowerCase()
  const token = input.recurring_token.toLowerCase()
  if (!isUuid(firstPayment) || !isUuid(token)) return null
  const { merchant, mode, operations } = caller
  const chain = await operations.findChain({ merchantId: merchant.id, mode, firstPayment, token, kind })
  if (!chain || !knownHere.includes(chain.first.protocol)) return null
  const named = await scheduleOfPayment(caller, input.schedule_id)
  return isMissing(named) ? named : { ...named, chain }
}

function run(input: Input, { chain, schedule }: FoundChain, caller: Caller, useId: string | null) {
  refusePaused(schedule)
  const { currency } = chain.first
  const amount = chargedAmount(input.order_amount, currency)
  return caller.operations.chargeRecurring({
    merchant: caller.merchant,
    mapping: caller.mapping,
    protocol: 'S2S_CARD',
    chain,
    auth: input.auth,
    order: {
      id: input.order_id,
      description: input.order_description,
      amountMinor: amount.minor,
      amountDecimals: amount.decimals,
    },
    callbackUrl: input.callback_url ?? null,
    schedule: scheduleWish(input, schedule, currency),
    parameters: input.parameters ?? null,
    customData: input.custom_data ?? null,
    useId,
  })
}
