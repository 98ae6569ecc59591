/** CARD2CARD: moves money from the payer's card to the payee's in one TRANSFER. Chapter 10 §7.9. */
import { isExpired, pan10 } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData, parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional, type Param, required } from '../../kit/values/params.ts'
import { fault, soundResult } from '../../kit/values/read.ts'
import type { BaseReading, DatedReading } from '../../kit/values/reading.ts'
import { sentIn, textIn } from '../../kit/values/sent.ts'
import { firstStepRequest } from '../first-step-request.ts'
import { orderParams, returnParams } from '../order-params.ts'
import { optionalPayerParams, payeeParams } from '../person-params.ts'
import { paymentAnswer } from '../present.ts'

/** Deployed clients send `payer_card_…`; SALE's names are read when these are absent. Violations name the former. */
const ofPayer = <T, Needs extends BaseReading>(param: Param<T, Needs>): Param<T, Needs> => ({
  ...param,
  read: (name, sent, reading) => param.read(name, sent ?? sentIn(reading.tree, name.slice('payer_'.length)), reading),
})

const payerMonth = ({ tree }: BaseReading): string =>
  textIn(tree, 'payer_card_exp_month') ?? textIn(tree, 'card_exp_month') ?? ''

const expiryYear: Param<number, DatedReading> = {
  words: { sent: 'yes', holds: 'four digits; with the month not in the past' },
  read: (name, sent, reading) => {
    const year = required(format.patternText(/^[0-9]{4}$/)).read(name, sent, reading)
    if (!year.ok) return year
    const month = payerMonth(reading)
    const past =
      /^(0[1-9]|1[0-2])$/.test(month) && isExpired({ month: Number(month), year: Number(year.value) }, reading.today)
    return past ? fault(name, violations.notValid) : soundResult(Number(year.value))
  },
}

export const card2card = action({
  name: 'CARD2CARD',
  params: {
    client_key: anyText,
    channel_id: optional(format.channel),
    payer_card_number: ofPayer(required(format.cardNumber)),
    payer_card_exp_month: ofPayer(required(format.expiryMonth)),
    payer_card_exp_year: ofPayer(expiryYear),
    payer_card_cvv2: ofPayer(required(format.verificationCode)),
    payee_card_number: required(format.cardNumber),
    ...orderParams(() => false),
    ...optionalPayerParams,
    payer_ip: required(format.ip),
    payer_language: returnParams.payer_language,
    ...payeeParams,
    term_url_3ds: returnParams.term_url_3ds,
    term_url_target: returnParams.term_url_target,
    callback_url: returnParams.callback_url,
    parameters: parameterBag,
    custom_data: customData,
    hash: anyText,
  },
  signature: ({ payer_email, payer_card_number }) => ({
    formula: cardFormulas.start,
    values: { email: payer_email, pan10: pan10(payer_card_number.reveal()) },
  }),
  run: (input, _, caller, useId) => {
    const {
      payer_card_number,
      payer_card_exp_month,
      payer_card_exp_year,
      payer_card_cvv2,
      payee_card_number,
      ...rest
    } = input
    return caller.operations.takeFirstStep(
      firstStepRequest('CARD2CARD', rest, caller, {
        useId,
        payeeCard: payee_card_number,
        paymentMethod: {
          kind: 'card',
          card: {
            source: 'card',
            number: payer_card_number,
            expiry: { month: payer_card_exp_month, year: payer_card_exp_year },
            verificationCode: payer_card_cvv2,
          },
        },
      }),
    )
  },
  recall: recallPayment,
  present: (result, caller) => paymentAnswer(caller.operations.facts(result), caller),
  logNotes: paymentNotes,
})
