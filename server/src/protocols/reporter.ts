/** Writes the callback of a transaction for the protocol that created the payment, even if a follow-up used another. */
import { limits } from '#domain/limits.ts'
import { defaultMapping } from '#domain/mapping.ts'
import type { Acquirers, Configuration, Ids, Reporter } from '../contracts/ports.ts'
import type { TransactionRecord } from '../contracts/records.ts'
import { factsOf } from '../payments/outcome/facts.ts'
import { checkoutCallbackFields } from './checkout/callback.ts'
import { encodeForm } from './kit/bodies/form.ts'
import { apmCallbackFields } from './s2s-apm/callback.ts'
import { cardCallbackFields } from './s2s-card/callback.ts'

interface Parts {
  readonly configuration: Configuration
  readonly acquirers: Pick<Acquirers, 'connector'>
  readonly ids: Ids
}

/** A successful payer step has no callback, because the charge that follows has one. Chapter 10 §5.4. */
const isSilent = ({ type, state }: TransactionRecord): boolean =>
  (type === '3DS' || type === 'REDIRECT') && state === 'success'

/** Checkout names the character set. Chapter 30 §5.1. */
const formType = {
  S2S_CARD: 'application/x-www-form-urlencoded',
  S2S_APM: 'application/x-www-form-urlencoded',
  CHECKOUT: 'application/x-www-form-urlencoded; charset=utf-8',
}

const fieldsIn = { S2S_CARD: cardCallbackFields, S2S_APM: apmCallbackFields, CHECKOUT: checkoutCallbackFields }

export function reporter({ configuration, acquirers, ids }: Parts): Reporter {
  return {
    composeCallback: async (payment, transaction) => {
      const { merchantId, protocol, callbackUrl } = payment
      if (callbackUrl === null || isSilent(transaction)) return null
      // Payments made before the mapping was switched off still need their callbacks.
      const mapping = configuration.mapping(merchantId, protocol) ?? { ...defaultMapping(protocol), merchantId }
      const { password } = await configuration.readSecrets(merchantId)
      const facts = factsOf({ configuration, acquirers }, payment, { transaction })
      const fields = fieldsIn[protocol](facts, mapping, { password: password.reveal(), digest: mapping.digest })
      const isJson = mapping.callbackFormat === 'json'
      return {
        id: ids.next(),
        url: callbackUrl,
        contentType: isJson ? 'application/json' : formType[protocol],
        body: isJson ? JSON.stringify(fields) : encodeForm(fields),
        retrySeconds: mapping.callbackRetrySeconds ?? limits.callback.retrySeconds,
      }
    },
  }
}
