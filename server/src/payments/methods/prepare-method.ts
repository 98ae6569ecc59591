/** Prepares the payment method: a card, a wallet's token or a brand. */

import type { CardInput } from '../request/card-input.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import { chooseMid } from '../routing/choose-mid.ts'
import { enteredCard, needOf } from '../routing/need.ts'
import { requireUsableCard } from './card.ts'
import { prepareBrand } from './prepare-brand.ts'
import { prepareWallet } from './prepare-wallet.ts'
import type { PreparedMethod } from './prepared-method.ts'

export async function prepareMethod(deps: Deps, request: FirstStepRequest, paymentId: string): Promise<PreparedMethod> {
  const { paymentMethod } = request
  switch (paymentMethod.kind) {
    case 'card':
      return prepareCard(deps, request, paymentMethod.card, paymentId)
    case 'wallet':
      return prepareWallet(deps, request, paymentMethod, paymentId)
    case 'brand':
      return prepareBrand(deps, request, paymentMethod, paymentId)
  }
}

async function prepareCard(
  deps: Deps,
  request: FirstStepRequest,
  input: CardInput,
  paymentId: string,
): Promise<PreparedMethod> {
  const card = await requireUsableCard(deps, request.merchant, request.mode, input)
  const chosen = await chooseMid(deps, request.merchant.id, needOf(request, { card: enteredCard(card) }), paymentId)
  return {
    chosen,
    card,
    wallet: null,
    brandFactsAt: () => null,
    noCascadeBecause: null,
    sealedData: null,
    canAuthenticate: true,
  }
}
