/**
 * Starts the sandbox acquirer: `node sandbox/acquirer/main.ts`.
 *
 *   SANDBOX_PORT      port on the loopback address; 0, the default, takes any free one
 *   SANDBOX_DATA      folder of its durable record; default `.data/sandbox-acquirer`
 *   SANDBOX_SCENARIO  file with one scenario or a list of them, in force from the start
 *
 * When ready it prints one line of JSON with its address, and tells its parent if it has one. It ends on SIGTERM or
 * SIGINT, and with its parent.
 */
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { Acquirer } from './acquirer.ts'
import { readScenario } from './scenario.ts'
import { createAcquirerServer } from './server.ts'

const STOPS_WITHIN_MS = 1_500

const { SANDBOX_PORT = '0', SANDBOX_DATA = '.data/sandbox-acquirer', SANDBOX_SCENARIO } = process.env

const acquirer = await Acquirer.open(SANDBOX_DATA)
if (SANDBOX_SCENARIO) await loadScenarios(SANDBOX_SCENARIO)

const server = createAcquirerServer(acquirer, fail)
await listen(server, Number(SANDBOX_PORT))

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
process.once('disconnect', stop)

const ready = { ready: true, url: addressOf(server) }
process.stdout.write(`${JSON.stringify(ready)}\n`)
process.send?.(ready)

async function loadScenarios(path: string): Promise<void> {
  const content: unknown = JSON.parse(await readFile(path, 'utf8'))
  for (const value of Array.isArray(content) ? content : [content]) {
    const scenario = readScenario(value)
    if (typeof scenario === 'string') throw new Error(`${path}: ${scenario}`)
    acquirer.scenarios.set(scenario)
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

function stop(): void {
  const deadline = setTimeout(() => server.closeAllConnections(), STOPS_WITHIN_MS)
  server.close(() => {
    clearTimeout(deadline)
    acquirer.close().then(() => process.exit(0), fail)
  })
  server.closeIdleConnections()
}

/** Nothing may be answered any more that the disk does not hold, so it ends instead of going on. */
function fail(fault: unknown): void {
  process.stderr.write(`The sandbox acquirer stops: ${fault instanceof Error ? fault.message : String(fault)}\n`)
  process.exit(1)
}
