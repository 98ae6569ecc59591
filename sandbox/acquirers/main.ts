/**
 * Starts the stand-in for one acquirer: `node sandbox/acquirers/main.ts adyen`.
 *
 * STAND_IN_PORT  port on the loopback address; 0, the default, takes any free one
 * STAND_IN_DATA  folder of its record; default `.data/acquirers/<name>`
 *
 * When ready it announces its address, the credentials of its two accounts for the gateway's connector of the same
 * name, and the page of disputes, null where the company reports none.
 */
import { run } from '../kit/program.ts'
import { standIns } from './registry.ts'

const [name = ''] = process.argv.slice(2)
const load = standIns.get(name)
if (!load) {
  process.stderr.write(`There is no stand-in "${name}". Use one of ${[...standIns.keys()].join(', ')}.\n`)
  process.exit(2)
}

const { STAND_IN_PORT = '0', STAND_IN_DATA = `.data/acquirers/${name}` } = process.env
const open = await load()
const standIn = await open(STAND_IN_DATA)
await run([standIn], Number(STAND_IN_PORT), {
  facts: (url) => ({
    credentials: standIn.credentials(url),
    disputesUrl: standIn.reportsDisputes ? `${url}/disputes` : null,
  }),
})
