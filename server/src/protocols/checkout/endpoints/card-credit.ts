/** Card credit: pays out to a card without a page. Chapter 30 §4.8. */

import { luhnValid } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import { buildFirstStep } from '../../../payments/request/build-first-step.ts'
import type { CardInput } from '../../../payments/request/card-input.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { orNumber } from '../../kit/values/json-params.ts'
import {
  anyText,
  type Format,
  optional,
  type Param,
  required,
  type Values,
  withWords,
} from '../../kit/values/params.ts'
import { blank, soundResult, violationResult } from '../../kit/values/read.ts'
import type { BaseReading, ReadingContext } from '../../kit/values/reading.ts'
import { requestTextsIn } from '../../kit/values/request-texts.ts'
import { isSent, textIn } from '../../kit/values/sent.ts'
import { orderedAmount, requiredAmount } from '../amount-params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { customData, parameterBag } from '../bag-params.ts'
import { type Caller, endpoint } from '../endpoint.ts'
import { acceptedAnswer } from '../present.ts'
import { checkoutEmail, currency, description, payoutNumber } from '../text-formats.ts'

const { length } = limits

/** Reported when neither token nor number was sent; a token takes precedence over a number. */
const cardToken: Param<string | undefined, BaseReading> = {
  words: { sent: 'yes, or `card_number`; it wins when both are sent', holds: '64 hexadecimal characters' },
  read: (path, sent, reading) => {
    if (sent === undefined && !isSent(reading.tree, 'card_number')) return blank(path)
    return optional(format.cardToken).read(path, sent, reading)
  },
}

const number: Format<Secret<string>, unknown> = withWords(
  `${length.checkoutCardNumberLow} to ${length.cardNumber} digits with a right check digit`,
  (sent) => {
    const isOne = /^[0-9]{14,19}$/.test(sent) && luhnValid(sent)
    return isOne ? soundResult(secret(sent)) : violationResult(violations.notValid)
  },
)

const cardNumber: Param<Secret<string> | undefined, BaseReading> = {
  words: { sent: 'instead of `card_token`; ignored beside it', holds: number.says ?? '' },
  read: (path, sent, reading) =>
    isSent(reading.tree, 'card_token') ? soundResult(undefined) : orNumber(optional(number)).read(path, sent, reading),
}

const params = {
  merchant_key: anyText,
  order_id: orNumber(required(payoutNumber)),
  order_amount: requiredAmount<ReadingContext>({
    currency: ({ tree }) => textIn(tree, 'order_currency'),
    crypto: ({ crypto }) => crypto,
    alsoNamed: 'amount',
  }),
  order_currency: required(currency),
  order_description: required(description),
  card_token: cardToken,
  card_number: cardNumber,
  payee_first_name: optional(format.text(length.personName)),
  payee_last_name: optional(format.text(length.personName)),
  payee_email: optional(checkoutEmail),
  payee_ip: optional(format.ip),
  channel_id: optional(format.channel),
  parameters: parameterBag,
  custom_data: customData,
  hash: anyText,
}

type Input = Values<typeof params>

export const cardCredit = endpoint({
  path: '/api/v1/payment/card/credit',
  name: 'card-credit',
  params,
  signature: ({ order_id, order_amount, order_currency, order_description }) => ({
    names: checkoutFormulas.cardCredit,
    values: { order_id, order_amount, order_currency, order_description },
  }),
  run,
  recall: recallPayment,
  present: (result, { operations }) => acceptedAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})

async function run(input: Input, _: undefined, caller: Caller, useId: string | null) {
  const { merchant, mode, mapping, operations, crypto, address, requestId } = caller
  const { order_currency, order_amount, card_token } = input
  const amount = orderedAmount(order_amount, order_currency, crypto, 'order_amount')
  const unusable =
    card_token === undefined ? null : await operations.sessions.findUnusable(merchant, mode, [card_token])
  if (unusable) throw new RefusedError(unusable)
  return runUntilDeadline(caller, useId, (use) =>
    operations.takeFirstStep(
      buildFirstStep({
        ...requestTextsIn(input),
        merchant,
        mode,
        protocol: 'CHECKOUT',
        mapping,
        action: 'CREDIT2CARD',
        channel: input.channel_id,
        order: {
          id: input.order_id,
          description: input.order_description,
          amountMinor: amount.minor,
          amountDecimals: amount.decimals,
          currency: order_currency,
        },
        paymentMethod: { kind: 'card', card: recipient(input) },
        payee: payeeOf(input),
        payerIp: input.payee_ip ?? address,
        parameters: input.parameters,
        customData: input.custom_data,
        useId: use,
        requestId,
        checkout: { session: null, paymentId: null, facts: { amountAsSent: order_amount } },
      }),
    ),
  )
}

function recipient({ card_token, card_number }: Input): CardInput {
  if (card_token !== undefined) return { source: 'token', token: card_token, verificationCode: null }
  if (card_number) return { source: 'card', number: card_number, expiry: null, verificationCode: null }
  throw new Error('A payout without a card passed its table.')
}

/** Names in the request take precedence over the token's. */
const payeeOf = ({ payee_first_name, payee_last_name, payee_email }: Input): Readonly<Record<string, string>> => ({
  ...(payee_first_name === undefined ? {} : { first_name: payee_first_name }),
  ...(payee_last_name === undefined ? {} : { last_name: payee_last_name }),
  ...(payee_email === undefined ? {} : { email: payee_email }),
})
