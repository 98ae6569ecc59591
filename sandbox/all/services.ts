/** Opens all services of the sandbox. They share the test clock and the table of test cards; each has its own record. */
import { join } from 'node:path'
import { AccessControl } from '../access-control/access-control.ts'
import { accessControlRoutes } from '../access-control/routes.ts'
import { Acquirer } from '../acquirer/acquirer.ts'
import { acquirerRoutes } from '../acquirer/routes.ts'
import { loadScenarios } from '../acquirer/triggers/scenario-file.ts'
import type { SandboxService } from '../kit/program.ts'
import { shopRoutes } from '../shop/routes.ts'
import { Shop } from '../shop/shop.ts'
import { walletRoutes } from '../wallet/routes.ts'
import { Wallet } from '../wallet/wallet.ts'

interface SandboxFolders {
  /** Folder of the stored records. */
  readonly folder: string
  /** Folder of the wallet authority; by default among the records. */
  readonly authority?: string | undefined
  /** File with the demo merchant's account. */
  readonly demo: string
  /** File with scenarios that apply from the start. */
  readonly scenario?: string | undefined
}

export async function openServices({
  folder,
  authority,
  demo,
  scenario,
}: SandboxFolders): Promise<readonly SandboxService[]> {
  // The wallet uses the acquirer's clock, and the acquirer asks the wallet for the cards behind its tokens.
  const acquirer = await Acquirer.open(folder, { cardOf: (token) => wallet.cardOfToken(token) })
  if (scenario) await loadScenarios(scenario, acquirer.scenarios)
  const accessControl = await AccessControl.open(join(folder, 'access-control'), () => acquirer.clock.now())
  const wallet = await Wallet.open(join(folder, 'wallet'), () => acquirer.clock.now(), authority)
  const shop = await Shop.open(demo, () => new Date(acquirer.clock.now()), join(folder, 'shop.journal'))
  return [
    { routes: acquirerRoutes(acquirer), close: () => acquirer.close() },
    { routes: accessControlRoutes(accessControl), close: () => accessControl.close() },
    { routes: walletRoutes(wallet), close: () => wallet.close() },
    { routes: shopRoutes(shop), close: () => shop.close() },
  ]
}
