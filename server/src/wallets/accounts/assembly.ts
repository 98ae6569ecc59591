/** Assembles the wallet parts of a process: trust anchors and the accounts that payments use. */
import { mayHaveHost } from '#domain/address/checkout-host.ts'
import type { ProcessContext } from '../../assembly/process-context.ts'
import type { Alerts, WalletAccounts, WalletButtons, WalletFiles, WalletSessions } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { type AccountOptions, walletAccounts } from './accounts.ts'
import { loadAnchors, type WalletAnchors } from './anchors.ts'
import { walletButtons } from './buttons.ts'
import { walletFiles } from './files.ts'
import { probeSession, walletSessions } from './sessions.ts'
import { providerKeySource, readProviderRoot, sandboxAuthority } from './trust-sources.ts'
import type { WalletMail } from './wallet-mail.ts'

export interface WalletParts {
  readonly anchors: WalletAnchors
  readonly accounts: WalletAccounts
  readonly sessions: WalletSessions
  readonly buttons: WalletButtons
  readonly files: WalletFiles
  /** The result of a probe of the session service; see `probeSession`. */
  readonly probe: (recordKey: WalletRecordKey) => Promise<string | null | undefined>
}

/** Stops the start if the configuration names an unusable root or key list (Chapter 40 §14). */
export async function assembleWallets(
  { config, pool, vault, clock, ids, log }: ProcessContext,
  configuration: AccountOptions['configuration'],
  { alerts, mail }: { readonly alerts: Alerts; readonly mail: WalletMail },
  sandboxUrl: string | null,
): Promise<WalletParts> {
  const { instanceMode, wallets } = config
  const anchors = await loadAnchors({
    instanceMode,
    pool,
    clock,
    log,
    providerRoot: readProviderRoot(instanceMode, wallets.rootFile),
    providerKeys: {
      PRODUCTION: providerKeySource(instanceMode, 'PRODUCTION', wallets.keyLists.PRODUCTION),
      TEST: providerKeySource(instanceMode, 'TEST', wallets.keyLists.TEST),
    },
    authority: instanceMode === 'live' || sandboxUrl === null ? null : sandboxAuthority(sandboxUrl),
  })
  const terms = {
    deniedSerials: wallets.deniedSerials,
    lifetimeSeconds: wallets.tokenMinutes * 60,
    gateway: wallets.gateway,
  }
  const session = { pool, vault, clock, log, anchors, config: wallets }
  return {
    anchors,
    accounts: walletAccounts({ pool, vault, clock, ids, log, alerts, mail, configuration, anchors, terms }),
    sessions: walletSessions(session),
    buttons: walletButtons({ pool, clock, log, gateway: wallets.gateway }),
    probe: (recordKey) => probeSession(session, recordKey, wallets.checkoutDomain),
    files: walletFiles(pool, {
      ownHosts: ownHosts(config),
      // Under either domain, a host belongs to the merchant that it names.
      mayHave: (merchantId, host) =>
        [wallets.checkoutDomain, config.formsDomain].every((domain) =>
          mayHaveHost(configuration.merchant(merchantId)?.name ?? '', host, domain),
        ),
    }),
  }
}

/** The service's own hosts, which serve the operator's file without a domain entry. */
function ownHosts({ baseUrl, wallets }: ProcessContext['config']): ReadonlySet<string> {
  const hosts = [baseUrl === null ? null : URL.parse(baseUrl)?.hostname, wallets.checkoutDomain]
  return new Set(hosts.filter((host) => host !== null && host !== undefined))
}
