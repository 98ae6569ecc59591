/**
 * A program of the campaign `ssrf`: calls acquirers and the 3DS server of a live instance at addresses that an operator must not enter,
 * with the connections of the service itself. Prints the answers as JSON.
 *
 * `ssrf-acquirers.ts <private port> <public port>`; `ssrf-hook.ts` resolves the names.
 */
import { secret } from '#domain/secret.ts'
import { createWires, jsonBody } from '#server/connectors/wire.ts'
import { guardedAcquirers } from '#server/live-guard/acquirers.ts'
import { midFault } from '#server/live-guard/entry.ts'
import { systemClock } from '#server/process/clock.ts'
import { readConfig } from '#server/process/config.ts'
import { openLink } from '#server/three-ds/link.ts'
import { forbiddenHosts, outsideHosts } from './ssrf-addresses.ts'

const [privatePort = '', publicPort = ''] = process.argv.slice(2)
const { privateAcquirers } = readConfig('all', {})
const terms = { instanceMode: 'live', privateAcquirers } as const
const { wires: connections } = guardedAcquirers(terms, null)
const wires = createWires({ ...connections, clock: systemClock(), budgetMs: 3_000 })
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** The status, or null without an answer. */
async function askAcquirer(host: string, port: string): Promise<number | null> {
  try {
    const wire = wires.to({ id: 'acme', secretFields: [] }, {}, { hosts: { api: `http://${host}:${port}` } })
    return (await wire.post(host === 'redirects.test' ? '/redirects' : '/private', jsonBody({ number: '4111' }))).status
  } catch {
    return null
  }
}

const askMpi = (host: string, port: string): Promise<unknown> =>
  openLink({
    url: () => `http://${host}:${port}`,
    token: secret('t'),
    timeoutMs: 3_000,
    log,
    connect: connections.connect?.(null),
  }).ask('/private', {})

const answeredHosts: string[] = []
for (const host of forbiddenHosts) {
  if ((await askAcquirer(host, privatePort)) !== null) answeredHosts.push(`The acquirer at ${host}`)
  if ((await askMpi(host, privatePort)) !== null) answeredHosts.push(`The 3DS server at ${host}`)
}
const unanswered: string[] = []
for (const host of outsideHosts) {
  // A redirect is returned as it is, and not followed.
  if ((await askAcquirer(host, publicPort)) === null) unanswered.push(`The acquirer at ${host}`)
  await askMpi(host, publicPort)
}

/** A literal address is refused before connecting; what a name resolves to is unknown when it is entered. */
const isName = (host: string): boolean => /\.test\.?$|^localhost\.?$/i.test(host)
const enteredHosts = forbiddenHosts
  .filter((host) => !isName(host))
  .filter((host) => {
    const addresses = [`https://${host}:${privatePort}`]
    return midFault(terms, { mode: 'live', connector: 'acme', enabled: true, addresses }) === null
  })
  .map((host) => `A MID at ${host}`)
await wires.close()
process.stdout.write(
  `${JSON.stringify({ tried: 2 * forbiddenHosts.length, answered: answeredHosts, unanswered, entered: enteredHosts })}\nready\n`,
)
// Runs until it is ended: its output is read while it runs.
setInterval(() => undefined, 60_000)
