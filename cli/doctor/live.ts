/** The checks of a live instance, the same as at start-up and in the panel. */
import { liveChecks, liveFindings } from '#server/live-guard/checks.ts'
import { readLiveFacts } from '#server/live-guard/facts.ts'
import type { Config } from '#server/process/config.ts'
import type { Pool } from '#server/store/database/pool.ts'
import type { Vault } from '#server/vault/port.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'live'

export async function checkLive(config: Config, pool: Pool, vault: Vault): Promise<readonly Finding[]> {
  if (config.instanceMode !== 'live') return []
  const found = liveFindings(await readLiveFacts(config, pool, vault))
  if (found.length === 0) return [ok(subject, `All ${liveChecks.length} checks for a live instance pass.`)]
  return found.map(({ severity, sentence, remedy }) =>
    (severity === 'red' ? problem : warning)(subject, sentence, remedy),
  )
}
