/**
 * Who may import whom. Data flows one way, protocol → operation → domain → store and connector → callback, and this table is what
 * keeps it so. A folder may always import itself; everything else needs a row, and a row needs a reason. Rows are of folders; a file has
 * one only where it is a port, or where its folder would be allowed too much.
 *
 * `types` rows leave nothing at run time: they are how the parts agree on words without knowing each other's code.
 */
interface ImportRule {
  /** A folder or a file; the longest that fits a file is the one whose rules it follows. */
  readonly from: string
  readonly to: string
  readonly what: 'anything' | 'types'
  readonly because: string
}

const row = (from: string, to: string, what: ImportRule['what'], because: string): ImportRule => ({
  from,
  to,
  what,
  because,
})

/** The folders of `payments/`, in the order in which a payment passes through them. Those of one line do not know each other. */
const paymentFolders: readonly (readonly string[])[] = [
  ['sessions'],
  ['commands'],
  ['attempt'],
  ['outcome', 'methods'],
  ['routing'],
  ['exchange'],
  ['request'],
]

const paymentFolder = (name: string): string => `server/src/payments/${name}`

/** Each imports those below it, and none above. */
const oneWay: readonly ImportRule[] = paymentFolders.flatMap((line, index) =>
  line.flatMap((from) =>
    paymentFolders
      .slice(index + 1)
      .flat()
      .map((to) =>
        row(paymentFolder(from), paymentFolder(to), to === 'request' ? 'types' : 'anything', 'a payment goes one way'),
      ),
  ),
)

const inFolders = (
  folders: readonly string[],
  to: string,
  what: ImportRule['what'],
  because: string,
): readonly ImportRule[] => folders.map((folder) => row(paymentFolder(folder), to, what, because))

const everyFolder = paymentFolders.flat()
const refusing = ['sessions', 'commands', 'attempt', 'methods', 'routing']
const changing = ['sessions', 'commands', 'outcome']
const withPayer = ['commands', 'attempt', 'request']
const connectorUsers = everyFolder.filter((folder) => folder !== 'sessions')

