/**
 * Starts all services of the sandbox in one process and on one port: `node sandbox/all/main.ts`.
 *
 * SANDBOX_PORT      port; 0, the default, takes any free one
 * SANDBOX_HOST      address to listen on, for example in a network of containers; default: the loopback address
 * SANDBOX_DATA      folder of the stored records; default `.data/sandbox`
 * SANDBOX_AUTHORITY folder of the wallet authority, which several sandboxes may share; default `wallet` among the records
 * SANDBOX_DEMO      file with the demo merchant's account, written by the gateway; default `demo.json` beside the records
 * SANDBOX_SHOP_HOST another address of this machine at which the demo shop, and nothing else, listens on the same port
 * SANDBOX_SCENARIO  file with one or several scenarios of the acquirer that apply from the start
 */
import { join } from 'node:path'
import { run } from '../kit/program.ts'
import type { Routes } from '../kit/routes.ts'
import { openServices } from './services.ts'

const { SANDBOX_PORT = '0', SANDBOX_DATA = '.data/sandbox', SANDBOX_AUTHORITY, SANDBOX_SCENARIO } = process.env
const { SANDBOX_HOST, SANDBOX_SHOP_HOST } = process.env
const { SANDBOX_DEMO = join(SANDBOX_DATA, '../demo.json') } = process.env

const services = await openServices({
  folder: SANDBOX_DATA,
  authority: SANDBOX_AUTHORITY,
  demo: SANDBOX_DEMO,
  scenario: SANDBOX_SCENARIO,
})
const isOfShop = ([address]: Routes[number]): boolean => / \/shop(?:\/|$)/.test(address)
const front = SANDBOX_SHOP_HOST === undefined ? null : { host: SANDBOX_SHOP_HOST, serves: isOfShop }
await run(services, Number(SANDBOX_PORT), { front, host: SANDBOX_HOST })
