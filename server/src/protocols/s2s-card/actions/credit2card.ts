/** CREDIT2CARD: pays out to a card. Chapter 10 §7.8. */
import { pan10 } from '#domain/card.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import type { CardInput } from '../../../payments/request/card-input.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData, parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, conditional, optional } from '../../kit/values/params.ts'
import { isSent } from '../../kit/values/sent.ts'
import { firstStepRequest } from '../first-step-request.ts'
import { orderParams } from '../order-params.ts'
import { payeeParams, payoutPayerParams } from '../person-params.ts'
import { payoutAnswer } from '../present.ts'

export const credit2card = action({
  name: 'CREDIT2CARD',
  params: {
    client_key: anyText,
    channel_id: optional(format.channel),
    card_number: conditional(
      format.cardNumber,
      ({ tree }) => (isSent(tree, 'card_token') ? 'optional' : 'required'),
      'yes, unless `card_token` is sent',
    ),
    card_token: conditional(
      format.cardToken,
      ({ tree }) => (isSent(tree, 'card_number') ? 'ignored' : 'optional'),
      'instead of `card_number`; ignored beside it',
    ),
    ...orderParams(() => false, 'out'),
    ...payeeParams,
    ...payoutPayerParams,
    payer_ip: optional(format.ip),
    callback_url: optional(format.callbackUrl),
    parameters: parameterBag,
    custom_data: customData,
    hash: anyText,
  },
  signature: ({ card_number, card_token }) =>
    card_number
      ? { formula: cardFormulas.credit, values: { pan10: pan10(card_number.reveal()) } }
      : { formula: cardFormulas.creditWithToken, values: { card_token } },
  run: (input, _, caller, useId) =>
    caller.operations.takeFirstStep(
      firstStepRequest('CREDIT2CARD', input, caller, {
        useId,
        paymentMethod: { kind: 'card', card: recipient(input) },
      }),
    ),
  recall: recallPayment,
  present: (result, caller) => payoutAnswer(caller.operations.facts(result)),
  logNotes: paymentNotes,
})

function recipient({
  card_number,
  card_token,
}: {
  card_number: CardNumber
  card_token: string | undefined
}): CardInput {
  if (card_number) return { source: 'card', number: card_number, expiry: null, verificationCode: null }
  if (card_token) return { source: 'token', token: card_token, verificationCode: null }
  throw new Error('A payout without a card passed its parameter table.')
}

type CardNumber = Extract<CardInput, { source: 'card' }>['number'] | undefined
