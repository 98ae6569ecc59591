/** DEBIT2VIRTUAL and DEBIT2VIRTUAL_CALC, which differ only in their names. Chapter 20 §12.1. */
import { type Action, action } from '../kit/action.ts'
import { paymentNotes, recallPayment } from '../kit/payment-recall.ts'
import { customData } from '../kit/values/bag.ts'
import * as format from '../kit/values/formats.ts'
import { anyText, optional, required } from '../kit/values/params.ts'
import { brandName, brandParameters, identifierOf } from './brand-params.ts'
import { firstStepRequest, startSignature } from './first-step-request.ts'
import { orderParams, payerLanguage, payerReturnUrl } from './order-params.ts'
import { debitPayerParams } from './payer-params.ts'
import { debitAnswer } from './present.ts'

export const debitAction = (name: 'DEBIT2VIRTUAL' | 'DEBIT2VIRTUAL_CALC'): Action =>
  action({
    name,
    params: {
      client_key: anyText,
      brand: brandName,
      ...orderParams(name),
      identifier: identifierOf(name),
      payer_ip: required(format.ip),
      payer_return_url: payerReturnUrl,
      ...debitPayerParams(name),
      payer_language: payerLanguage,
      channel_id: optional(format.channel),
      callback_url: optional(format.callbackUrl),
      custom_data: customData,
      parameters: brandParameters(name),
      hash: anyText,
    },
    signature: startSignature,
    run: (input, _, caller, useId) => caller.operations.takeFirstStep(firstStepRequest(name, input, caller, useId)),
    recall: recallPayment,
    present: (result, { operations }) => debitAnswer(name, operations.facts(result)),
    logNotes: paymentNotes,
  })
