/**
 * The settings of the embedded server. They are passed on its command line at every start, so that a new release can change them; none are
 * stored in the data folder.
 */
export function serverSettings({ name, socketDir, disposable }: SettingsFor): readonly string[] {
  const settings = [...always, ...(disposable ? whenDisposable : whenDurable)]
  settings.push(['cluster_name', name], ['unix_socket_directories', socketDir])
  return settings.flatMap(([key, value]) => ['-c', `${key}=${value}`])
}

interface SettingsFor {
  /** Marks the server's processes, to tell them from other servers. */
  readonly name: string
  readonly socketDir: string
  readonly disposable: boolean
}

type Setting = readonly [name: string, value: string]

// biome-ignore format: a table is read in columns.
const always: readonly Setting[] = [
  // name                               value     because
  ['listen_addresses',                '' ],     // never on a network: only through a socket that no other account can open
  ['unix_socket_permissions',         '0700' ],
  ['max_connections',                 '200' ],
  ['shared_buffers',                  '128MB' ],
  ['jit',                             'off' ],  // statements are short; compiling one costs more than running it
  ['max_parallel_workers_per_gather', '0' ],    // same reason, and containers have little shared memory for it
  ['random_page_cost',                '1.1' ],  // solid-state disks
  ['timezone',                        'UTC' ],
  ['log_timezone',                    'UTC' ],
  ['log_min_messages',                'log' ],  // error messages would put row values into the log, cardholder data among them
  ['log_min_error_statement',         'panic' ],
  ['log_error_verbosity',             'terse' ],
  ['log_checkpoints',                 'off' ],
]

// biome-ignore format: a table is read in columns.
const whenDurable: readonly Setting[] = [
  ['fsync',              'on' ],
  ['synchronous_commit', 'on' ],
  ['wal_level',          'replica' ], // so that a standby can be attached when the instance outgrows the embedded server
  ['autovacuum_naptime', '10s' ],     // tables of a new instance grow quickly beyond the planner's statistics
]

// biome-ignore format: a table is read in columns.
const whenDisposable: readonly Setting[] = [
  ['fsync',              'off' ],
  ['full_page_writes',   'off' ],
  ['synchronous_commit', 'off' ],
  ['wal_level',          'minimal' ],
  ['max_wal_senders',    '0' ],
  ['autovacuum',         'off' ],
  ['update_process_title', 'off' ], // thousands of short statements, and nothing reads the titles
]
