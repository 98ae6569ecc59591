/** SALE: takes the money at once, or holds it with `auth=Y` and on a MID in DMS mode. Chapter 10 §7.1. */
import { errors } from '#domain/errors.ts'
import { secret } from '#domain/secret.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { PaymentMethod } from '../../../payments/request/payment-method.ts'
import { action, type Caller } from '../../kit/action.ts'
import { type OnSchedule, refusePaused, scheduleOfPayment } from '../../kit/named-schedule.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData, parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional, type ParamTable, type Values, withDefault } from '../../kit/values/params.ts'
import { authFlag, isAuthorization } from '../authorization.ts'
import { cardParams, motoType, savedCardParams, walletParams } from '../card-params.ts'
import { cardInput, firstStepRequest } from '../first-step-request.ts'
import { mpiData } from '../mpi-data.ts'
import { orderParams, returnParams } from '../order-params.ts'
import { payerParams } from '../person-params.ts'
import { paymentAnswer } from '../present.ts'
import { chainParams, scheduleWish, startsChain } from '../recurring-params.ts'
import { startSignature } from '../start-signature.ts'

const params = {
  client_key: anyText,
  channel_id: optional(format.channel),
  ...cardParams,
  ...savedCardParams,
  ...walletParams,
  // Zero is accepted for an authorization and for the start of a chain, not for a plain sale. Chapter 10 §7.1.5.
  ...orderParams((reading) => isAuthorization(reading) || startsChain(reading)),
  ...payerParams,
  ...returnParams,
  auth: authFlag,
  ...chainParams,
  moto_type: motoType,
  payer_present: withDefault(format.flag, true),
  mpi_data: mpiData,
  parameters: parameterBag,
  custom_data: customData,
  hash: anyText,
} satisfies ParamTable

type Input = Values<typeof params>

export const sale = action({
  name: 'SALE',
  // AUTH is SALE with `auth=Y`; answers carry the long form. Chapter 10 §3.
  aliases: ['AUTH'],
  params,
  find: (input, caller) => scheduleOfPayment(caller, input.schedule_id),
  signature: startSignature,
  tokenIn: ({ digital_wallet: named, payment_token: token, order_id: orderId }) =>
    named && token !== undefined ? { wallet: named.wallet, token, orderId } : null,
  run,
  recall: recallPayment,
  present: (result, caller) => paymentAnswer(caller.operations.facts(result), caller),
  logNotes: paymentNotes,
})

function run(input: Input, { schedule }: OnSchedule, caller: Caller, useId: string | null) {
  const paymentMethod = methodOf(input)
  refusePaused(schedule)
  return caller.operations.takeFirstStep(
    firstStepRequest('SALE', input, caller, {
      useId,
      auth: input.auth,
      paymentMethod,
      schedule: scheduleWish(input, schedule, input.order_currency),
      // `mpi_data` is ignored, because the wallet has already authenticated its payer. Chapter 10 §7.1.8.
      threeDs: paymentMethod.kind === 'wallet' ? null : input.mpi_data,
    }),
  )
}

function methodOf(input: Input): PaymentMethod {
  const card = cardInput(input)
  if (card) return { kind: 'card', card }
  const { digital_wallet: named, payment_token: token } = input
  if (!named || !token) throw new Error('A SALE without card and wallet passed its parameter table.')
  // Two-stage wallet payments exist on S2S APM only; this is the first check of step 10. Chapter 10 §7.1.6.
  if (input.auth) throw new RefusedError(errors.actionNotSupported)
  return {
    kind: 'wallet',
    ...named,
    token: secret(token),
    param: 'payment_token',
    bindingValue: null,
    brand: null,
  }
}
