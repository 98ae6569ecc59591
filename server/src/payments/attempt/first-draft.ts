/** Drafts a first step from the request, the prepared payment method and the chosen MID. Chapter 10 §7.1, §7.8. */
import { type RequestTexts, requestTexts } from '#domain/payment/facts.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import type { StoredCredentialFacts, StoredFacts } from '../../contracts/records.ts'
import type { Authentication } from '../../three-ds/mpi.ts'
import type { UsableCard } from '../methods/card.ts'
import type { PreparedMethod } from '../methods/prepared-method.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { Placement } from '../routing/placement.ts'
import { threeDsOf } from './authenticate.ts'
import type { DraftInput } from './draft.ts'

interface PlacedStep {
  readonly placement: Placement
  readonly paymentId: string
  readonly authentication: Authentication | null
  readonly payeeCard: UsableCard | null
}

export function newDraftInput(
  deps: Deps,
  request: FirstStepRequest,
  { card, storesCard, wallet, brandFactsAt, parameters }: PreparedMethod,
  { placement: { choice }, paymentId, authentication, payeeCard }: PlacedStep,
): DraftInput {
  const recurringToken = request.recurringInit ? deps.ids.next() : null
  const cardOnFile = choice.mid.cardOnFileEnabled && choice.capabilities.cardOnFile
  const { commissionMinor } = request.order
  const brand = brandFactsAt(choice)
  return {
    ...request,
    parameters: parameters ? parameters.shown : request.parameters,
    card,
    storesCard,
    cardSource: sourceOf(request, card),
    cardToken: paidBySavedCard(request) ? (card?.token() ?? null) : null,
    aloneInOrder: request.mapping.rejectDuplicateOrders,
    // The e-mail never takes part in a payout's signatures. Chapter 10 §4.3.
    payerEmail: request.payer['email'] ?? null,
    session: request.checkout?.session ?? null,
    facts: {
      ...request.checkout?.facts,
      ...factsOf(request, card, cardOnFile),
      ...(card ? issuerOf(deps, card) : {}),
      ...(wallet ? { wallet: wallet.facts } : {}),
      ...(brand ? { brand } : {}),
      ...(request.order.openAmount ? { openAmount: true } : {}),
      ...(commissionMinor === undefined ? {} : { commissionMinor: String(commissionMinor) }),
      ...(recurringToken ? { recurringInit: true, recurringToken, recurringFirst: paymentId } : {}),
      ...(authentication ? threeDsOf(authentication) : {}),
      ...(payeeCard ? { payeeCardMask: payeeCard.mask, payeeCardId: payeeCard.record.id } : {}),
    },
    payee: payeeOf(request, card),
    chainId: recurringToken,
    subscriptionId: null,
    planDate: null,
  }
}

export const paidBySavedCard = ({ paymentMethod }: FirstStepRequest): boolean =>
  paymentMethod.kind === 'card' && paymentMethod.card.source === 'token'

/** Null if no card number is known. */
function sourceOf({ paymentMethod }: FirstStepRequest, card: UsableCard | null): DraftInput['cardSource'] {
  if (paymentMethod.kind === 'card') return paymentMethod.card.source
  return card ? 'wallet' : null
}

function issuerOf({ issuers }: Deps, { data }: UsableCard): Pick<StoredFacts, 'issuer'> {
  const issuer = issuers.of(data.number.reveal())
  return issuer ? { issuer } : {}
}

/** A payout by token goes to the cardholder of the token; names that were sent take precedence. Chapter 10 §7.8. */
function payeeOf({ action, payee }: FirstStepRequest, card: UsableCard | null): Readonly<Record<string, string>> {
  const name = card?.name
  if (action !== 'CREDIT2CARD' || !name) return payee
  return { ...(name.first ? { first_name: name.first } : {}), ...(name.last ? { last_name: name.last } : {}), ...payee }
}

function factsOf(request: FirstStepRequest, card: UsableCard | null, cardOnFile: boolean): StoredFacts {
  const { threeDs, payerReturn } = request
  const storedCredential = credentialOf(request, cardOnFile)
  return {
    ...sentTexts(request),
    // `payer_present` has an effect only with a saved card. Chapter 10 §7.1.9.
    payerPresent: !paidBySavedCard(request) || request.payerPresent,
    ...(request.saveCard && card ? { issuedToken: card.token() } : {}),
    ...(storedCredential ? { storedCredential } : {}),
    ...(card?.network ? { network: card.network } : {}),
    ...(threeDs ? { threeDs: externalThreeDsFacts(threeDs) } : {}),
    ...(payerReturn ? { termUrl: payerReturn.url, termTarget: payerReturn.target ?? '_top' } : {}),
    ...(request.schedule ? { schedule: request.schedule } : {}),
  }
}

/** Only texts that were sent are stored. */
function sentTexts(request: RequestTexts): Partial<RequestTexts<string>> {
  return Object.fromEntries(
    requestTexts.flatMap((name) => {
      const text = request[name]
      return text === null ? [] : [[name, text]]
    }),
  )
}

/** Chapter 10 §7.1.9: a chain is reported to the acquirer as recurring, a saved card only on a Card-on-File MID. */
function credentialOf(request: FirstStepRequest, cardOnFile: boolean): StoredCredentialFacts | null {
  const { saveCard, payerPresent, recurringInit } = request
  if (recurringInit) return { initiator: 'cardholder', sequence: 'initial', source: 'recurring' }
  if (!cardOnFile) return null
  if (paidBySavedCard(request)) {
    return { initiator: payerPresent ? 'cardholder' : 'merchant', sequence: 'subsequent', source: 'card_token' }
  }
  return saveCard ? { initiator: 'cardholder', sequence: 'initial', source: 'card_token' } : null
}

/** Stored as sent; the authentication value is not stored, it goes to the acquirer only. Chapter 10 §7.1.8. */
const externalThreeDsFacts = ({ eci, dsTransId, xid, transStatus, version }: ExternalThreeDs) => ({
  threeDSServerTransID: null,
  dsTransID: dsTransId,
  acsTransID: null,
  xid,
  transStatus,
  transStatusReason: null,
  eci,
  protocolVersion: version,
  authenticationFlow: null,
})