// biome-ignore format: a table is read in columns.
export const importTable: readonly ImportRule[] = [
  //  folder or file                        may import                                   of it        because
  row('domain/src',                         'domain/src',                                'anything',  'it is pure, and knows nothing else'),

  row('server/src/contracts',               'domain/src',                                'types',     'ports and records are made of the domain’s words'),
  row('server/src/contracts',               'server/src/connectors/connector.ts',        'types',     'the contract of acquirers; what one told is kept as it was told'),
  row('server/src/contracts',               'server/src/wallets/tokens/account.ts',      'types',     'the wallets of merchants'),
  row('server/src/contracts',               'server/src/wallets/tokens/opened-token.ts', 'types',     'the checks of a token are kept with its payment'),
  row('server/src/contracts/refused-error.ts', 'domain/src/errors.ts',                   'anything',  'it carries a refusal of the catalogue'),

  row('server/src/network',                 'server/src/network',                        'anything',  'which addresses are public, and lists of them'),

  row('server/src/process',                 'domain/src',                                'anything',  'bounds and tables of settings, secrets'),
  row('server/src/process',                'server/src/contracts/value-faults.ts',      'anything',  'faults of settings are said in our own sentences'),
  row('server/src/process',                 'server/src/contracts',                      'types',     'clock and ids implement ports'),
  row('server/src/process',                 'server/src/network',                        'anything',  'some settings are lists of addresses'),

  ...oneWay,
  ...inFolders(everyFolder,                 'domain/src',                                'anything',  'the rules that decide'),
  ...inFolders(everyFolder,                 'server/src/contracts',                      'types',     'all it knows of the outside'),
  ...inFolders(refusing,                    'server/src/contracts/refused-error.ts',     'anything',  'a refusal leaves here and is rendered by a protocol'),
  row(paymentFolder('sessions'),            'server/src/payments/request',               'anything',  'what a request does not say has a default'),
  ...inFolders(changing,                    'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  ...inFolders(connectorUsers,              'server/src/connectors/connector.ts',        'types',     'orders and outcomes'),
  ...inFolders(withPayer,                   'server/src/three-ds/mpi.ts',                'types',     'the port of the MPI service'),
  row('server/src/payments/methods',        'server/src/wallets/tokens',                 'anything',  'a token is checked and opened, which needs nothing else'),
  row('server/src/payments/request',        'server/src/vault/port.ts',                  'types',     'the port of the vault'),
  row('server/src/payments/index.ts',       'server/src/payments',                       'anything',  'it lists what others may ask for'),
  row('server/src/payments/index.ts',       'domain/src',                                'types',     'words of what it lists'),
  row('server/src/payments/index.ts',       'server/src/contracts',                      'types',     'words of what it lists'),
  row('server/src/payments/index.ts',       'server/src/connectors/connector.ts',        'types',     'words of what it lists'),

  row('server/src/connectors',              'domain/src',                                'anything',  'money, cards and decline classes'),
  row('server/src/connectors',              'server/src/contracts',                      'types',     'it implements some'),
  row('server/src/connectors',              'server/src/vault/port.ts',                  'anything',  'a MID’s credentials are sealed'),

  row('server/src/mid-health',              'domain/src',                                'anything',  'breakers and limits'),
  row('server/src/mid-health',              'server/src/contracts',                      'types',     'the port it implements; it watches acquirers by the clock'),
  row('server/src/mid-health',              'server/src/connectors/connector.ts',        'types',     'what an exchange came to'),
  row('server/src/mid-health',              'server/src/store/configuration',            'anything',  'what processes share'),
  row('server/src/mid-health',              'server/src/assembly/process-context.ts',         'types',     'what it is assembled from'),

  row('server/src/three-ds',                'domain/src',                                'anything',  'the 3DS attributes'),
  row('server/src/three-ds',                'server/src/contracts',                      'types',     'the log, and what is kept until the payer returns'),
  row('server/src/three-ds',                'server/src/connectors/connector.ts',        'types',     'card data and the result that acquirers take'),

  row('server/src/vault',                   'domain/src',                                'anything',  'secrets'),
  row('server/src/vault',                   'server/src/contracts',                      'types',     'the clock'),
  row('server/src/vault',                   'server/src/process/startup-error.ts',       'anything',  'a wrong key stops the start'),

  row('server/src/store',                   'domain/src',                                'anything',  'mappings and limits are parsed by the domain'),
  row('server/src/store',                   'server/src/contracts',                      'types',     'it implements ports; rows become records'),
  row('server/src/store',                   'server/src/wallets/tokens/opened-token.ts', 'types',     'the record of a token’s checks'),
  row('server/src/store',                   'server/src/mail/mail.ts',                   'types',     'mail waits in rows'),
  row('server/src/store',                   'server/src/connectors/connector.ts',        'types',     'what an acquirer told is kept as it was told'),
  row('server/src/store',                   'server/src/vault/port.ts',                  'anything',  'sealed columns and their scopes'),
  row('server/src/store',                   'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  row('server/src/store',                   'server/src/process/startup-error.ts',       'anything',  'a database that cannot be used stops the start'),

  row('server/src/wallets/tokens',          'domain/src',                                'anything',  'cards, money, errors'),
  row('server/src/wallets/accounts',        'domain/src',                                'anything',  'limits, sides, wallets'),
  row('server/src/wallets/accounts',        'server/src/contracts',                      'types',     'it implements a port; what the store keeps of wallets'),
  row('server/src/wallets/accounts',        'server/src/store',                          'anything',  'records and keys are rows'),
  row('server/src/wallets/accounts',        'server/src/vault/port.ts',                  'anything',  'private keys are sealed'),
  row('server/src/wallets/accounts',        'server/src/wallets/tokens',                 'anything',  'keys, certificates and trust'),
  row('server/src/wallets/accounts',        'server/src/process/startup-error.ts',       'anything',  'a trust anchor that cannot be used stops the start'),
  row('server/src/wallets/accounts',        'server/src/process/config.ts',              'types',     'where trust comes from'),
  row('server/src/wallets/accounts',        'server/src/assembly/process-context.ts',         'types',     'what it is assembled from'),
  row('server/src/wallets/accounts',        'server/src/mail/mail.ts',                   'types',     'mail waits in a queue'),
  row('server/src/wallets/setup',           'domain/src',                                'anything',  'limits, countries, wallets'),
  row('server/src/wallets/setup',           'server/src/contracts',                      'types',     'what the store keeps of wallets'),
  row('server/src/wallets/setup',           'server/src/setup',                          'types',     'who changes a merchant, and with what'),
  row('server/src/wallets/setup',           'server/src/store',                          'anything',  'a change of configuration is rows, not a decision'),
  row('server/src/wallets/setup',           'server/src/vault/port.ts',                  'anything',  'it seals what it writes'),
  row('server/src/wallets/setup',           'server/src/vault/vault-error.ts',           'anything',  'a key that does not open is a finding'),
  row('server/src/wallets/setup',           'server/src/wallets/accounts',               'anything',  'states and rotations of wallets'),
  row('server/src/wallets/setup',           'server/src/wallets/tokens',                 'anything',  'keys and certificates are checked when they are entered'),

  row('server/src/setup',                   'domain/src',                                'anything',  'merchants and MIDs'),
  row('server/src/setup',                  'server/src/contracts/value-faults.ts',      'anything',  'faults of rules are said in our own sentences'),
  row('server/src/setup',                   'server/src/contracts',                      'types',     'clock and ids'),
  row('server/src/setup',                   'server/src/store',                          'anything',  'a change of configuration is rows, not a decision'),
  row('server/src/setup',                   'server/src/vault/port.ts',                  'anything',  'it seals what it writes'),

  row('server/src/protocols',               'domain/src',                                'anything',  'formats, signatures, errors, report fields'),
  row('server/src/protocols',               'server/src/payments',                       'anything',  'what a request asks for'),
  row('server/src/protocols',               'server/src/contracts',                      'types',     'configuration, clock, idempotency, sessions, payments'),
  row('server/src/protocols',               'server/src/contracts/refused-error.ts',     'anything',  'it renders them'),
  row('server/src/protocols',               'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  row('server/src/protocols',               'server/src/network',                        'anything',  'addresses of callers'),
  row('server/src/protocols',               'server/src/vault/port.ts',                  'anything',  'keys of session tokens are sealed'),
  row('server/src/protocols',               'server/src/connectors/connector.ts',        'types',     'data that is passed on to an acquirer'),
  row('server/src/protocols',               'server/src/observe',                        'anything',  'what a request’s log line may say'),
  row('server/src/protocols',               'server/src/wallets/tokens/token-shape.ts',  'anything',  'what is no token at all is no valid parameter'),
  row('server/src/protocols',               'server/src/overload/gate.ts',               'types',     'a request waits for its turn'),
  row('server/src/protocols/admin/api',     'domain/src',                                'anything',  'tables that it shows and formats that it takes'),
  row('server/src/protocols/admin/api',    'server/src/contracts/value-faults.ts',      'anything',  'faults of fields are said in our own sentences'),
  row('server/src/protocols/admin/api',     'server/src/panel',                          'anything',  'what a request asks for'),
  row('server/src/protocols/admin/api',     'server/src/network',                        'anything',  'addresses of callers'),
  row('server/src/protocols/admin/api',     'server/src/observe',                        'anything',  'what a request’s log line may say'),
  row('server/src/protocols/admin/api',     'server/src/contracts/refused-error.ts',     'anything',  'it renders them'),
  row('server/src/protocols/admin/api',     'server/src/process/release.ts',             'anything',  'the version of the API'),
  row('server/src/protocols/admin/api',     'server/src/store/people',                   'types',     'what is shown of a user'),

  row('server/src/overload',                'domain/src',                                'anything',  'limits and the refusal'),
  row('server/src/overload',                'server/src/contracts',                      'types',     'acquirers and the log'),
  row('server/src/overload',                'server/src/contracts/refused-error.ts',     'anything',  'what there is no room for is refused'),
  row('server/src/overload',                'server/src/three-ds/mpi.ts',                'types',     'who is waited for'),
  row('server/src/overload',                'server/src/payments/index.ts',              'types',     'what payers do'),

  row('server/src/mail',                    'domain/src',                                'anything',  'limits and secrets'),

  row('server/src/due',                     'domain/src',                                'anything',  'limits and signatures'),
  row('server/src/due',                     'server/src/payments',                       'anything',  'due work is a command that no request gave'),
  row('server/src/due',                     'server/src/contracts',                      'types',     'claims and clocks, and what is looked at'),
  row('server/src/due',                     'server/src/network',                        'anything',  'requests to addresses that others chose'),
  row('server/src/due',                     'server/src/wallets/accounts',               'anything',  'states, plans and alarms of wallets'),
  row('server/src/due',                     'server/src/wallets/tokens/trust.ts',        'types',     'trust anchors'),
  row('server/src/due',                     'server/src/mail/mail.ts',                   'types',     'mail that waits, and its sender'),

  row('server/src/observe',                 'domain/src',                                'anything',  'what looks like a card number'),
  row('server/src/observe',                 'server/src/contracts',                      'types',     'it implements the log'),

  row('server/src/health',                  'domain/src',                                'anything',  'limits of what is well'),
  row('server/src/health',                  'server/src/contracts',                      'types',     'log and alerts'),
  row('server/src/health',                  'server/src/process',                        'anything',  'the machine’s own time; a clock that is far off stops a live start'),
  row('server/src/health',                  'server/src/store',                          'anything',  'it writes, and asks the database for its time'),

  row('server/src/recovery',                'server/src/contracts',                      'types',     'the clock and the log, and the port it implements'),
  row('server/src/recovery',                'server/src/store',                          'anything',  'the state of the instance and its pulse'),

  row('server/src/live-guard',              'server/src/process/config.ts',              'types',     'settings are what most checks look at'),
  row('server/src/live-guard',              'server/src/process/startup-error.ts',       'anything',  'an unsafe start is refused'),
  row('server/src/live-guard',              'server/src/network',                        'anything',  'what is public is decided in one place'),
  row('server/src/live-guard',              'server/src/store',                          'anything',  'MIDs and settings of the server'),
  row('server/src/live-guard',              'server/src/vault/port.ts',                  'anything',  'addresses stand in sealed credentials'),

  row('server/src/panel',                   'domain/src',                                'anything',  'merchants, mappings, money and secrets'),
  row('server/src/panel',                  'server/src/contracts/value-faults.ts',      'anything',  'faults of credentials are said in our own sentences'),
  row('server/src/panel',                   'server/src/setup',                          'anything',  'the panel changes things as the command line does'),
  row('server/src/panel',                   'server/src/wallets/setup',                  'anything',  'the panel changes wallets as the command line does'),
  row('server/src/panel',                   'server/src/wallets/accounts',               'anything',  'registrars, recipients and files of wallets'),
  row('server/src/panel',                   'server/src/payments',                       'anything',  'commands on payments'),
  row('server/src/panel',                   'server/src/store',                          'anything',  'users, sessions and the audit log are rows'),
  row('server/src/panel',                   'server/src/vault/port.ts',                  'anything',  'second factors are sealed'),
  row('server/src/panel',                   'server/src/connectors',                     'anything',  'what a connector offers and asks for'),
  row('server/src/panel',                   'server/src/live-guard',                     'anything',  'what a live instance refuses and shows'),
  row('server/src/panel',                   'server/src/network',                        'types',     'which acquirers a live instance may reach'),
  row('server/src/panel',                   'server/src/observe/mask.ts',                'anything',  'a card number in a text is masked before it is kept'),
  row('server/src/panel',                   'server/src/contracts',                      'types',     'clock, ids and log; payments, wallets, free-form data'),
  row('server/src/panel',                   'server/src/contracts/refused-error.ts',     'anything',  'a refusal of one of many is a result'),
  row('server/src/panel',                   'server/src/process/startup-error.ts',       'anything',  'a limit that cannot be read stops the start'),
  row('server/src/panel',                   'server/src/process/release.ts',             'anything',  'health shows it'),
  row('server/src/panel',                   'server/src/process/clock.ts',               'types',     'the clock that a sandbox moves'),
  row('server/src/panel',                   'server/src/assembly/process-context.ts',         'types',     'what it is assembled from'),

  row('server/src/demo',                    'domain/src',                                'anything',  'its first payment is signed like any other'),
  row('server/src/demo',                    'server/src/panel',                          'anything',  'the demo has a login'),
  row('server/src/demo',                    'server/src/setup',                          'anything',  'the demo is made as an operator would make it'),
  row('server/src/demo',                    'server/src/wallets/setup',                  'anything',  'a key as a merchant would enter it'),
  row('server/src/demo',                    'server/src/contracts',                      'types',     'the log, and options as they are stored'),
  row('server/src/demo',                    'server/src/store',                          'anything',  'whether it was furnished before'),
  row('server/src/demo',                    'server/src/vault/port.ts',                  'anything',  'credentials are sealed'),
  row('server/src/demo',                    'server/src/process/startup-error.ts',       'anything',  'a sandbox that does not start stops the start'),

  row('server/src/assembly',                'server/src',                                'anything',  'it assembles the ground floor, the workers and what joins them'),
  row('server/src/assembly',                'domain/src',                                'anything',  'how long each kind of data is kept'),
  row('server/src/app.ts',                  'server/src',                                'anything',  'it builds the app'),
  row('server/src/app.ts',                  'domain/src',                                'anything',  'the answer to an unknown address'),
  row('server/src/admin-app.ts',            'server/src',                                'anything',  'it builds the app of the panel'),
  row('server/src/wiring.ts',               'server/src',                                'anything',  'the only place of assembly'),
  row('server/src/main.ts',                 'server/src',                                'anything',  'it starts everything'),

  row('sandbox',                          'domain/src/json.ts',                        'anything',  'what a JSON object is, both companies agree on'),
  row('sandbox',                          'domain/src/card.ts',                        'anything',  'what a card number is, both companies agree on'),
  row('sandbox',                          'domain/src/money/money.ts',                 'anything',  'what an amount is, both companies agree on'),
  row('sandbox',                          'domain/src/qr',                             'anything',  'the shop shows its code as the panel shows that of an authenticator'),
  row('sandbox',                          'domain/src/money/currencies.ts',            'anything',  'what a unit of crypto money is, both companies agree on'),

  row('web',                              'domain/src/json.ts',                        'anything',  'the page reads what the server sent'),
  row('web',                              'domain/src/card.ts',                        'anything',  'the page checks what the server checks'),
  row('web',                              'domain/src/money/money.ts',                 'anything',  'the page shows what the server counts'),
  row('web',                              'domain/src/checkout/colour.ts',             'anything',  'the page chooses the letters that the server counted on'),
  row('web',                              'domain/src/place/language.ts',              'anything',  'the same list of languages'),
  row('web/admin',                        'web/kit',                                   'anything',  'fields with label, hint and error'),
  row('web/admin',                        'domain/src',                                'anything',  'the panel shows the tables of the code'),

  row('cli',                              'domain/src',                                'anything',  'tables that it shows and signatures that it explains'),
  row('cli',                              'server/src',                                'anything',  'it is one more process on the same database'),
  row('cli/test',                         'cli',                                       'anything',  'a test brings the parts together'),
  row('cli/test',                         'server/src',                                'anything',  'a test brings the parts together'),
  row('cli/test',                         'server/test',                               'anything',  'the database of the tests'),

  row('server/test',                      'tools/build-web.ts',                        'anything',  'pages are built in a test as before a start'),
  row('server/test',                      'web/admin/pages/page-table.ts',             'anything',  'every page of the table is looked at'),
  row('server/test',                      'domain/src',                                'anything',  'a test brings the parts together'),
  row('server/test',                      'server/src',                                'anything',  'a test brings the parts together'),
  row('server/test',                      'sandbox',                                   'anything',  'what the wallets’ company mints, the gateway opens'),
  row('campaigns',                        'domain/src',                                'anything',  'a merchant signs'),
  row('campaigns',                        'server/src',                                'anything',  'the stage is furnished like a demo'),
  row('campaigns',                        'server/test',                               'anything',  'the database of the tests'),
  row('campaigns',                        'cli',                                       'anything',  'the negative cases are those of the wallet matrix command'),
  row('bench',                            'server/src',                                'anything',  'what is measured'),
  row('bench',                            'server/test',                               'anything',  'the database of the tests'),
  row('bench',                            'campaigns',                                 'anything',  'the stage'),
  row('tools',                            'campaigns/patch.ts',                        'anything',  'mutants are planted as campaigns plant their faults'),
  row('tools',                            'domain/src',                                'anything',  'the documentation is written from the tables'),
  row('tools',                            'server/src',                                'anything',  'the documentation is written from the tables'),
  row('tools',                            'server/test',                               'anything',  'the database of the tests'),
  row('tools',                            'cli',                                       'anything',  'the names of the formulas are those of the sign command'),
]

/** The folder or file whose rules a file follows; null when nobody has thought of it yet. */
export function areaOf(path: string): string | null {
  const areas = importTable.map(({ from }) => from).filter((from) => within(path, from))
  return areas.toSorted((a, b) => b.length - a.length)[0] ?? null
}

export function mayImport(from: string, to: string, what: 'loading' | 'later' | 'types'): boolean {
  const area = areaOf(from)
  if (area === null) return false
  if (within(to, area)) return true
  return importTable.some((rule) => rule.from === area && permits(rule, to, what))
}

export const permits = (rule: ImportRule, to: string, what: 'loading' | 'later' | 'types'): boolean =>
  within(to, rule.to) && (rule.what === 'anything' || what === 'types')

export const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
