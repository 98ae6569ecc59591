/** Kept-alive connections: one pool per acquirer and client certificate, shared by all MIDs that use the same. */
import { createHash } from 'node:crypto'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import type { ClientCertificate } from './wire-request.ts'

interface PoolLimits {
  readonly connectTimeoutMs: number
  readonly connectionsPerAcquirer: number
  readonly connect?: (certificate: ClientCertificate | null) => buildConnector.connector
}

export interface AcquirerPools {
  to(origin: string, certificate: ClientCertificate | null): Dispatcher
  close(): Promise<void>
}

export function createPools(limits: PoolLimits): AcquirerPools {
  const pools = new Map<string, Pool>()
  return {
    to: (origin, certificate) => {
      const key = certificate ? `${origin} ${fingerprintOf(certificate)}` : origin
      const existing = pools.get(key)
      if (existing) return existing
      const pool = newPool(origin, certificate, limits)
      pools.set(key, pool)
      return pool
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}

const fingerprintOf = ({ certificate, key, authority = '' }: ClientCertificate): string =>
  createHash('sha256').update(`${certificate}\0${key}\0${authority}`).digest('hex')

function newPool(origin: string, certificate: ClientCertificate | null, limits: PoolLimits): Pool {
  return new Pool(origin, {
    connections: limits.connectionsPerAcquirer,
    connect:
      limits.connect?.(certificate) ?? buildConnector({ timeout: limits.connectTimeoutMs, ...tlsOptions(certificate) }),
    // One request at a time per connection: after a broken one it is certain whose bytes were lost.
    pipelining: 1,
    allowH2: false,
    // The deadline of the whole exchange is kept by `send`, more exactly than these coarse timers would.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** Prepares the client certificate for Node's TLS. */
export const tlsOptions = (
  presented: ClientCertificate | null,
): { readonly cert?: string; readonly key?: string; readonly ca?: string } => {
  if (!presented) return {}
  const { certificate: cert, key, authority: ca } = presented
  return { ...(cert !== '' && { cert, key }), ...(ca !== undefined && { ca }) }
}
