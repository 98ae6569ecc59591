/** SALE: takes the money at once, or holds it with `auth=Y` and on a MID in DMS mode. Chapter 10 §7.1. */
import { pan10 } from '#domain/card.ts'
import { errors } from '#domain/errors.ts'
import { cardFormulas } from '#domain/signature.ts'
import type { CardInput } from '../../../operations/card.ts'
import { RefusedError } from '../../../refused-error.ts'
import { action, type Caller, type Signed } from '../../kit/action.ts'
import { customData, parameterBag } from '../../kit/bag.ts'
import * as format from '../../kit/formats.ts'
import { anyText, optional, type ParamTable, type Values, withDefault } from '../../kit/params.ts'
import { authFlag, isAuthorization } from '../authorization.ts'
import { cardParams, isMoto, motoType, savedCardParams, walletParams } from '../card-params.ts'
import { mpiData } from '../mpi-data.ts'
import { orderParams, payerParams, returnParams } from '../order-params.ts'
import { done, recalled } from '../performed.ts'
import { paymentAnswer } from '../present.ts'

const params = {
  client_key: anyText,
  channel_id: optional(format.channel),
  ...cardParams,
  ...savedCardParams,
  ...walletParams,
  // Zero is taken with an authorization only; it also starts recurring chains, which this action does not do yet.
  ...orderParams(isAuthorization),
  ...payerParams,
  ...returnParams,
  auth: authFlag,
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
  signature,
  run: (input, _, caller, useId) => run(input, caller, useId),
  recall: recalled,
  present: (performed, caller) => paymentAnswer(caller.operations.facts(performed)),
  tells: done,
})

/** Formula 1 over the card that counts, Formula 8 for a wallet token. Chapter 10 §4.3. */
function signature(input: Input): Signed {
  const email = input.payer_email
  if (input.card_number)
    return { formula: cardFormulas.start, values: { email, pan10: pan10(input.card_number.reveal()) } }
  if (input.card_token) return { formula: cardFormulas.startWithToken, values: { email, card_token: input.card_token } }
  return { formula: cardFormulas.wallet, values: { email } }
}

function run(input: Input, caller: Caller, useId: string | null) {
  return caller.operations.firstStep({
    merchant: caller.merchant,
    side: caller.side,
    protocol: 'S2S_CARD',
    mapping: caller.mapping,
    action: 'SALE',
    auth: input.auth,
    channel: input.channel_id ?? null,
    order: {
      id: input.order_id,
      description: input.order_description,
      amountMinor: input.order_amount.minor,
      amountDecimals: input.order_amount.decimals,
      currency: input.order_currency,
    },
    card: cardOf(input),
    payeeCard: null,
    saveCard: input.req_token ?? false,
    payer: payerOf(input),
    payee: {},
    payerIp: input.payer_ip,
    language: input.payer_language,
    callbackUrl: input.callback_url ?? null,
    payerReturn: { url: input.term_url_3ds, target: input.term_url_target ?? null },
    motoType: input.moto_type ?? null,
    moto: isMoto(input.moto_type),
    payerPresent: input.payer_present,
    threeDs: input.mpi_data ?? null,
    recurringInit: false,
    schedule: null,
    parameters: input.parameters ?? null,
    customData: input.custom_data ?? null,
    useId,
  })
}

/** Two-stage wallet payments exist on S2S APM only; this is the first check of step 10. Chapter 10 §7.1.6. */
function cardOf(input: Input): CardInput {
  if (input.card_number && input.card_exp_month && input.card_exp_year) {
    return {
      source: 'card',
      number: input.card_number,
      expiry: { month: input.card_exp_month, year: input.card_exp_year },
      verificationCode: input.card_cvv2 ?? null,
    }
  }
  if (input.card_token) return { source: 'token', token: input.card_token, verificationCode: input.card_cvv2 ?? null }
  if (input.auth) throw new RefusedError(errors.actionNotSupported)
  throw new RefusedError(errors.walletNotSupported)
}

/** Stored by the wire's names without their prefix. */
function payerOf(input: Input): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name in payerParams && name !== 'payer_ip' && typeof value === 'string'
        ? [[name.slice('payer_'.length), value]]
        : [],
    ),
  )
}
