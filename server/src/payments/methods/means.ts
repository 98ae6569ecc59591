/** Readies whatever a payment is made with: a card, a wallet's token or a brand. */

import type { CardInput } from '../request/card-input.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import { chooseMid } from '../routing/choose-mid.ts'
import { enteredCard, needOf } from '../routing/need.ts'
import { brandMeans } from './brand-means.ts'
import { usableCard } from './card.ts'
import type { ReadyMeans } from './ready-means.ts'
import { walletMeans } from './wallet-means.ts'

export async function readyMeans(deps: Deps, request: FirstStepRequest, paymentId: string): Promise<ReadyMeans> {
  const { means } = request
  switch (means.kind) {
    case 'card':
      return cardMeans(deps, request, means.card, paymentId)
    case 'wallet':
      return walletMeans(deps, request, means, paymentId)
    case 'brand':
      return brandMeans(deps, request, means, paymentId)
  }
}

async function cardMeans(
  deps: Deps,
  request: FirstStepRequest,
  input: CardInput,
  paymentId: string,
): Promise<ReadyMeans> {
  const card = await usableCard(deps, request.merchant, request.mode, input)
  const chosen = await chooseMid(deps, request.merchant.id, needOf(request, { card: enteredCard(card) }), paymentId)
  return { chosen, card, wallet: null, brandAt: () => null, stays: null, kept: null, authenticable: true }
}
