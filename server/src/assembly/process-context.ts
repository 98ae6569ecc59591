/** The base of a process: database, keys and clock. The command line needs nothing more. */
import type { FastifyBaseLogger } from 'fastify'
import type { Ids } from '../contracts/ports.ts'
import { type ClockGuard, clockGuard } from '../health/clock-guard.ts'
import { type MovableClock, systemClock } from '../process/clock.ts'
import type { Config } from '../process/config.ts'
import { systemIds } from '../process/ids.ts'
import { openPool, type Pool } from '../store/database/pool.ts'
import { dataKeyRows } from '../store/instance/data-keys.ts'
import { instanceStore } from '../store/instance/instance.ts'
import { keySource, readKeyRing } from '../vault/key-ring.ts'
import type { Vault } from '../vault/port.ts'
import { openVault } from '../vault/vault.ts'

export interface ProcessContext {
  readonly config: Config
  readonly databaseUrl: string
  readonly pool: Pool
  readonly vault: Vault
  readonly clock: MovableClock
  /** Not yet compared with the database. */
  readonly clockGuard: ClockGuard
  readonly ids: Ids
  /** Notified when the database has no room for a write, or refuses writes. */
  readonly refusedWrites: RefusedWrites
  readonly log: FastifyBaseLogger
}

/** The pool exists before the listener that watches it. */
class RefusedWrites {
  #listener: () => void = () => undefined

  watch(listener: () => void): void {
    this.#listener = listener
  }

  tell(): void {
    this.#listener()
  }
}

/** Expects a migrated database. */
export async function openProcessContext(
  config: Config,
  databaseUrl: string,
  log: FastifyBaseLogger,
): Promise<ProcessContext> {
  const refusedWrites = new RefusedWrites()
  const pool = openPool(databaseUrl, {
    max: config.databasePool,
    applicationName: `gatehouse ${config.role}`,
    log: (line) => log.warn(line),
    durable: config.instanceMode === 'live',
    plansOnce: true,
    onRefusedWrite: () => refusedWrites.tell(),
  })
  try {
    const clock = systemClock()
    clock.moveTo(config.instanceMode === 'sandbox' ? await instanceStore(pool).readClockOffsetMs() : 0)
    const vault = await openInstanceVault(config, pool, clock, log)
    return {
      config,
      databaseUrl,
      pool,
      vault,
      clock,
      clockGuard: clockGuard({ pool, log }),
      ids: systemIds(clock),
      refusedWrites,
      log,
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function openInstanceVault(
  config: Config,
  pool: Pool,
  clock: MovableClock,
  log: FastifyBaseLogger,
): Promise<Vault> {
  const source = keySource(config)
  const { ring, warnings } = await readKeyRing({
    ...source,
    create: config.instanceMode === 'sandbox' && config.keys === null && config.keyCommand === null,
  })
  for (const warning of warnings) log.warn(warning)
  return openVault({
    ring,
    keys: dataKeyRows(pool),
    clock,
    // With a key file or a command, serving processes follow a rotation without a restart.
    ...(config.keys === null ? { rereadRing: async () => (await readKeyRing({ ...source, create: false })).ring } : {}),
  })
}
