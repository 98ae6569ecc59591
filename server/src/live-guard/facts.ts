/** The data that the checks of a live instance read, loaded once for all of them. */
import { z } from 'zod'
import type { Config } from '../process/config.ts'
import { midStore } from '../store/configuration/mids.ts'
import type { Pool } from '../store/database/pool.ts'
import { readServerSettings, type ServerSettings } from '../store/database/server-settings.ts'
import { PLATFORM_SCOPE, type Vault } from '../vault/port.ts'

interface GuardedMid {
  readonly name: string
  readonly mode: 'live' | 'test'
  readonly connector: string
  /** Null if the credentials cannot be opened or contain none; `doctor` reports that elsewhere. */
  readonly baseUrl: string | null
}

export interface LiveFacts {
  readonly config: Config
  readonly server: ServerSettings
  /** The MIDs that take payments. */
  readonly mids: readonly GuardedMid[]
}

export async function readLiveFacts(config: Config, pool: Pool, vault: Vault): Promise<LiveFacts> {
  const rows = (await midStore(pool).list()).filter(({ enabled }) => enabled)
  const mids = await Promise.all(
    rows.map(async ({ name, mode, connector, credentialsSealed }) => ({
      name,
      mode,
      connector,
      baseUrl: await baseUrlOf(vault, credentialsSealed),
    })),
  )
  return { config, server: await readServerSettings(pool), mids }
}

const withAddress = z.object({ base_url: z.string() })

async function baseUrlOf(vault: Vault, sealed: Uint8Array): Promise<string | null> {
  try {
    const opened = await vault.open(PLATFORM_SCOPE, 'credentials', sealed)
    return withAddress.safeParse(JSON.parse(opened.reveal())).data?.base_url ?? null
  } catch {
    return null
  }
}
