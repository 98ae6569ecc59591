/** The data that the checks of a live instance read, loaded once for all of them. */

import { type ProtocolMapping, parseMappingOptions } from '#domain/mapping.ts'
import { connectorById } from '../connectors/registry.ts'
import type { Config } from '../process/config.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import type { Pool } from '../store/database/pool.ts'
import { readServerSettings, type ServerSettings } from '../store/database/server-settings.ts'
import { PLATFORM_SCOPE, type Vault } from '../vault/port.ts'

interface GuardedMid {
  readonly name: string
  readonly mode: 'live' | 'test'
  readonly connector: string
  /** To which it sends; none if the credentials cannot be read, which `doctor` reports elsewhere. */
  readonly addresses: readonly string[]
}

export interface LiveFacts {
  readonly config: Config
  readonly server: ServerSettings
  /** The MIDs that take payments. */
  readonly mids: readonly GuardedMid[]
  /** The protocols of merchants who may send live requests. */
  readonly mappings: readonly GuardedMapping[]
}

interface GuardedMapping {
  readonly merchant: { readonly name: string; readonly allowedIps: readonly string[] }
  readonly mapping: Pick<ProtocolMapping, 'protocol' | 'payouts' | 'requestSignature' | 'sessionUpdate'>
}

export async function readLiveFacts(config: Config, pool: Pool, vault: Vault): Promise<LiveFacts> {
  const rows = (await midStore(pool).list()).filter(({ enabled }) => enabled)
  const mids = await Promise.all(
    rows.map(async ({ name, mode, connector, credentialsSealed }) => ({
      name,
      mode,
      connector,
      addresses: await readAddresses(vault, { mode, connector, credentialsSealed }),
    })),
  )
  return { config, server: await readServerSettings(pool), mids, mappings: await listMappings(pool) }
}

async function listMappings(pool: Pool): Promise<LiveFacts['mappings']> {
  const [merchants, mappings] = await Promise.all([merchantStore(pool).list(), protocolMappingStore(pool).list()])
  const live = merchants.filter(({ status, testOnly }) => status === 'active' && !testOnly)
  return live.flatMap((merchant) =>
    mappings
      .filter(({ merchantId, enabled }) => merchantId === merchant.id && enabled)
      .map((row) => ({ merchant, mapping: parseMappingOptions(row).mapping })),
  )
}

async function readAddresses(
  vault: Vault,
  mid: { readonly mode: 'live' | 'test'; readonly connector: string; readonly credentialsSealed: Uint8Array },
): Promise<readonly string[]> {
  try {
    const opened = await vault.open(PLATFORM_SCOPE, 'credentials', mid.credentialsSealed)
    return connectorById(mid.connector)?.addresses(JSON.parse(opened.reveal()), mid.mode) ?? []
  } catch {
    return []
  }
}
