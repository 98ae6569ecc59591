/** Turns the input of SALE, DEBIT, CARD2CARD and CREDIT2CARD into the request of the operation. */

import type { Amount } from '#domain/money/money.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { buildFirstStep, type FirstStepInput, payerReturnTo } from '../../payments/request/build-first-step.ts'
import type { CardInput } from '../../payments/request/card-input.ts'
import type { FirstStepRequest } from '../../payments/request/first-step-request.ts'
import type { Caller } from '../kit/action.ts'
import { personIn } from '../kit/values/person.ts'
import { requestTextsIn } from '../kit/values/request-texts.ts'

/** Names as on the wire; an action may lack the optional ones. */
interface CardParams {
  readonly channel_id: string | undefined
  readonly order_id: string
  readonly order_amount: Amount
  readonly order_currency: string
  readonly order_description: string
  readonly payer_ip: string | undefined
  readonly payer_language?: string | undefined
  readonly term_url_3ds?: string
  readonly term_url_target?: string | undefined
  readonly callback_url: string | undefined
  readonly req_token?: boolean | undefined
  readonly payer_present?: boolean
  readonly recurring_init?: boolean
  readonly parameters: JsonObject | undefined
  readonly custom_data: JsonObject | undefined
}

/** The members that the actions set differently. */
type ActionMembers = Pick<FirstStepInput, 'useId' | 'paymentMethod' | 'auth' | 'payeeCard' | 'schedule' | 'threeDs'>

export function firstStepRequest(
  action: FirstStepRequest['action'],
  input: CardParams,
  caller: Caller,
  members: ActionMembers,
): FirstStepRequest {
  return buildFirstStep({
    ...requestTextsIn(input),
    merchant: caller.merchant,
    mode: caller.mode,
    protocol: 'S2S_CARD',
    mapping: caller.mapping,
    action,
    channel: input.channel_id,
    order: {
      id: input.order_id,
      description: input.order_description,
      amountMinor: input.order_amount.minor,
      amountDecimals: input.order_amount.decimals,
      currency: input.order_currency,
    },
    saveCard: input.req_token,
    payer: personIn('payer_', input),
    payee: personIn('payee_', input),
    payerIp: input.payer_ip,
    language: input.payer_language,
    callbackUrl: input.callback_url,
    payerReturn: payerReturnTo(input.term_url_3ds, input.term_url_target),
    payerPresent: input.payer_present,
    recurringInit: input.recurring_init,
    parameters: input.parameters,
    customData: input.custom_data,
    requestId: caller.requestId,
    ...members,
  })
}

/** Card data as SALE and DEBIT name them, or the saved card; null when neither was sent. */
export function cardInput(input: {
  readonly card_number: Secret<string> | undefined
  readonly card_exp_month: number | undefined
  readonly card_exp_year: number | undefined
  readonly card_cvv2: Secret<string> | undefined
  readonly card_token: string | undefined
}): CardInput | null {
  const { card_number, card_exp_month, card_exp_year, card_cvv2, card_token } = input
  const verificationCode = card_cvv2 ?? null
  if (card_number && card_exp_month && card_exp_year) {
    return {
      source: 'card',
      number: card_number,
      expiry: { month: card_exp_month, year: card_exp_year },
      verificationCode,
    }
  }
  return card_token ? { source: 'token', token: card_token, verificationCode } : null
}
