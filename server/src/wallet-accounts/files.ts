/** The files that prove domains to the maker, by the host that is asked. Chapter 40 §8, "Serving". */
import type { WalletFiles } from '../ports.ts'
import type { Pool } from '../store/pool.ts'
import { walletDomainStore } from '../store/wallet-domains.ts'
import { platformPlace, walletSettingsStore } from '../store/wallet-settings.ts'
import { expectedFile } from './domain-plan.ts'

/** `ownHosts` are the service's: they serve the operator's file without an entry. */
export function walletFiles(pool: Pool, ownHosts: ReadonlySet<string>): WalletFiles {
  const operatorsFile = async () => (await walletSettingsStore(pool).find(platformPlace('walletapay')))?.associationFile
  return {
    ofHost: async (host) => {
      const [entry] = await walletDomainStore(pool).ofHost(host)
      const own = ownHosts.has(host)
      if (entry === undefined && !own) return null
      const operators = (await operatorsFile()) ?? null
      // No entry of a merchant takes a host of the service over.
      return own && operators !== null ? operators : expectedFile({ file: entry?.file ?? null }, operators)
    },
  }
}
