/**
 * Starts every company of the sandbox in one process and on one port: `node sandbox/all/main.ts`. They share nothing but that, the
 * test clock and the table of test cards; each keeps its own record.
 *
 *   SANDBOX_PORT      port on the loopback address; 0, the default, takes any free one
 *   SANDBOX_DATA      folder of the durable records; default `.data/sandbox`
 *   SANDBOX_SCENARIO  file with one scenario of the acquirer or a list of them, in force from the start
 */
import { join } from 'node:path'
import { AccessControl } from '../access-control/access-control.ts'
import { accessControlRoutes } from '../access-control/routes.ts'
import { Acquirer } from '../acquirer/acquirer.ts'
import { acquirerRoutes } from '../acquirer/routes.ts'
import { loadScenarios } from '../acquirer/scenario-file.ts'
import { run } from '../kit/program.ts'

const { SANDBOX_PORT = '0', SANDBOX_DATA = '.data/sandbox', SANDBOX_SCENARIO } = process.env

const acquirer = await Acquirer.open(SANDBOX_DATA)
if (SANDBOX_SCENARIO) await loadScenarios(SANDBOX_SCENARIO, acquirer.scenarios)
const accessControl = await AccessControl.open(join(SANDBOX_DATA, 'access-control'), () => acquirer.clock.now())

await run(
  [
    { routes: acquirerRoutes(acquirer), close: () => acquirer.close() },
    { routes: accessControlRoutes(accessControl), close: () => accessControl.close() },
  ],
  Number(SANDBOX_PORT),
)
