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
        row(
          paymentFolder(from),
          paymentFolder(to),
          to === 'request' ? 'types' : 'anything',
          'a payment passes the folders in this order',
        ),
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
const refusingFolders = ['sessions', 'commands', 'attempt', 'methods', 'routing']
const changingFolders = ['sessions', 'commands', 'outcome']
const withPayer = ['commands', 'attempt', 'request']
const connectorUsers = everyFolder.filter((folder) => folder !== 'sessions')

// biome-ignore format: a table is read in columns.
export const importTable: readonly ImportRule[] = [
  //  folder or file                        may import                                   of it        because
  row('domain/src',                         'domain/src',                                'anything',  'pure: imports nothing else'),

  row('server/src/contracts',               'domain/src',                                'types',     'ports and records use types of the domain'),
  row('server/src/contracts',               'server/src/connectors/connector.ts',        'types',     'the contract of acquirers; reports are stored unchanged'),
  row('server/src/contracts',               'server/src/wallets/tokens/account.ts',      'types',     'the wallets of merchants'),
  row('server/src/contracts',               'server/src/wallets/tokens/opened-token.ts', 'types',     'the checks of a token are stored with its payment'),
  row('server/src/contracts/refused-error.ts', 'domain/src/errors.ts',                   'anything',  'carries a refusal of the error catalogue'),

  row('server/src/network',                 'server/src/network',                        'anything',  'public addresses and address lists'),

  row('server/src/process',                 'domain/src',                                'anything',  'limits of settings, secrets'),
  row('server/src/process',                 'server/src/contracts/value-faults.ts',      'anything',  'texts for invalid settings'),
  row('server/src/process',                 'server/src/contracts',                      'types',     'clock and ids implement ports'),
  row('server/src/process',                 'server/src/observe/tracing/trace-settings.ts', 'anything', 'the settings of traces'),
  row('server/src/process',                 'server/src/network',                        'anything',  'some settings are lists of addresses'),

  ...oneWay,
  ...inFolders(everyFolder,                 'domain/src',                                'anything',  'the rules that decide'),
  ...inFolders(everyFolder,                 'server/src/contracts',                      'types',     'ports to everything outside'),
  ...inFolders(refusingFolders,                    'server/src/contracts/refused-error.ts',     'anything',  'throws refusals, which a protocol renders'),
  row(paymentFolder('sessions'),            'server/src/payments/request',               'anything',  'defaults of requests'),
  ...inFolders(changingFolders,                    'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  ...inFolders(connectorUsers,              'server/src/connectors/connector.ts',        'types',     'orders and outcomes'),
  ...inFolders(withPayer,                   'server/src/three-ds/mpi.ts',                'types',     'the port of the MPI service'),
  row('server/src/payments/methods',        'server/src/wallets/tokens',                 'anything',  'checks and decrypts tokens'),
  row('server/src/payments/request',        'server/src/vault/port.ts',                  'types',     'the port of the vault'),
  row('server/src/payments/index.ts',       'server/src/payments',                       'anything',  'the public functions of payments'),
  row('server/src/payments/index.ts',       'domain/src',                                'types',     'types of the public functions'),
  row('server/src/payments/index.ts',       'server/src/contracts',                      'types',     'types of the public functions'),
  row('server/src/payments/index.ts',       'server/src/connectors/connector.ts',        'types',     'types of the public functions'),

  row('server/src/payments/commands',       'server/src/connectors/notification.ts',     'types',     'what an acquirer reports by calling us'),
  row('server/src/payments/index.ts',       'server/src/connectors/notification.ts',     'types',     'what an acquirer reports by calling us'),
  row('server/src/protocols',               'server/src/connectors/notification.ts',     'types',     'what an acquirer reports by calling us'),
  row('server/src/payments/commands',       'server/src/connectors/disputes',            'anything',  'an answer to a dispute that failed is an outcome'),
  row('server/src/payments/commands',       'server/src/connectors/merchant-reference.ts', 'anything',  'an event names its transaction by the end of its id'),
  row('server/src/connectors',              'domain/src',                                'anything',  'money, cards and decline classes'),
  row('server/src/connectors',              'server/src/contracts',                      'types',     'implements ports'),
  row('server/src/connectors',              'server/src/contracts/value-faults.ts',      'anything',  'texts for stored credentials that do not fit'),
  row('server/src/connectors/iso8583',      'server/src/contracts/value-faults.ts',      'anything',  'texts for an invalid dialect'),
  row('server/src/connectors/iso8583',      'server/src/contracts/test-cards.ts',        'types',     'its test cards'),
  row('server/src/connectors/iso8583',      'server/src/connectors',                     'anything',  'the contract and the lines'),
  row('server/src/connectors/iso8583',      'domain/src',                                'anything',  'decline classes'),
  row('server/src/connectors',              'server/src/vault/port.ts',                  'anything',  'a MID’s credentials are sealed'),

  row('server/src/mid-health',              'domain/src',                                'anything',  'breakers and limits'),
  row('server/src/mid-health',              'server/src/contracts',                      'types',     'implements a port; uses the clock'),
  row('server/src/mid-health',              'server/src/connectors/connector.ts',        'types',     'outcomes of exchanges'),
  row('server/src/mid-health',              'server/src/store/configuration',            'anything',  'state shared by processes'),
  row('server/src/mid-health',              'server/src/assembly/process-context.ts',    'types',     'the process context'),

  row('server/src/three-ds',                'domain/src',                                'anything',  'the 3DS attributes'),
  row('server/src/three-ds',                'server/src/contracts',                      'types',     'the log, and data stored until the payer returns'),
  row('server/src/three-ds',                'server/src/connectors/connector.ts',        'types',     'card data and authentication results'),

  row('server/src/vault',                   'domain/src',                                'anything',  'secrets'),
  row('server/src/vault',                   'server/src/contracts',                      'types',     'the clock'),
  row('server/src/vault',                   'server/src/process/startup-error.ts',       'anything',  'a wrong key prevents the start'),

  row('server/src/store',                   'domain/src',                                'anything',  'the domain parses mappings and limits'),
  row('server/src/store',                   'server/src/contracts',                      'types',     'implements ports; maps rows to records'),
  row('server/src/store',                   'server/src/wallets/tokens/opened-token.ts', 'types',     'the record of a token’s checks'),
  row('server/src/store',                   'server/src/mail/mail.ts',                   'types',     'queued mail is rows'),
  row('server/src/store',                   'server/src/connectors/connector.ts',        'types',     'acquirers’ reports are stored unchanged'),
  row('server/src/store',                   'server/src/vault/port.ts',                  'anything',  'sealed columns and their scopes'),
  row('server/src/store',                   'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  row('server/src/store',                   'server/src/process/programs/is-alive.ts',   'anything',  'removes what processes left that have ended'),
  row('server/src/store',                   'server/src/process/startup-error.ts',       'anything',  'an unusable database prevents the start'),
  row('server/src/store',                   'server/src/process/command-name.ts',        'anything',  'an old schema names the command that migrates it'),

  row('server/src/wallets/tokens',          'domain/src',                                'anything',  'cards, money, errors'),
  row('server/src/wallets/accounts',        'domain/src',                                'anything',  'limits, modes, wallets'),
  row('server/src/wallets/accounts',        'server/src/contracts',                      'types',     'implements a port; records of wallets'),
  row('server/src/wallets/accounts',        'server/src/store',                          'anything',  'reads and writes records and keys'),
  row('server/src/wallets/accounts',        'server/src/vault/port.ts',                  'anything',  'private keys are sealed'),
  row('server/src/wallets/accounts',        'server/src/wallets/tokens',                 'anything',  'keys, certificates and trust'),
  row('server/src/wallets/accounts',        'server/src/process/startup-error.ts',       'anything',  'an unusable trust anchor prevents the start'),
  row('server/src/wallets/accounts',        'server/src/process/file-fault.ts',          'anything',  'why a file of trust anchors cannot be read'),
  row('server/src/wallets/accounts',        'server/src/process/config.ts',              'types',     'the source of trust anchors'),
  row('server/src/wallets/accounts',        'server/src/assembly/process-context.ts',    'types',     'the process context'),
  row('server/src/wallets/accounts',        'server/src/mail/mail.ts',                   'types',     'queues mail'),
  row('server/src/wallets/setup',           'domain/src',                                'anything',  'limits, countries, wallets'),
  row('server/src/wallets/setup',           'server/src/contracts',                      'types',     'records of wallets'),
  row('server/src/wallets/setup',           'server/src/setup',                          'types',     'the context of a change'),
  row('server/src/wallets/setup',           'server/src/store',                          'anything',  'writes configuration'),
  row('server/src/wallets/setup',           'server/src/vault/port.ts',                  'anything',  'encrypts secrets'),
  row('server/src/wallets/setup',           'server/src/vault/vault-error.ts',           'anything',  'reports a key that cannot be decrypted'),
  row('server/src/wallets/setup',           'server/src/wallets/accounts',               'anything',  'states and rotations of wallets'),
  row('server/src/wallets/setup',           'server/src/wallets/tokens',                 'anything',  'checks entered keys and certificates'),

  row('server/src/setup',                   'domain/src',                                'anything',  'merchants and MIDs'),
  row('server/src/setup',                   'server/src/contracts/value-faults.ts',      'anything',  'texts for invalid rules'),
  row('server/src/setup',                   'server/src/contracts',                      'types',     'clock and ids'),
  row('server/src/setup',                   'server/src/store',                          'anything',  'writes configuration'),
  row('server/src/setup',                   'server/src/vault/port.ts',                  'anything',  'encrypts secrets'),

  row('server/src/protocols',               'domain/src',                                'anything',  'formats, signatures, errors, report fields'),
  row('server/src/protocols',               'server/src/payments',                       'anything',  'executes requests'),
  row('server/src/protocols',               'server/src/contracts',                      'types',     'configuration, clock, idempotency, sessions, payments'),
  row('server/src/protocols',               'server/src/contracts/refused-error.ts',     'anything',  'renders refusals'),
  row('server/src/protocols',               'server/src/process/current-write.ts',       'anything',  'a change that another process overtook is decided again'),
  row('server/src/protocols',               'server/src/network',                        'anything',  'addresses of callers'),
  row('server/src/protocols',               'server/src/vault/port.ts',                  'anything',  'keys of session tokens are sealed'),
  row('server/src/protocols',               'server/src/connectors/connector.ts',        'types',     'data that is passed on to an acquirer'),
  row('server/src/protocols',               'server/src/observe',                        'anything',  'fields of a request’s log line'),
  row('server/src/protocols',               'server/src/wallets/tokens/token-shape.ts',  'anything',  'validates the format of tokens'),
  row('server/src/protocols',               'server/src/overload/gate.ts',               'types',     'admission of requests'),
  row('server/src/protocols/admin/api',     'domain/src',                                'anything',  'tables to show and formats to parse'),
  row('server/src/protocols/admin/api',     'server/src/contracts/value-faults.ts',      'anything',  'texts for invalid fields'),
  row('server/src/protocols/admin/api',     'server/src/panel',                          'anything',  'executes requests'),
  row('server/src/protocols/admin/api',     'server/src/protocols/service/body-time.ts', 'anything',  'an upload takes longer than other bodies'),
  row('server/src/protocols/admin/api',     'server/src/network',                        'anything',  'addresses of callers'),
  row('server/src/protocols/admin/api',     'server/src/observe',                        'anything',  'fields of a request’s log line'),
  row('server/src/protocols/admin/api',     'server/src/contracts/refused-error.ts',     'anything',  'renders refusals'),
  row('server/src/protocols/admin/api',     'server/src/process/release.ts',             'anything',  'the version of the API'),
  row('server/src/protocols/admin/api',     'server/src/store/people',                   'types',     'fields of a user'),

  row('server/src/overload',                'domain/src',                                'anything',  'limits and the refusal'),
  row('server/src/overload',                'server/src/contracts',                      'types',     'ports of acquirers and the log'),
  row('server/src/overload',                'server/src/contracts/refused-error.ts',     'anything',  'refuses requests under overload'),
  row('server/src/overload',                'server/src/three-ds/mpi.ts',                'types',     'the port of the MPI service'),
  row('server/src/overload',                'server/src/payments/index.ts',              'types',     'actions of payers'),

  row('server/src/mail',                    'domain/src',                                'anything',  'limits and secrets'),

  row('server/src/due',                     'domain/src',                                'anything',  'limits and signatures'),
  row('server/src/due',                     'server/src/payments',                       'anything',  'runs due commands'),
  row('server/src/due',                     'server/src/contracts',                      'types',     'claims, clocks and records'),
  row('server/src/due',                     'server/src/network',                        'anything',  'checks addresses given by merchants'),
  row('server/src/due',                     'server/src/wallets/accounts',               'anything',  'states, rotations and alerts of wallets'),
  row('server/src/due',                     'server/src/wallets/tokens/trust.ts',        'types',     'trust anchors'),
  row('server/src/due',                     'server/src/mail/mail.ts',                   'types',     'sends queued mail'),

  row('server/src/observe',                 'domain/src',                                'anything',  'recognises card numbers'),
  row('server/src/observe',                 'server/src/contracts',                      'types',     'implements the log'),

  row('server/src/health',                  'domain/src',                                'anything',  'limits of health checks'),
  row('server/src/health',                  'server/src/contracts',                      'types',     'log and alerts'),
  row('server/src/health',                  'server/src/process',                        'anything',  'system time; a wrong clock prevents a live start'),
  row('server/src/health',                  'server/src/store',                          'anything',  'tests writes, reads the database’s time'),

  row('server/src/recovery',                'server/src/process/command-name.ts',        'anything',  'the notice names the commands that end a recovery'),
  row('server/src/recovery',                'server/src/contracts',                      'types',     'the clock, the log and the implemented port'),
  row('server/src/recovery',                'server/src/store',                          'anything',  'state and heartbeat of the instance'),

  row('server/src/live-guard',              'server/src/connectors',                     'anything',  'knows to which addresses a MID sends'),
  row('server/src/live-guard',              'domain/src/mapping.ts',                     'anything',  'checks the options of protocol mappings'),
  row('server/src/live-guard',              'server/src/process/config.ts',              'types',     'checks settings'),
  row('server/src/live-guard',              'server/src/process/startup-error.ts',       'anything',  'refuses an unsafe start'),
  row('server/src/live-guard',              'server/src/process/command-name.ts',        'anything',  'a refusal names the command that checks again'),
  row('server/src/live-guard',              'server/src/network',                        'anything',  'recognises public addresses'),
  row('server/src/live-guard',              'server/src/store',                          'anything',  'reads MIDs and settings of the server'),
  row('server/src/live-guard',              'server/src/vault/port.ts',                  'anything',  'decrypts credentials, which contain addresses'),

  row('server/src/panel',                   'domain/src',                                'anything',  'merchants, mappings, money and secrets'),
  row('server/src/panel',                   'server/src/contracts/value-faults.ts',      'anything',  'texts for invalid credentials'),
  row('server/src/panel',                   'server/src/setup',                          'anything',  'same changes as the command line'),
  row('server/src/panel',                   'server/src/wallets/setup',                  'anything',  'same changes as the command line'),
  row('server/src/panel',                   'server/src/wallets/accounts',               'anything',  'registrars, recipients and files of wallets'),
  row('server/src/panel',                   'server/src/payments',                       'anything',  'commands on payments'),
  row('server/src/panel',                   'server/src/store',                          'anything',  'users, sessions and the audit log are rows'),
  row('server/src/panel',                   'server/src/vault/port.ts',                  'anything',  'second factors are sealed'),
  row('server/src/panel',                   'server/src/connectors',                     'anything',  'capabilities and credentials of connectors'),
  row('server/src/panel',                   'server/src/live-guard',                     'anything',  'checks of a live instance'),
  row('server/src/panel',                   'server/src/network',                        'types',     'which acquirers a live instance may reach'),
  row('server/src/panel',                   'server/src/observe/mask.ts',                'anything',  'masks card numbers in texts before they are stored'),
  row('server/src/panel',                   'server/src/contracts',                      'types',     'clock, ids and log; payments, wallets, free-form data'),
  row('server/src/panel',                   'server/src/contracts/refused-error.ts',     'anything',  'refusals of batch items are results'),
  row('server/src/panel',                   'server/src/process/startup-error.ts',       'anything',  'an invalid limit prevents the start'),
  row('server/src/panel',                   'server/src/process/release.ts',             'anything',  'health shows the release'),
  row('server/src/panel',                   'server/src/process/single-sign-on-settings.ts', 'types',     'the identity provider'),
  row('server/src/panel',                   'server/src/process/clock.ts',               'anything',  'the test clock of a sandbox, and the time of the machine beside it'),
  row('server/src/panel',                   'server/src/assembly/process-context.ts',    'types',     'the process context'),

  row('server/src/demo',                    'domain/src',                                'anything',  'signs its first payment'),
  row('server/src/demo',                    'server/src/process/programs',               'anything',  'starts programs of the sandbox'),
  row('server/src/demo',                    'server/src/panel',                          'anything',  'creates the demo user'),
  row('server/src/demo',                    'server/src/setup',                          'anything',  'creates the demo as an operator would'),
  row('server/src/demo',                    'server/src/wallets/setup',                  'anything',  'enters a wallet key as a merchant would'),
  row('server/src/demo',                    'server/src/contracts',                      'types',     'the log, and options as they are stored'),
  row('server/src/demo',                    'server/src/store',                          'anything',  'whether the demo data exists'),
  row('server/src/demo',                    'server/src/vault/port.ts',                  'anything',  'credentials are sealed'),
  row('server/src/demo',                    'server/src/process/startup-error.ts',       'anything',  'a sandbox that fails prevents the start'),

  row('server/src/assembly',                'server/src',                                'anything',  'assembles contexts and workers'),
  row('server/src/assembly',                'domain/src',                                'anything',  'retention periods'),
  row('server/src/app.ts',                  'server/src',                                'anything',  'builds the app'),
  row('server/src/app-parts.ts',            'server/src',                                'types',     'what the apps are built from'),
  row('server/src/empty-app.ts',            'server/src',                                'anything',  'what all apps have in common'),
  row('server/src/empty-app.ts',            'domain/src',                                'anything',  'the response to an unknown path'),
  row('server/src/panel-app.ts',            'server/src',                                'anything',  'loads the panel into an app'),
  row('server/src/admin-app.ts',            'server/src',                                'anything',  'builds the app of the panel'),
  row('server/src/wiring.ts',               'server/src',                                'anything',  'the only place of assembly'),
  row('server/src/main.ts',                 'server/src',                                'anything',  'starts everything'),
  row('server/src/start',                   'server/src',                                'anything',  'prepares an instance, starts and ends its processes'),
  row('server/src/start',                   'domain/src/error-code.ts',                  'anything',  'why a port cannot be opened'),

  row('sandbox',                          'domain/src/json.ts',                        'anything',  'common definition of a JSON object'),
  row('sandbox',                          'domain/src/time.ts',                        'anything',  'common definition of a day'),
  row('sandbox',                          'domain/src/uuid.ts',                        'anything',  'common definition of an identifier'),
  row('sandbox',                          'domain/src/card.ts',                        'anything',  'common definition of a card number'),
  row('sandbox',                          'domain/src/money/money.ts',                 'anything',  'common definition of an amount'),
  row('sandbox',                          'domain/src/qr',                             'anything',  'draws QR codes'),
  row('sandbox',                          'domain/src/money/currencies.ts',            'anything',  'common definition of crypto units'),
  row('sandbox',                          'domain/src/money/currency-number.ts',       'anything',  'common definition of ISO 4217 numbers'),

  row('web',                              'domain/src/json.ts',                        'anything',  'parses responses of the server'),
  row('web',                              'domain/src/card.ts',                        'anything',  'same checks as the server'),
  row('web',                              'domain/src/checkout/colour.ts',             'anything',  'same contrast rule as the server'),
  row('web',                              'domain/src/checkout/person-name.ts',        'anything',  'same rule for names as the server'),
  row('web',                              'domain/src/network-names.ts',               'anything',  'same names as the server’s sentences'),
  row('web',                              'domain/src/place/language.ts',              'anything',  'the same list of languages'),
  row('web',                              'domain/src/place/languages',                'types',     'the names of the texts of the hosted page'),
  row('web/admin',                        'web/kit',                                   'anything',  'fields with label, hint and error'),
  row('web/admin',                        'web/sdk/hosted-fields.ts',                  'anything',  'the virtual terminal uses the card fields of merchants’ pages'),
  row('web/admin',                        'domain/src',                                'anything',  'shows tables of the domain'),

  row('cli',                              'domain/src',                                'anything',  'tables and signatures'),
  row('cli',                              'client/typescript',                         'anything',  'the same events as the entry for remote instances'),
  row('cli',                              'server/src',                                'anything',  'a command is one more process on the database'),
  row('cli/test',                         'cli',                                       'anything',  'tests combine all parts'),
  row('cli/test',                         'server/src',                                'anything',  'tests combine all parts'),
  row('cli/test',                         'server/test',                               'anything',  'the database of the tests'),
  row('cli/test',                         'sandbox/acquirers',                         'anything',  'commands ask stand-ins'),
  row('cli/test',                         'sandbox/kit/program.ts',                    'anything',  'starts the stand-ins'),

  row('client',                           'client',                                    'anything',  'libraries for merchants: imports nothing of the gateway'),

  row('examples',                         'client/typescript/src/index.ts',            'anything',  'shops of merchants: they have the client and nothing else'),

  row('server/test',                      'tools/build-web.ts',                        'anything',  'builds the pages as a start does'),
  row('server/test',                      'tools/testing/full-run.ts',                 'anything',  'leaves variants to full runs'),
  row('server/test',                      'tools/testing/moments.ts',                  'anything',  'shifts the time of its databases'),
  row('server/test',                      'tools/site/page-table.ts',                  'anything',  'tests every page of the documentation'),
  row('server/test',                      'web/admin/pages/page-table.ts',             'anything',  'tests every page of the table'),
  row('server/test',                      'domain/src',                                'anything',  'tests combine all parts'),
  row('server/test',                      'server/src',                                'anything',  'tests combine all parts'),
  row('server/test',                      'sandbox',                                   'anything',  'the gateway decrypts the simulator’s tokens'),
  row('campaigns',                        'domain/src',                                'anything',  'signs requests'),
  row('campaigns',                        'server/src',                                'anything',  'prepares a stage like the demo'),
  row('campaigns',                        'server/test',                               'anything',  'the database of the tests'),
  row('campaigns',                        'cli',                                       'anything',  'same negative cases as the wallet matrix command'),
  row('campaigns',                        'tools/testing/full-run.ts',                 'anything',  'chooses its size'),
  row('campaigns',                        'tools/command-line.ts',                     'anything',  'usage and options like every program'),
  row('bench',                            'tools/command-line.ts',                     'anything',  'usage and options like every program'),
  row('bench',                            'server/src',                                'anything',  'what is measured'),
  row('bench',                            'server/test',                               'anything',  'the database of the tests'),
  row('bench',                            'campaigns',                                 'anything',  'the stage'),
  row('bench',                            'client',                                    'anything',  'what integrators use'),
  row('bench',                            'web/docs/search.ts',                        'anything',  'what integrators use'),
  row('bench',                            'tools/site',                                'anything',  'the pages that are searched'),
  row('bench',                            'domain/src/time.ts',                        'anything',  'common definition of a day'),
  row('tools',                            'campaigns/patch.ts',                        'anything',  'plants mutants as campaigns plant faults'),
  row('tools',                            'campaigns/campaign.ts',                     'anything',  'kills the helper of the family prism with its package'),
  row('tools',                            'campaigns/crash/helper-points.ts',          'anything',  'kills the helper of the family prism with its package'),
  row('tools',                            'campaigns/stage/random.ts',                 'anything',  'kills the helper of the family prism with its package'),
  row('tools',                            'domain/src',                                'anything',  'generates documentation from tables'),
  row('tools',                            'server/src',                                'anything',  'generates documentation from tables'),
  row('tools',                            'sandbox',                                   'anything',  'pays over the stand-ins of the family prism'),
  row('tools',                            'server/test',                               'anything',  'the database of the tests'),
  row('tools',                            'cli',                                       'anything',  'same formula names as the sign command'),
]

/** The folder or file whose rules a file follows; null if the table has no row for it. */
export function areaOf(path: string): string | null {
  return areas.find((area) => within(path, area)) ?? null
}

const areas = [...new Set(importTable.map(({ from }) => from))].toSorted((a, b) => b.length - a.length)

export function mayImport(from: string, to: string, what: 'loading' | 'later' | 'types'): boolean {
  const area = areaOf(from)
  if (area === null) return false
  if (within(to, area)) return true
  return importTable.some((rule) => rule.from === area && permits(rule, to, what))
}

export const permits = (rule: ImportRule, to: string, what: 'loading' | 'later' | 'types'): boolean =>
  within(to, rule.to) && (rule.what === 'anything' || what === 'types')

export const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
