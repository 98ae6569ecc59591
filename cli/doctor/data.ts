/** Checks the database and the keys to its data. */
import { certainMs, clockRemedy, clockSentence, clockState } from '#server/health/clock-guard.ts'
import { machineMs, systemClock } from '#server/process/clock.ts'
import type { Config } from '#server/process/config.ts'
import { readDatabaseTime } from '#server/store/database/database-time.ts'
import { migrate, readSchemaState } from '#server/store/database/migrate.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { dataKeyRows } from '#server/store/instance/data-keys.ts'
import type { KeyRing } from '#server/vault/key-ring.ts'
import type { Vault } from '#server/vault/port.ts'
import { openVault } from '#server/vault/vault.ts'
import { readConfiguredRing } from '../kit/configured-ring.ts'
import { type Finding, ok, problem, problemOf, warning } from './finding.ts'

/** The database answers, has a supported version, and has the schema of this release. */
export async function checkDatabase(pool: Pool): Promise<readonly Finding[]> {
  const startedAt = performance.now()
  const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version') as version`)
  const took = Math.round(performance.now() - startedAt)
  return [
    ok('database', `PostgreSQL ${rows[0]?.version} answers within ${took} ms.`),
    await checkSchema(pool),
    clockFinding(certainMs(await readDatabaseTime(pool, machineMs))),
  ]
}

function clockFinding(aheadMs: number): Finding {
  const state = clockState(aheadMs)
  if (state === 'right') return ok('clock', 'This machine and the database agree on the time.')
  if (state === 'off') return warning('clock', clockSentence(aheadMs), clockRemedy)
  return problem('clock', `${clockSentence(aheadMs)} The worker on this machine is paused.`, clockRemedy)
}

async function checkSchema(pool: Pool): Promise<Finding> {
  try {
    await migrate(pool, { migrate: 'refuse' })
    const { applied, known } = await readSchemaState(pool)
    return ok(
      'schema',
      applied > known
        ? `Migrated by a newer release (migration ${applied}); this release can serve it.`
        : 'Current for this release.',
    )
  } catch (error) {
    return problemOf('schema', error)
  }
}

interface KeysFound {
  readonly findings: readonly Finding[]
  /** Null if the keys do not decrypt the data. */
  readonly vault: Vault | null
}

/** Never creates a key file: a new one beside old data would hide that the right one is missing. */
export async function checkKeys(config: Config, pool: Pool): Promise<KeysFound> {
  const keys = dataKeyRows(pool)
  const counts = await keys.countByKek()
  try {
    const { ring, warnings } = await readConfiguredRing(config)
    const notes = warnings.map((text) => warning('keys', text, 'Only the user of the service may read the key file.'))
    const missing = [...counts.keys()].filter((id) => !ring.keys.has(id))
    if (missing.length > 0) return { findings: [...notes, missingKeys(missing)], vault: null }
    const vault = await openVault({ ring, keys, clock: systemClock() })
    return { findings: [...notes, ok('keys', ringText(ring, counts))], vault }
  } catch (error) {
    const fresh =
      config.instanceMode === 'sandbox' && config.keys === null && config.keyCommand === null && counts.size === 0
    const finding = problemOf('keys', error)
    return {
      findings: [fresh ? { ...finding, level: 'warning', remedy: 'The first "npm start" creates them.' } : finding],
      vault: null,
    }
  }
}

const missingKeys = (ids: readonly string[]): Finding =>
  problem(
    'keys',
    `The data needs the keys ${ids.join(', ')}, which are missing.`,
    'Restore the key file of this database.',
  )

function ringText({ current, keys }: KeyRing, counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `${keys.size === 1 ? 'One key' : `${keys.size} keys`}, current ${current}; all ${total} data keys can be decrypted.`
}
