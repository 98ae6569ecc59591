/**
 * Loaded into a gateway process by `node --import`, gives it a small internet: names that resolve as the campaign wants, and one public
 * server behind every public address. Every address that the process connects to is recorded, one per line.
 *
 * `ssrf-hook.ts?file=<where to write>`. Connections to private addresses are made as requested: blocking them is the gateway's task.
 */

import dns, { type LookupAddress } from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net, { isIP } from 'node:net'
import { isPrivate, nameServer } from './ssrf-addresses.ts'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const here = { address: '127.0.0.1', family: 4 }
const resolve = nameServer()

type Callback = (error: Error | null, found?: string | readonly LookupAddress[], family?: number) => void
type Lookup = (hostname: string, options: { readonly all?: boolean }, callback: Callback) => void

const lookup: Lookup = (hostname, options, callback) => {
  const found = resolve(hostname)
  if (options.all) queueMicrotask(() => callback(null, found))
  else queueMicrotask(() => callback(null, found[0]?.address ?? '', found[0]?.family))
}
// One of a dozen overloads of the module, and the only one in use here.
dns.lookup = lookup as typeof dns.lookup
syncBuiltinESMExports()

interface Target {
  host?: string
  path?: string
  lookup?: Lookup
}

// oxlint-disable-next-line typescript/unbound-method -- Applied below to whichever socket it is called on.
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function watch(this: net.Socket, ...connectArguments: unknown[]) {
  // The module passes its own arguments as a list in the first argument.
  const target = (Array.isArray(connectArguments[0]) ? connectArguments[0][0] : connectArguments[0]) as Target
  if (target.path === undefined && target.host !== undefined) redirect(target)
  return Reflect.apply(connect, this, connectArguments)
} as typeof connect

function redirect(target: Target): void {
  const { host = '', lookup: asked = lookup } = target
  if (isIP(host) !== 0) {
    target.host = recordAndRoute(host)
    return
  }
  target.lookup = (hostname, options, callback) =>
    asked(hostname, options, (error, found, family) => {
      if (error || found === undefined) callback(error)
      else if (typeof found === 'string') callback(null, recordAndRoute(found), family)
      else
        callback(
          null,
          found.map(({ address }) => (recordAndRoute(address) === address ? { address, family: isIP(address) } : here)),
        )
    })
}

/** Public addresses lead to the campaign's own server. */
function recordAndRoute(address: string): string {
  appendFileSync(file, `${address}\n`)
  return isPrivate(address) ? address : here.address
}
