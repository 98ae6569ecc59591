/** A method as the page shows it. Chapter 30 §7.10, chapter 40 §17. */
import { publicIdOf } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import type { WalletButton } from '../../../contracts/ports.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { bindingValueOf } from '../../../payments/sessions/session-payment.ts'
import { ownMarkOf } from '../../assets/own-marks.ts'
import type { PageAddress } from '../page-address.ts'
import type { HostedPageParts } from '../parts.ts'
import { fieldsOf } from '../payment/method-fields.ts'
import { noteMissing } from './missing-button.ts'
import { networksOf } from './networks.ts'
import { asksTerms } from './terms.ts'
import { findButtonAt } from './wallet-button.ts'

type Parts = Pick<HostedPageParts, 'files' | 'configuration' | 'walletButtons' | 'walletScripts' | 'log' | 'metrics'>

/** The members of the shown method that this file reads. */
export interface ShownMethod {
  readonly code: string
}

/** Null for a wallet whose button the page does not show. */
export async function composeShownMethod(
  parts: Parts,
  context: SessionContext,
  method: OfferedMethod,
  { language, pageAddress }: { readonly language: string; readonly pageAddress: PageAddress },
): Promise<ShownMethod | null> {
  const { session, mapping } = context
  const networks = method.kind === 'card' ? networksOf(method, parts.configuration) : []
  const shown = {
    // Browsers get the wallet's own code; the alias that the merchant sent appears only in answers to the merchant.
    code: method.kind === 'wallet' ? method.code : method.sentAs,
    kind: method.kind,
    title: titleOf(method, language),
    logo: method.brand ? (method.brand.logo ?? ownMarkOf(parts.files, method.brand.code)) : null,
    pictogram: method.brand?.kind ?? method.kind,
    // True if the payer is redirected at once, because the method has no fields.
    redirects: method.brand?.pageMode === 'redirect',
    fields: fieldsOf(context, method, language),
    terms: asksTerms(mapping, method, session.request.formId),
    networks,
    marks: marksOf(parts.files, networks),
  }
  if (method.kind !== 'wallet') return shown
  const button = await findButton(parts, context, method, pageAddress)
  if (button === null) return null
  const withButton = {
    ...shown,
    wallet: shownButton(parts, context, { button, mids: method.mids, base: pageAddress.base }),
  }
  return withButton
}

/** The first row that fails is reported to support. */
async function findButton(
  parts: Pick<Parts, 'walletButtons' | 'log' | 'metrics'>,
  context: SessionContext,
  { code }: OfferedMethod,
  pageAddress: PageAddress,
): Promise<WalletButton | null> {
  const wallet = wallets.find((one) => one === code)
  if (!wallet) return null
  const found = pageAddress.opaque
    ? ({ kind: 'missing', reason: 'sandboxed form' } as const)
    : await findButtonAt(parts, context, wallet, pageAddress)
  if (found.kind === 'shown') return found.button
  noteMissing(parts, context, { wallet, reason: found.reason, source: 'service' })
  return null
}

/** The page draws the marks of the other networks itself. */
const marksOf = (files: Parts['files'], networks: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    networks.flatMap((network) => {
      const address = ownMarkOf(files, network)
      return address === null ? [] : [[network, address]]
    }),
  )

const titleOf = ({ brand }: OfferedMethod, language: string): string | null =>
  brand && (brand.title[language] ?? brand.title['en'] ?? brand.code)

function shownButton(
  { walletScripts }: Parts,
  { session, merchant }: SessionContext,
  { button, mids, base }: Pick<OfferedMethod, 'mids'> & Pick<PageAddress, 'base'> & { readonly button: WalletButton },
): object {
  const script = walletScripts[button.wallet]
  const networks = servedNetworks(button, mids)
  const shared = {
    country_code: button.country,
    shop_name: button.shopName,
    supported_networks: networks,
    // In the sandbox the simulator replaces the wallet provider's script.
    script: button.sandbox ? { url: `${base}/simulator/stand-in.js`, integrity: null } : script,
    sandbox: button.sandbox,
    merchant_public_id: publicIdOf(merchant, session.mode),
  }
  if (button.wallet === 'walletapay') {
    return {
      ...shared,
      // The browser needs it to check whether the payer has a card for this merchant.
      merchant_identifier: button.merchantIdentifier,
      merchant_capabilities: button.merchantCapabilities,
      application_data: Buffer.from(bindingValueOf(session)).toString('base64'),
    }
  }
  return {
    ...shared,
    environment: button.environment,
    merchant_identifier: button.merchantIdentifier,
    gateway: button.gateway,
    gateway_merchant_id: button.gatewayMerchantId,
    auth_methods: button.authMethods,
    billing_address: button.asksBillingAddress,
    phone: button.asksPhone,
  }
}

/** Supported Networks that a candidate MID serves too; both wallet providers have their own spelling of the names. */
function servedNetworks({ supportedNetworks }: WalletButton, mids: OfferedMethod['mids']): readonly string[] {
  const isServed = (network: string): boolean =>
    mids.some(({ mid }) => mid.networks.length === 0 || mid.networks.includes(network.toLowerCase()))
  return supportedNetworks.filter(isServed)
}
