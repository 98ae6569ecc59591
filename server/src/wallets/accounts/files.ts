/** The files that prove domains to the maker, by the host that is asked. Chapter 40 §8, "Serving". */
import type { WalletFiles } from '../../contracts/ports.ts'
import type { Pool } from '../../store/database/pool.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { platformPlace, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { expectedFile } from './domain-plan.ts'

interface HostRules {
  /** Hosts of the service: they serve the operator's file without an entry. */
  readonly ownHosts: ReadonlySet<string>
  /** Whether an entry of the merchant's counts for the host; one below the checkout domain may be another's. */
  readonly mayHave: (merchantId: string, host: string) => boolean
}

export function walletFiles(pool: Pool, { ownHosts, mayHave }: HostRules): WalletFiles {
  const operatorsFile = async () => (await walletSettingsStore(pool).find(platformPlace('walletapay')))?.associationFile
  return {
    ofHost: async (host) => {
      const entries = await walletDomainStore(pool).ofHost(host)
      const entry = entries.find(({ merchantId }) => mayHave(merchantId, host))
      const own = ownHosts.has(host)
      if (entry === undefined && !own) return null
      const operators = (await operatorsFile()) ?? null
      // No entry of a merchant takes a host of the service over.
      return own && operators !== null ? operators : expectedFile({ file: entry?.file ?? null }, operators)
    },
  }
}
