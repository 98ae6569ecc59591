/**
 * A brand of the catalogue as a payment method. Chapter 20 §5.
 *
 * The order of refusals is that of §5.5: the brand's own refusals come before the choice of a MID. The parameters were validated by
 * the brand's rows before; here they are split into those that the record shows and those that the acquirer gets.
 */
import { type BrandAction, brandActions, isPayout, parameterRows, routingOf } from '#domain/brand/brand.ts'
import { bySecrecy, translateParameters } from '#domain/brand/brand-parameters.ts'
import { brandRefusal } from '#domain/brand/brand-refusal.ts'
import { errors } from '#domain/errors.ts'
import { secret } from '#domain/secret.ts'
import type { JsonObject, Opening, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { chooseMid } from '../routing/choose-mid.ts'
import { needOf } from '../routing/need.ts'
import { newBrandFacts } from './brand-facts.ts'
import type { MethodParameters, PreparedMethod } from './prepared-method.ts'

type BrandMethod = Extract<PaymentMethod, { kind: 'brand' }>

export async function prepareBrand(
  deps: Deps,
  request: FirstStepRequest,
  paymentMethod: BrandMethod,
  paymentId: string,
): Promise<PreparedMethod> {
  const { merchant } = request
  const action = actionOf(request)
  refuseUnsupported(deps, request, paymentMethod, action)
  const chosen = await chooseMid(
    deps,
    merchant.id,
    needOf(request, { brand: routingOf(paymentMethod.brand) }),
    paymentId,
  )
  // Needed even without a secret parameter: the key of the payer's return address is derived from the merchant's vault scope.
  await deps.vault.prepareScope(merchant.id)
  const parameters = request.parameters && splitParameters(paymentMethod, action, request.parameters)
  return {
    chosen,
    card: null,
    wallet: null,
    brandFactsAt: (choice) => newBrandFacts(deps, paymentMethod, choice),
    noCascadeBecause: noCascadeReasonOf(paymentMethod, action),
    parameters,
    sealedData: parameters && (await sealParameters(deps, merchant.id, parameters)),
    canAuthenticate: false,
  }
}

function refuseUnsupported(
  { sandbox }: Deps,
  { auth, mode, order, payer }: FirstStepRequest,
  { brand }: BrandMethod,
  action: BrandAction,
): void {
  const payerCountry = payer['country'] ?? null
  const refusal = brandRefusal(brand, { action, auth, mode, sandbox, currency: order.currency, payerCountry })
  if (refusal) throw new RefusedError(refusal)
}

function actionOf({ action: requested }: FirstStepRequest): BrandAction {
  const action = brandActions.find((candidate) => candidate === requested)
  if (!action) throw new RefusedError(errors.actionNotSupported)
  return action
}

/** A payout is sent to the provider once. Chapter 20 §10. */
function noCascadeReasonOf({ brand }: BrandMethod, action: BrandAction): PreparedMethod['noCascadeBecause'] {
  if (isPayout(action)) return 'payout'
  return brand.cascade ? null : 'brand'
}

function splitParameters({ brand }: BrandMethod, action: BrandAction, parameters: JsonObject): MethodParameters {
  const rows = parameterRows(brand, action)
  return { shown: bySecrecy(rows, parameters).open, sent: translateParameters(rows, parameters) }
}

/**
 * Seals the acquirer's parameters if they differ from those that the record shows. A later version of the brand may rename its
 * parameters, but a repeated request must be identical.
 */
async function sealParameters(
  deps: Deps,
  merchantId: string,
  { shown, sent }: MethodParameters,
): Promise<Opening['sealedData']> {
  const text = JSON.stringify(sent)
  if (text === JSON.stringify(shown)) return null
  return { purpose: 'parameters', sealed: await deps.vault.seal(merchantId, 'parameters', secret(text)) }
}

/** The same for a further attempt, which sends the parameters of the first one. */
export const sealSameParameters = (
  deps: Deps,
  { merchantId, parameters: shown }: Pick<PaymentRecord, 'merchantId' | 'parameters'>,
  { parameters: sent }: { readonly parameters?: JsonObject | null },
): Promise<Opening['sealedData']> =>
  shown && sent ? sealParameters(deps, merchantId, { shown, sent }) : Promise.resolve(null)

/** The parameters of a brand payment in the form that the acquirer gets. */
export async function readSentParameters(
  deps: Deps,
  {
    merchantId,
    id,
    parameters,
  }: { readonly merchantId: string; readonly id: string; readonly parameters: JsonObject | null },
): Promise<JsonObject | null> {
  const sealed = await deps.payments.readSealedData(merchantId, id, 'parameters')
  if (!sealed) return parameters
  const text = await deps.vault.open(merchantId, 'parameters', sealed)
  // Only `sealParameters` writes this text.
  return JSON.parse(text.reveal()) as JsonObject
}
