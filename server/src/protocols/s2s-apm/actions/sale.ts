/** SALE: takes the money at once, holds it with `auth=Y` and on a MID in DMS mode, or waits for the payer. Chapter 20 §6. */
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional, required } from '../../kit/values/params.ts'
import { brandName, brandParameters, cryptoNetwork, identifierOf } from '../brand-params.ts'
import { firstStepRequest, startSignature, walletTokenIn } from '../first-step-request.ts'
import { authFlag, orderParams, payerLanguage, returnParams } from '../order-params.ts'
import { salePayerParams } from '../payer-params.ts'
import { saleAnswer } from '../present.ts'

export const sale = action({
  name: 'SALE',
  params: {
    client_key: anyText,
    channel_id: optional(format.channel),
    brand: brandName,
    ...orderParams('SALE'),
    crypto_network: cryptoNetwork,
    identifier: identifierOf('SALE'),
    ...salePayerParams,
    payer_ip: required(format.ip),
    payer_language: payerLanguage,
    ...returnParams,
    callback_url: optional(format.callbackUrl),
    auth: authFlag,
    parameters: brandParameters('SALE'),
    custom_data: customData,
    hash: anyText,
  },
  signature: startSignature,
  tokenIn: walletTokenIn,
  run: (input, _, caller, useId) => caller.operations.takeFirstStep(firstStepRequest('SALE', input, caller, useId)),
  recall: recallPayment,
  present: (result, { operations }) => saleAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
