/** What a page needs to show a wallet's button, or why it shows none. Chapter 40 §17, rows 2 and 4, and "Request". */
import { isThisMachine, usualName } from '#domain/address/loopback.ts'
import { publicIdOf } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import type { Clock, Log, WalletButton, WalletButtons } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { Pool } from '../../store/database/pool.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { readWalletState } from './facts.ts'
import { reportMissingButtons } from './missing-buttons.ts'
import { incompleteSettings, ownerOf, showsButton, takesPayments, type WalletStateData, walletState } from './state.ts'

interface ButtonOptions {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** This instance's name at wallet B's provider. */
  readonly gateway: string
}

export function walletButtons({ pool, clock, log, gateway }: ButtonOptions): WalletButtons {
  return {
    find: async (recordKey, page) => {
      const facts = await readWalletState(pool, recordKey, clock.now())
      if (facts === null) return { kind: 'missing', reason: 'not enabled' }
      const { state } = walletState(facts)
      if (!takesPayments(state)) return { kind: 'missing', reason: state === 'lapsed' ? 'lapsed' : 'not enabled' }
      if (incompleteSettings(facts) !== null) return { kind: 'missing', reason: 'incomplete' }
      const misplaced = recordKey.wallet === 'walletapay' ? placementFault(facts, page) : null
      return misplaced === null
        ? { kind: 'shown', button: buttonOf(facts, recordKey, gateway) }
        : { kind: 'missing', reason: misplaced }
    },
    isDomain: async (merchantId, host) => {
      const lists = await Promise.all(wallets.map((wallet) => walletDomainStore(pool).list(merchantId, wallet)))
      return lists.flat().some((entry) => hostsOf(host).includes(entry.domain) && showsButton(entry))
    },
    recordMissed: reportMissingButtons({ pool, clock, log }),
  }
}

/** The wallet's own browser shows the button only over https and on localhost. */
function placementFault({ domains }: WalletStateData, page: { readonly host: string; readonly secure: boolean }) {
  const hosts = hostsOf(page.host)
  if (!page.secure && !hosts.some(isThisMachine)) return 'no https'
  return domains.some((entry) => hosts.includes(entry.domain) && showsButton(entry)) ? null : 'domain unverified'
}

/** Localhost has several names, and browsers trust all of them alike. */
const hostsOf = (host: string): readonly string[] => [host, usualName(host)]

function buttonOf(
  facts: WalletStateData,
  { wallet, merchantId, mode }: WalletRecordKey,
  gateway: string,
): WalletButton {
  const { fields } = facts.settings
  const owner = ownerOf(facts)?.fields ?? {}
  return {
    wallet,
    sandbox: facts.settings.trustSource === 'sandbox authority',
    country: fields.country ?? null,
    shopName: fields.shopName ?? '',
    merchantIdentifier: (wallet === 'walletbpay' ? fields.merchantIdentifier : owner.merchantIdentifier) ?? null,
    merchantCapabilities: fields.merchantCapabilities ?? owner.merchantCapabilities ?? ['supports3DS'],
    supportedNetworks: fields.supportedNetworks ?? owner.supportedNetworks ?? [],
    environment: fields.environment ?? 'TEST',
    gateway: fields.gateway ?? gateway,
    gatewayMerchantId: fields.gatewayMerchantId ?? publicIdOf({ id: merchantId }, mode),
    authMethods: fields.authMethods ?? [],
    asksBillingAddress: fields.billingAddress ?? false,
    asksPhone: fields.phone ?? false,
  }
}
