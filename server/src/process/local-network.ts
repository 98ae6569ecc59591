/**
 * `npm start -- --lan`: a sandbox instance that other devices of the local network can reach, such as a phone that scans a wallet's code. It
 * listens on every interface and names itself by its address in that network, unless HOST and BASE_URL say otherwise.
 */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { isThisMachine } from '#domain/address/loopback.ts'
import type { Config } from './config.ts'
import { StartupError } from './startup-error.ts'

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>

/** The first private IPv4 address of a real interface; those of containers and virtual machines come last. Null without one. */
export function localAddress(interfaces: Interfaces = networkInterfaces()): string | null {
  const found = Object.entries(interfaces).flatMap(([name, entries = []]) =>
    entries
      .filter(({ address, family, internal }) => family === 'IPv4' && !internal && isPrivate.test(address))
      .map(({ address }) => ({ address, isVirtual: virtualNames.test(name) })),
  )
  return (found.find(({ isVirtual }) => !isVirtual) ?? found[0])?.address ?? null
}

const isPrivate = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/
const virtualNames = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap)/

export function requireLocalAddress(address: string | null = localAddress()): string {
  if (address !== null) return address
  throw new StartupError(
    'This computer has no address in a local network.',
    'Connect it to the network of the phone, or leave out --lan and set HOST and BASE_URL.',
  )
}

export function onLocalNetwork(config: Config, address: string): Config {
  if (config.instanceMode === 'live')
    throw new StartupError('A live instance is not started with --lan.', 'Set HOST and BASE_URL instead.')
  const host = isThisMachine(config.host) ? '0.0.0.0' : config.host
  return Object.freeze({ ...config, host, baseUrl: config.baseUrl ?? `http://${address}:${config.port}` })
}
