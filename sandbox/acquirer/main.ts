/**
 * Starts the sandbox acquirer without the other simulators: `node sandbox/acquirer/main.ts`.
 *
 *   SANDBOX_PORT      port on the loopback address; 0, the default, takes any free one
 *   SANDBOX_DATA      folder of its durable record; default `.data/sandbox-acquirer`
 *   SANDBOX_SCENARIO  file with one scenario or a list of them, in force from the start
 */
import { run } from '../kit/program.ts'
import { Acquirer } from './acquirer.ts'
import { acquirerRoutes } from './routes.ts'
import { loadScenarios } from './triggers/scenario-file.ts'

const { SANDBOX_PORT = '0', SANDBOX_DATA = '.data/sandbox-acquirer', SANDBOX_SCENARIO } = process.env

const acquirer = await Acquirer.open(SANDBOX_DATA)
if (SANDBOX_SCENARIO) await loadScenarios(SANDBOX_SCENARIO, acquirer.scenarios)
await run([{ routes: acquirerRoutes(acquirer), close: () => acquirer.close() }], Number(SANDBOX_PORT))
