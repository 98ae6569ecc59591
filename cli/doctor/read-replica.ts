/** Checks that DATABASE_READ_URL leads to a standby of this database that is not far behind. See decisions/exports#replicas-by-name. */
import { limits } from '#domain/limits.ts'
import type { Config } from '#server/process/config.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { requireConnection } from '#server/store/database/connection/connection-fault.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { type DataSource, type ReplicaFault, readSource } from '#server/store/instance/read-source.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'read replica'
const meanwhile = 'Searches, figures and exports of the panel read the primary meanwhile.'
const setting = 'DATABASE_READ_URL'

/** Empty if none is configured. */
export async function checkReadReplica({ databaseReadUrl }: Config, primary: Pool): Promise<readonly Finding[]> {
  if (databaseReadUrl === null) return []
  const replica = openPool(databaseReadUrl, { max: 1, applicationName: 'gatehouse doctor', readOnly: true })
  try {
    await requireConnection(replica)
    const source = readSource({
      primary,
      replica,
      reportChange: () => undefined,
      behindSeconds: Number.POSITIVE_INFINITY,
    })
    return [replicaFinding(await source.readState())]
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [warning(subject, `${error.message} ${meanwhile}`, remedyOf(error))]
  } finally {
    await replica.end()
  }
}

/** The same causes as of the primary, except that no embedded server takes the place of a replica. */
const remedyOf = ({ remedy }: StartupError): string =>
  remedy.replace(/[.;] without DATABASE_URL.*$/i, '.').replaceAll('DATABASE_URL', setting)

const faults: Readonly<Record<ReplicaFault, Finding>> = {
  unreachable: warning(
    subject,
    `The read replica does not answer within ${limits.replica.answerMs / 1000} seconds. ${meanwhile}`,
    'Check the load of that server and the way to it.',
  ),
  'other database': problem(
    subject,
    `${setting} leads to a server that is not a copy of this database. It is not used.`,
    'Correct it, or copy the standby again with pg_basebackup.',
  ),
  'no standby': warning(
    subject,
    `${setting} leads to a server that is not a standby. It is not used.`,
    'Name a standby that streams from the primary, or remove the setting. After a fail-over, look where the proxy leads.',
  ),
  behind: behindFinding('more than a minute'),
}

export function replicaFinding(state: DataSource): Finding {
  if (state.source === 'primary') return faults[state.fault ?? 'unreachable']
  const { secondsBehind } = state
  if (secondsBehind > limits.replica.behindSeconds) return behindFinding(ageOf(secondsBehind))
  return ok(
    subject,
    secondsBehind === 0
      ? 'A standby of this database, which has replayed everything.'
      : `A standby of this database, ${Math.ceil(secondsBehind)} s behind.`,
  )
}

const yearSeconds = 365 * 86_400

/** A standby that has replayed nothing since its start does not know how old its data are. */
const ageOf = (seconds: number): string => (seconds > yearSeconds ? 'an unknown time' : `${Math.ceil(seconds)} seconds`)

function behindFinding(age: string): Finding {
  return warning(
    subject,
    `The read replica is ${age} behind, so it is not used. ${meanwhile}`,
    'Look at pg_stat_replication of the primary and at the log of the standby.',
  )
}
