/** The problems that health may report: fixed codes for programs, with a sentence for people. An error message could contain an address. */
// biome-ignore format: a table is read in columns.
export const healthProblems = {
  database_unreachable:  'The database does not answer.',
  disk_full:             'The database cannot write: its disk is full.',
  read_only:             'The database cannot write: it is read-only, perhaps a standby.',
  writes_refused:        'The database answers, but refuses to write.',
  node_silent:           'A server of the distributed database does not answer: payments of its merchants cannot be written.',
  worker_standing_still: 'No worker has been active for a minute: callbacks and plans are delayed.',
  clock_off:             'The clock of this machine differs from the database’s by more than 5 seconds.',
  clock_far_off:         'The clock of this machine differs from the database’s by more than 30 seconds; its worker is paused.',
  standby_missing:       'A standby of the database is not connected. While it has a replication slot, the server stores its log for it until the disk is full.',
  standby_lost:          'A standby of the database was away for too long and must be copied again; until then it cannot take over.',
  standby_behind:        'A standby of the database is more than a minute behind; a fail-over would take long.',
  standby_lag_hidden:    'How far the standbys of the database are behind cannot be seen: grant pg_read_all_stats to the role of DATABASE_URL.',
  memory_limit_small:    'The memory limit of this process is too small for it; raise it to at least 400 MB for each process.',
  descriptors_scarce:    'Four fifths of the descriptors of this process are open; at the limit it cannot reach acquirers. Raise LimitNOFILE of the unit or “ulimit -n”.',
  sandbox_gone:          'The sandbox does not answer, so payments of its MIDs fail. The instance that started it starts it again by itself.',
  in_recovery:           'The database was restored; payments are stopped. Run “gatehouse restore reconcile”, settle what it lists, then run “gatehouse restore end”.',
  no_answer:             'The component did not answer in time.',
  failing:               'The component does not work; see the log.',
} as const

export type HealthProblemCode = keyof typeof healthProblems

/** The servers of the database that an error names: an operator gave them to Citus by these names. */
export const nodesOf = (error: unknown): readonly string[] | undefined =>
  error instanceof Error && problemCodeOf(error) === 'node_silent' && 'nodes' in error && Array.isArray(error.nodes)
    ? error.nodes.map(String)
    : undefined

/** By the `fault` of the error. */
export function problemCodeOf(error: unknown): HealthProblemCode {
  if (!(error instanceof Error)) return 'failing'
  if (error.name === 'DeadlineError') return 'no_answer'
  const fault = 'fault' in error ? error.fault : null
  return typeof fault === 'string' && isCode(fault) ? fault : 'failing'
}

const isCode = (text: string): text is HealthProblemCode => text in healthProblems
