/** Restricts how a live process reaches acquirers: refuses live MIDs on the sandbox connector, and addresses that must not receive card numbers. */
import type { buildConnector } from 'undici'
import { tlsOptions } from '../connectors/pools.ts'
import type { ClientCertificate } from '../connectors/wire-request.ts'
import { isListed, type PrivateAcquirers } from '../network/acquirer-address.ts'
import { addressGuard } from '../network/address-guard.ts'

export interface GuardedAcquirers {
  readonly mayUse: (mid: { readonly connector: string; readonly mode: 'live' | 'test' }) => boolean
  readonly wires: { readonly connect?: (certificate: ClientCertificate | null) => buildConnector.connector }
}

const connectTimeoutMs = 5_000

/** `sandboxUrl` is set if the instance has a sandbox acquirer, which is never the case when a live instance starts. */
export function guardedAcquirers(
  {
    instanceMode,
    privateAcquirers,
  }: { readonly instanceMode: 'live' | 'sandbox'; readonly privateAcquirers: PrivateAcquirers },
  sandboxUrl: string | null,
): GuardedAcquirers {
  if (instanceMode === 'sandbox' || sandboxUrl !== null) return { mayUse: () => true, wires: {} }
  const rules = {
    allowPrivate: false,
    isListed: (host: string, address: string) => isListed(privateAcquirers, host, address),
  }
  return {
    mayUse: ({ connector, mode }) => connector !== 'sandbox' || mode === 'test',
    wires: { connect: (certificate) => addressGuard(rules, connectTimeoutMs, tlsOptions(certificate)).connect },
  }
}
