/**
 * How a wallet's token is processed, and by which MID. Chapter 40 §9, rules 1 to 4 and 6.
 *
 * It is decided twice: before the token is decrypted, because the flow decides whether it is decrypted at all; and again when the card
 * number is known, because the network filter needs it. If no MID with card flow is left then, the payment continues as if the token
 * had not been decrypted: on S2S APM and Checkout an unmet requirement is no error (chapter 20 §6.4).
 */
import { routingOf } from '#domain/brand/brand.ts'
import { networkOf } from '#domain/card.ts'
import { assuranceOf } from '#domain/routing/assurance.ts'
import type { Choice, WalletFlow } from '#domain/routing/choice.ts'
import { chooseWalletFlow, type Routing } from '#domain/routing/route.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { WalletCard } from '../../wallets/tokens/opened-token.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { type ChosenMid, listMidsInOrder } from '../routing/choose-mid.ts'
import { binOf, needOf } from '../routing/need.ts'

export interface WalletRoute {
  readonly flow: WalletFlow
  /** The reason in the record of the checks. */
  readonly reason: string
  readonly chosen: ChosenMid
}

interface WalletReadiness {
  readonly usable: boolean
  /** An active processing key. */
  readonly key: boolean
}

interface WalletNeed {
  readonly paymentMethod: Extract<PaymentMethod, { kind: 'wallet' }>
  readonly readiness: WalletReadiness
  readonly paymentId: string
  /** Null while the token is not decrypted. */
  readonly card: WalletCard | null
}

export async function routeWallet(
  deps: Deps,
  request: FirstStepRequest,
  { paymentMethod: { wallet, brand }, readiness, paymentId, card }: WalletNeed,
): Promise<WalletRoute> {
  const need = needOf(request, {
    wallet: { name: wallet, ...readiness },
    brand: brand && routingOf(brand),
    card: card && {
      network: networkOf(card.number.reveal()) ?? null,
      bin: binOf(card.number),
      number: card.number,
      panType: card.panType,
      assurance: assuranceOf(card.assurance),
    },
  })
  const routing = await listMidsInOrder(deps, request.merchant.id, need, paymentId)
  if (routing.refusal) throw new RefusedError(routing.refusal)
  const decided = chooseWalletFlow(card ? withDataSupport(deps, routing.ordered, card) : routing.ordered)
  if (decided.kind === 'refused') throw new RefusedError(decided.refusal)
  const { flow, ordered } = decided
  return { flow, reason: reasonOf(flow, readiness), chosen: chosenOf(routing, flow, ordered) }
}

/** EMV data is sent only to connectors that support it; the others get the token itself. */
function withDataSupport({ acquirers }: Deps, choices: readonly Choice[], { dataType }: WalletCard): readonly Choice[] {
  const takesData = ({ mid }: Choice) => dataType !== 'EMV' || acquirers.connector(mid.connector)?.supports.emv === true
  return choices.map((choice) =>
    choice.flow === 'decrypted' && !takesData(choice) ? { ...choice, flow: 'passed_on' } : choice,
  )
}

function reasonOf(flow: WalletFlow, { key }: WalletReadiness): string {
  switch (flow) {
    case 'decrypted':
      return 'processing key, provider takes decrypted data'
    case 'passed_on':
      return 'processing key, provider takes the token'
    case 'virtual':
      return key ? 'no provider with card flow' : 'no processing key'
  }
}

/** MIDs of another flow are left out, and the explanation says so. */
function chosenOf(routing: Routing, flow: WalletFlow, ordered: readonly Choice[]): ChosenMid {
  // Chapter 40 §9: rules apply only to decrypted data.
  const { declined, threeDs, maximumAttempts, explanation } = flow === 'decrypted' ? routing : withoutRules(routing)
  const [choice] = ordered
  if (!choice) throw new Error('A flow was decided without a MID.')
  const names = new Set(ordered.map(({ mid }) => mid.name))
  const reason = `The wallet is processed in another flow: ${flow}.`
  return {
    choice,
    ordered,
    declined,
    threeDs,
    maximumAttempts,
    explanation: {
      ...explanation,
      ordered: explanation.ordered.filter(({ midName }) => names.has(midName)),
      dropped: [
        ...explanation.dropped,
        ...explanation.ordered
          .filter(({ midName }) => !names.has(midName))
          .map(({ midName }) => ({ midName, filter: 10, name: 'card flow', reason })),
      ],
    },
  }
}

function withoutRules({
  explanation,
}: Routing): Pick<ChosenMid, 'declined' | 'threeDs' | 'maximumAttempts' | 'explanation'> {
  const { ordered, dropped, refusal } = explanation
  return { declined: null, threeDs: null, maximumAttempts: 1, explanation: { ordered, dropped, refusal, rule: null } }
}
