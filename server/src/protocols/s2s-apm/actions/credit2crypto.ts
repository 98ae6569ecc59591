/** CREDIT2CRYPTO: pays out to a crypto address. Chapter 20 §11. */
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { customData } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, optional } from '../../kit/values/params.ts'
import { brandName, brandParameters, cryptoNetwork } from '../brand-params.ts'
import { firstStepRequest, payoutSignature } from '../first-step-request.ts'
import { orderParams } from '../order-params.ts'
import { payoutAnswer } from '../present.ts'

export const credit2crypto = action({
  name: 'CREDIT2CRYPTO',
  params: {
    client_key: anyText,
    channel_id: optional(format.channel),
    brand: brandName,
    ...orderParams('CREDIT2CRYPTO'),
    crypto_network: cryptoNetwork,
    parameters: brandParameters('CREDIT2CRYPTO'),
    callback_url: optional(format.callbackUrl),
    custom_data: customData,
    hash: anyText,
  },
  signature: payoutSignature,
  run: (input, _, caller, useId) =>
    caller.operations.takeFirstStep(firstStepRequest('CREDIT2CRYPTO', input, caller, useId)),
  recall: recallPayment,
  present: (result, { operations }) => payoutAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
