/**
 * A device wallet's token as a payment method: account → flow → checks → the data to charge and the data to store.
 * Chapter 40 §9 to §13.
 *
 * The order of refusals is that of chapter 10 §7.1.10: malformed token, wallet not accepted, no card flow, invalid token, token of
 * another order.
 */
import { brandRefusal } from '#domain/brand/brand-refusal.ts'
import { errors } from '#domain/errors.ts'
import type { DecryptedWallet, WalletPayment } from '../../connectors/connector.ts'
import type { WalletFacts } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { WalletAccount } from '../../wallets/tokens/account.ts'
import type { WalletCard } from '../../wallets/tokens/opened-token.ts'
import { hasTokenShape } from '../../wallets/tokens/token-shape.ts'
import { unsignedLabels } from '../../wallets/tokens/unsigned-labels.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { newBrandFacts } from './brand-facts.ts'
import { createCard, type UsableCard } from './card.ts'
import type { PreparedMethod } from './prepared-method.ts'
import { recordMalformed, refusedError } from './refused-token.ts'
import { sealWallet } from './stored-wallet.ts'
import { routeWallet, type WalletRoute } from './wallet-flow.ts'
import { hasKey, type OpenedWallet, openToken } from './wallet-token.ts'

type WalletMethod = Extract<PaymentMethod, { kind: 'wallet' }>

export async function prepareWallet(
  deps: Deps,
  request: FirstStepRequest,
  paymentMethod: WalletMethod,
  paymentId: string,
): Promise<PreparedMethod> {
  const { merchant, mode } = request
  const token = paymentMethod.token.reveal()
  if (!hasTokenShape(paymentMethod.wallet, token)) {
    await recordMalformed(deps, { ...request, orderId: request.order.id, wallet: paymentMethod.wallet, token })
    throw refusedError(paymentMethod.param, 'malformed')
  }
  refuseBrand(deps, request, paymentMethod)
  const account = await deps.wallets.find(merchant.id, mode, paymentMethod.wallet)
  const readiness = { usable: account?.usable ?? false, key: account !== null && hasKey(account, deps.clock.now()) }
  const need = { paymentMethod, readiness, paymentId }
  const first = await routeWallet(deps, request, { ...need, card: null })
  // For the compiler: without an account the wallet is not usable, and routing has refused it.
  if (!account) throw new RefusedError(errors.walletNotSupported)

  const opened = await openToken(deps, request, { paymentMethod, account, flow: first })
  const { card } = opened.token
  const route = card ? await routeWallet(deps, request, { ...need, card }) : first
  return prepareOpened(deps, request, paymentMethod, {
    account,
    route,
    opened: route.flow === 'virtual' ? withoutCard(opened) : opened,
  })
}

/** In virtual flow no card data is stored, even if the token was decrypted. Chapter 40 §10. */
const withoutCard = ({ token, record }: OpenedWallet): OpenedWallet => ({
  token: { ...token, card: null },
  record: { ...record, flow: 'virtual', panType: null, numberKind: null, network: null },
})

/** For a wallet that is paid as a brand, the brand's refusals come first. Chapter 20 §5.5. */
function refuseBrand({ sandbox }: Deps, request: FirstStepRequest, { brand }: WalletMethod): void {
  if (!brand) return
  const { auth, mode, order, payer } = request
  const payerCountry = payer['country'] ?? null
  const refusal = brandRefusal(brand, { action: 'SALE', auth, mode, sandbox, currency: order.currency, payerCountry })
  if (refusal) throw new RefusedError(refusal)
}

interface WalletDecision {
  readonly account: WalletAccount
  readonly route: WalletRoute
  readonly opened: OpenedWallet
}

async function prepareOpened(
  deps: Deps,
  request: FirstStepRequest,
  paymentMethod: WalletMethod,
  decision: WalletDecision,
): Promise<PreparedMethod> {
  const { account, route, opened } = decision
  const { merchant } = request
  const found = opened.token.card
  const card = found && (await prepareCard(deps, request, found))
  // A real card's number does not stay on a sandbox: only its mask does. Chapter 40 §22.
  const storesCard = !(deps.sandbox && !account.sandbox)
  // A chain cannot charge a card whose number is not stored.
  if (request.recurringInit && !(card && storesCard)) throw new RefusedError(errors.actionNotSupported)
  const payment = paymentOf(paymentMethod, route, found)
  const named = paymentMethod.brand && { ...paymentMethod, brand: paymentMethod.brand }
  return {
    chosen: route.chosen,
    card,
    storesCard,
    wallet: {
      payment,
      facts: factsOf(paymentMethod, route, opened),
      tokenUses: opened.token.replayHashes.map((hash) => ({ wallet: paymentMethod.wallet, ...hash })),
    },
    brandFactsAt: (choice) => named && newBrandFacts(deps, named, choice, card !== null),
    noCascadeBecause: noCascadeReasonOf(paymentMethod, route),
    sealedData: await sealWallet(deps, merchant.id, payment),
    canAuthenticate: storesCard && found?.panType === 'FPAN',
  }
}

/** Only decrypted data may cascade to another MID; a wallet that is paid as a brand only if the catalogue allows it. */
function noCascadeReasonOf({ brand }: WalletMethod, { flow }: WalletRoute): PreparedMethod['noCascadeBecause'] {
  if (flow !== 'decrypted') return flow === 'virtual' ? 'wallet-virtual' : 'wallet-passed-on'
  return (brand?.cascade ?? true) ? null : 'brand'
}

function prepareCard(deps: Deps, { merchant, mode }: FirstStepRequest, card: WalletCard): Promise<UsableCard> {
  const { number, holderName: holder, merchantToken, expiry } = card
  const text = { number, holder, merchantToken }
  return createCard(deps, { merchant, mode, text, expiry, verificationCode: null })
}

function paymentOf({ wallet, token }: WalletMethod, { flow }: WalletRoute, card: WalletCard | null): WalletPayment {
  if (flow !== 'decrypted' || !card) return { name: wallet, token, decrypted: null }
  return { name: wallet, token: null, decrypted: decryptedOf(card) }
}

const decryptedOf = (card: WalletCard): DecryptedWallet => ({
  panType: card.panType,
  dataType: card.dataType,
  cryptogram: card.cryptogram,
  eci: card.eci,
  emvData: card.emvData,
  pinData: card.pinData,
  merchantToken: card.merchantToken?.identifier ?? null,
})

function factsOf(
  paymentMethod: WalletMethod,
  { flow, reason }: WalletRoute,
  { token, record }: OpenedWallet,
): WalletFacts {
  const { card } = token
  return {
    name: paymentMethod.wallet,
    sentAs: paymentMethod.sentAs,
    flow,
    panType: card?.panType ?? null,
    numberKind: card?.numberKind ?? null,
    ...unsignedLabels(paymentMethod.wallet, paymentMethod.token.reveal()),
    ...(card ? { dataType: card.dataType } : {}),
    deviceId: card?.deviceId ?? null,
    // Chapter 40 §10: the ECI stays where decrypted data was sent.
    eci: flow === 'decrypted' ? (card?.eci ?? null) : null,
    ...(card?.assurance ? { assurance: card.assurance } : {}),
    checks: { ...record, flowReason: reason },
  }
}
