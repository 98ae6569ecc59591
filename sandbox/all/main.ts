/**
 * Starts every company of the sandbox in one process and on one port: `node sandbox/all/main.ts`. They share nothing but that, the
 * test clock and the table of test cards; each keeps its own record.
 *
 *   SANDBOX_PORT      port on the loopback address; 0, the default, takes any free one
 *   SANDBOX_DATA      folder of the durable records; default `.data/sandbox`
 *   SANDBOX_AUTHORITY folder of the wallet authority, which several sandboxes may share; default `wallet` among the records
 *   SANDBOX_DEMO      file with the demo merchant's account, which the gateway writes; default `demo.json` beside the records
 *   SANDBOX_SCENARIO  file with one scenario of the acquirer or a list of them, in force from the start
 */
import { join } from 'node:path'
import { AccessControl } from '../access-control/access-control.ts'
import { accessControlRoutes } from '../access-control/routes.ts'
import { Acquirer } from '../acquirer/acquirer.ts'
import { acquirerRoutes } from '../acquirer/routes.ts'
import { loadScenarios } from '../acquirer/scenario-file.ts'
import { run } from '../kit/program.ts'
import { shopRoutes } from '../shop/routes.ts'
import { Shop } from '../shop/shop.ts'
import { walletRoutes } from '../wallet/routes.ts'
import { Wallet } from '../wallet/wallet.ts'

const { SANDBOX_PORT = '0', SANDBOX_DATA = '.data/sandbox', SANDBOX_AUTHORITY, SANDBOX_SCENARIO } = process.env
const { SANDBOX_DEMO = join(SANDBOX_DATA, '../demo.json') } = process.env

// The wallet's company lives by the acquirer's clock, and the acquirer asks it for the cards behind its tokens.
const acquirer = await Acquirer.open(SANDBOX_DATA, { cardOf: (token) => wallet.cardOfToken(token) })
if (SANDBOX_SCENARIO) await loadScenarios(SANDBOX_SCENARIO, acquirer.scenarios)
const accessControl = await AccessControl.open(join(SANDBOX_DATA, 'access-control'), () => acquirer.clock.now())
const wallet = await Wallet.open(join(SANDBOX_DATA, 'wallet'), () => acquirer.clock.now(), SANDBOX_AUTHORITY)
const shop = new Shop(SANDBOX_DEMO, () => new Date(acquirer.clock.now()))

await run(
  [
    { routes: acquirerRoutes(acquirer), close: () => acquirer.close() },
    { routes: accessControlRoutes(accessControl), close: () => accessControl.close() },
    { routes: walletRoutes(wallet), close: () => wallet.close() },
    { routes: shopRoutes(shop), close: async () => undefined },
  ],
  Number(SANDBOX_PORT),
)
