/** Turns the input of an action that begins a payment into the request of the operation. */

import type { Parameters } from '#domain/brand/brand-parameters.ts'
import { errors, violations } from '#domain/errors.ts'
import { wallets } from '#domain/mid.ts'
import { secret } from '#domain/secret.ts'
import { apmFormulas } from '#domain/signature/signature.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import { buildFirstStep, payerReturnTo } from '../../payments/request/build-first-step.ts'
import type { FirstStepRequest } from '../../payments/request/first-step-request.ts'
import type { PaymentMethod } from '../../payments/request/payment-method.ts'
import type { Caller, Signed } from '../kit/action.ts'
import type { SentToken } from '../kit/prepared.ts'
import { personIn } from '../kit/values/person.ts'
import { requestTextsIn } from '../kit/values/request-texts.ts'
import { tokenParam } from './brand-params.ts'
import type { OrderAmount } from './order-params.ts'

/** Names as on the wire; an action may lack the optional ones. */
interface FirstStepInput {
  readonly channel_id: string | undefined
  readonly brand: string
  readonly order_id: string
  readonly order_amount: OrderAmount
  readonly order_currency: string
  readonly order_description: string
  readonly crypto_network?: string | undefined
  readonly identifier?: string | undefined
  readonly payer_ip?: string
  readonly payer_language?: string | undefined
  readonly return_url?: string
  readonly return_url_target?: string | undefined
  readonly payer_return_url?: string
  readonly callback_url: string | undefined
  readonly auth?: boolean
  readonly parameters: Parameters
  readonly custom_data: JsonObject | undefined
}

export function firstStepRequest(
  action: FirstStepRequest['action'],
  input: FirstStepInput,
  { merchant, mode, mapping, requestId, brand: named }: Caller,
  useId: string | null,
): FirstStepRequest {
  const { paymentMethod, parameters } = readMethod(action, input, named)
  return buildFirstStep({
    ...requestTextsIn(input),
    merchant,
    mode,
    protocol: 'S2S_APM',
    mapping,
    action,
    auth: input.auth,
    channel: input.channel_id,
    order: {
      id: input.order_id,
      description: input.order_description,
      amountMinor: input.order_amount.minor,
      amountDecimals: input.order_amount.decimals,
      currency: input.order_currency,
      openAmount: input.order_amount.text === undefined,
    },
    paymentMethod,
    payer: personIn('payer_', input),
    payerIp: input.payer_ip,
    language: input.payer_language,
    callbackUrl: input.callback_url,
    payerReturn: payerReturnTo(input.return_url ?? input.payer_return_url, input.return_url_target),
    parameters,
    customData: input.custom_data,
    useId,
    requestId,
  })
}

/** Formula S1: amount and currency exactly as sent. Chapter 20 §4.2. */
export const startSignature = (input: FirstStepInput): Signed => ({
  formula: apmFormulas.start,
  values: { ...orderValues(input), identifier: input.identifier },
})

/** The token of a wallet's brand, whatever its shape. */
export function walletTokenIn(
  { brand, parameters, order_id: orderId }: FirstStepInput,
  caller: Caller,
): SentToken | null {
  const wallet = wallets.find((one) => one === caller.brand(brand)?.code)
  const { paymentToken: token } = parameters
  return wallet && typeof token === 'string' ? { wallet, token, orderId } : null
}

/** Formula S4. Chapter 20 §4.2. */
export const payoutSignature = (input: FirstStepInput): Signed => ({
  formula: apmFormulas.payout,
  values: orderValues(input),
})

const orderValues = ({ order_id, order_amount, order_currency }: FirstStepInput) => ({
  order_id,
  order_amount: order_amount.text,
  order_currency,
})

interface SentMethod {
  readonly paymentMethod: PaymentMethod
  /** Without a wallet's token, which is not stored like other parameters. */
  readonly parameters: JsonObject
}

/** Only whether the brand is known and enabled; the command makes the brand's other checks. Chapter 20 §5.5. */
function readMethod(action: FirstStepRequest['action'], input: FirstStepInput, named: Caller['brand']): SentMethod {
  const { brand: sentAs, identifier = null, crypto_network: cryptoNetwork = null } = input
  const brand = named(sentAs)
  if (!brand?.enabled) throw new RefusedError(errors.brandNotFound)
  const wallet = action === 'SALE' ? wallets.find((one) => one === brand.code) : undefined
  const { paymentToken, ...others } = input.parameters
  if (!wallet)
    return { paymentMethod: { kind: 'brand', brand, sentAs, identifier, cryptoNetwork }, parameters: input.parameters }
  if (typeof paymentToken !== 'string') throw invalid({ param: tokenParam, text: violations.blank })
  return {
    paymentMethod: {
      kind: 'wallet',
      wallet,
      sentAs,
      token: secret(paymentToken),
      param: tokenParam,
      bindingValue: null,
      brand,
      identifier,
    },
    parameters: others,
  }
}
