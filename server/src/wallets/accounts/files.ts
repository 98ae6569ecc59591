/** The association files that prove domains to the wallet provider, by requested host. Chapter 40 §8, "Serving". */
import type { WalletFiles } from '../../contracts/ports.ts'
import type { Pool } from '../../store/database/pool.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { expectedFile } from './domain-plan.ts'

interface HostRules {
  /** The service's own hosts: they serve the operator's file without a domain entry. */
  readonly ownHosts: ReadonlySet<string>
  /** Whether a merchant's entry is valid for the host: a host under the checkout domain may belong to another merchant. */
  readonly mayHave: (merchantId: string, host: string) => boolean
}

export function walletFiles(pool: Pool, { ownHosts, mayHave }: HostRules): WalletFiles {
  const readOperatorsFile = async () =>
    (await walletSettingsStore(pool).find(platformRecordKey('walletapay')))?.associationFile
  return {
    findOfHost: async (host) => {
      const entries = await walletDomainStore(pool).listOfHost(host)
      const entry = entries.find(({ merchantId }) => mayHave(merchantId, host))
      const own = ownHosts.has(host)
      if (entry === undefined && !own) return null
      const operators = (await readOperatorsFile()) ?? null
      // A merchant's entry cannot take over one of the service's hosts.
      return own && operators !== null ? operators : expectedFile({ file: entry?.file ?? null }, operators)
    },
  }
}
