/** DEBIT: charges a card without the payer fields that a SALE needs; refunded by a REVERSAL. Chapter 10 §7.5. */
import { action } from '../../kit/action.ts'
import { refusePaused, scheduleOfPayment } from '../../kit/named-schedule.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData, parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional, required, withDefault } from '../../kit/values/params.ts'
import { debitCardParams, savedCardParams } from '../card-params.ts'
import { cardInput, firstStepRequest } from '../first-step-request.ts'
import { orderParams, returnParams } from '../order-params.ts'
import { optionalPayerParams } from '../person-params.ts'
import { paymentAnswer } from '../present.ts'
import { chainParams, scheduleWish, startsChain } from '../recurring-params.ts'
import { startSignature } from '../start-signature.ts'

export const debit = action({
  name: 'DEBIT',
  params: {
    client_key: anyText,
    channel_id: optional(format.channel),
    ...debitCardParams,
    ...savedCardParams,
    ...orderParams(startsChain),
    ...optionalPayerParams,
    payer_ip: required(format.ip),
    ...returnParams,
    ...chainParams,
    payer_present: withDefault(format.flag, true),
    parameters: parameterBag,
    custom_data: customData,
    hash: anyText,
  },
  find: (input, caller) => scheduleOfPayment(caller, input.schedule_id),
  signature: startSignature,
  run: (input, { schedule }, caller, useId) => {
    const card = cardInput(input)
    if (!card) throw new Error('A DEBIT without a card passed its parameter table.')
    refusePaused(schedule)
    return caller.operations.takeFirstStep(
      firstStepRequest('DEBIT', input, caller, {
        useId,
        paymentMethod: { kind: 'card', card },
        schedule: scheduleWish(input, schedule, input.order_currency),
      }),
    )
  },
  recall: recallPayment,
  present: (result, caller) => paymentAnswer(caller.operations.facts(result), caller),
  logNotes: paymentNotes,
})
