/**
 * Who may import whom. Data flows one way, protocol → operation → domain → store and connector → callback, and this table is what
 * keeps it so. A folder may always import itself; everything else needs a row, and a row needs a reason.
 *
 * `types` rows leave nothing at run time: they are how the parts agree on words without knowing each other's code.
 */
export interface ImportRule {
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

// biome-ignore format: a table is read in columns.
export const importTable: readonly ImportRule[] = [
  //  folder or file                  may import                             of it        because
  row('domain/src',                   'domain/src',                          'anything',  'it is pure, and knows nothing else'),

  row('server/src/contracts/json.ts',           'server/src/contracts/json.ts',                  'anything',  'words only'),
  row('server/src/contracts/records.ts',        'domain/src',                          'types',     'records are made of the domain’s words'),
  row('server/src/contracts/records.ts',        'server/src/contracts/json.ts',                  'types',     'free-form data'),
  row('server/src/contracts/records.ts',        'server/src/connectors/connector.ts',  'types',     'what an acquirer told is kept as it was told'),
  row('server/src/contracts/records.ts',        'server/src/contracts/plan-records.ts',          'types',     'records of recurring payments'),
  row('server/src/contracts/records.ts',        'server/src/contracts/stored-facts.ts',          'types',     'facts are part of a payment’s record'),
  row('server/src/contracts/stored-facts.ts',   'domain/src',                          'types',     'records are made of the domain’s words'),
  row('server/src/contracts/stored-facts.ts',   'server/src/connectors/connector.ts',  'types',     'what an acquirer told is kept as it was told'),
  row('server/src/contracts/stored-facts.ts',   'server/src/contracts/plan-records.ts',          'types',     'records of recurring payments'),
  row('server/src/contracts/stored-facts.ts',   'server/src/wallets/tokens/opened-token.ts',  'types',     'the checks of a token are kept with its payment'),
  row('server/src/contracts/ports.ts',          'server/src/contracts/callback-ports.ts',        'types',     'ports, by noun'),
  row('server/src/contracts/ports.ts',          'server/src/contracts/configuration-ports.ts',   'types',     'ports, by noun'),
  row('server/src/contracts/ports.ts',          'server/src/contracts/recovery-ports.ts',        'types',     'ports, by noun'),
  row('server/src/contracts/recovery-ports.ts', 'server/src/contracts/recovery-ports.ts',        'types',     'words only'),
  row('server/src/contracts/configuration-ports.ts', 'domain/src',                     'types',     'ports speak the domain’s words'),
  row('server/src/contracts/ports.ts',          'server/src/contracts/unresolved-ports.ts',      'types',     'ports, by noun'),
  row('server/src/contracts/unresolved-ports.ts', 'server/src/contracts/records.ts',             'types',     'ports speak of records'),
  row('server/src/contracts/callback-ports.ts', 'domain/src',                          'types',     'words only'),
  row('server/src/contracts/session-records.ts', 'server/src/contracts/json.ts',                 'types',     'free-form data'),
  row('server/src/contracts/session-records.ts', 'server/src/contracts/plan-records.ts',         'types',     'a session may wish for a plan'),
  row('server/src/contracts/session-ports.ts',  'server/src/contracts/records.ts',               'types',     'ports speak of records'),
  row('server/src/contracts/session-ports.ts',  'server/src/contracts/session-records.ts',       'types',     'ports speak of records'),
  row('server/src/contracts/plan-records.ts',   'domain/src',                          'types',     'records are made of the domain’s words'),
  row('server/src/contracts/wallet-records.ts',  'domain/src',                          'types',    'records are made of the domain’s words'),
  row('server/src/contracts/wallet-records.ts',  'server/src/contracts/json.ts',                  'types',    'free-form data'),
  row('server/src/contracts/ports.ts',          'domain/src',                          'types',     'ports speak the domain’s words'),
  row('server/src/contracts/ports.ts',          'server/src/contracts/records.ts',               'types',     'what the store keeps'),
  row('server/src/contracts/ports.ts',          'server/src/connectors/connector.ts',  'types',     'the contract of acquirers'),
  row('server/src/contracts/ports.ts',          'server/src/connectors/wire.ts',       'types',     'the contract of acquirers'),
  row('server/src/contracts/ports.ts',          'server/src/wallets/tokens/account.ts',       'types',     'the wallets of merchants'),
  row('server/src/contracts/routing-ports.ts',  'domain/src',                          'types',     'ports speak the domain’s words'),
  row('server/src/contracts/refused-error.ts',  'domain/src/errors.ts',                'anything',  'it carries a refusal of the catalogue'),
  row('server/src/process/clock.ts',          'server/src/contracts/ports.ts',                 'types',     'it implements one'),
  row('server/src/process/ids.ts',            'server/src/contracts/ports.ts',                 'types',     'it implements one'),
  row('server/src/process/config.ts',         'server/src/network/ip-list.ts', 'anything',  'lists of addresses are read in one way only'),
  row('server/src/process/config.ts',         'server/src/process/panel-place.ts',           'anything',  'where the panel is served'),
  row('server/src/process/panel-place.ts',    'server/src/process/panel-place.ts',           'anything',  'it reads settings, and knows nothing else'),
  row('server/src/process/config.ts',         'server/src/process/forms-place.ts',           'anything',  'where forms have hosts'),
  row('server/src/process/forms-place.ts',    'domain/src/address/loopback.ts',              'anything',  'names below localhost lead to this machine'),
  row('server/src/process/origin-guard.ts',   'domain/src/address/loopback.ts',              'anything',  'plain http stays on this machine'),
  row('server/src/process/origin-guard.ts',   'server/src/process/config.ts',                'types',     'it judges the settings'),
  row('server/src/process/origin-guard.ts',   'server/src/process/startup-error.ts',         'anything',  'an operator can mend a setting'),
  row('server/src/process/config.ts',         'server/src/process/issuer-file.ts',           'anything',  'BIN_FILE is read with the settings'),
  row('server/src/process/issuer-file.ts',    'domain/src/issuer.ts',                'anything',  'what a line of the file means'),
  row('server/src/process/issuer-file.ts',    'server/src/process/startup-error.ts',         'anything',  'an operator can mend the file'),
  row('server/src/process/listening-address.ts', 'server/src/process/config.ts',             'types',     'where a process is told to listen'),
  row('server/src/process/config.ts',         'server/src/process/startup-error.ts',         'anything',  'an operator can mend a setting'),
  row('server/src/process/config.ts',         'domain/src/secret.ts',                'anything',  'some settings are secrets'),
  row('server/src/process/config.ts',          'domain/src/limits.ts',                'anything', 'bounds of settings'),
  row('server/src/process/config.ts',         'domain/src/routing/budget.ts',        'anything',  'one is the table of retry budgets'),
  row('server/src/process/config.ts',         'domain/src/issuer.ts',                'anything',  'one names the table of issuers'),
  row('server/src/process/config.ts',         'domain/src/retention.ts',             'types',     'two are periods of retention'),
  row('server/src/process/config.ts',         'domain/src/sign-in/sign-in-rules.ts',         'types',     'some are rules of signing in'),
  row('server/src/process/config.ts',         'server/src/process/setting-values.ts',        'anything',  'readers of values'),
  row('server/src/process/config.ts',         'server/src/process/sign-in-settings.ts',      'anything',  'a table of its own'),
  row('server/src/process/sign-in-settings.ts', 'server/src/process/setting-values.ts',      'anything',  'readers of values'),
  row('server/src/process/sign-in-settings.ts', 'domain/src/sign-in/sign-in-rules.ts',       'anything',  'what a live instance takes'),
  row('server/src/process/setting-values.ts', 'server/src/process/setting-values.ts',        'anything',  'words only'),
  row('server/src/process/instance-lock.ts',  'server/src/process/startup-error.ts',         'anything',  'a second instance is turned away'),
  row('server/src/process/startup-error.ts',  'server/src/process/startup-error.ts',         'anything',  'words only'),
  row('server/src/process/release.ts',        'server/src/process/release.ts',               'anything',  'words only'),
  row('server/src/process/acceptors.ts',      'server/src/process/acceptors.ts',             'anything',  'it knows the framework and the platform alone'),
  row('server/src/process/drain.ts',          'server/src/process/drain.ts',                 'anything',  'it knows the framework alone'),

  row('server/src/payments',        'domain/src',                          'anything',  'the rules that decide'),
  row('server/src/payments',        'server/src/contracts/ports.ts',                 'types',     'all it knows of the outside'),
  row('server/src/payments',        'server/src/contracts/records.ts',               'types',     'what the ports keep'),
  row('server/src/payments',        'server/src/contracts/routing-ports.ts',         'types',     'how MIDs stand'),
  row('server/src/payments',        'server/src/contracts/session-ports.ts',         'types',     'sessions, as the outside keeps them'),
  row('server/src/payments',        'server/src/contracts/session-records.ts',       'types',     'what a session asks for'),
  row('server/src/payments',        'server/src/contracts/refused-error.ts',         'anything',  'a refusal leaves here and is rendered by a protocol'),
  row('server/src/payments',        'server/src/connectors/connector.ts',  'types',     'orders and outcomes'),
  row('server/src/payments',        'server/src/connectors/wire.ts',       'types',     'passed on to a connector’s method'),
  row('server/src/payments',        'server/src/three-ds/mpi.ts',          'types',     'the port of the MPI service'),
  row('server/src/payments',        'server/src/vault/port.ts',            'types',     'the port of the vault'),
  row('server/src/payments',        'server/src/wallets/tokens',                  'anything',  'a token is checked and opened, which needs nobody else'),

  row('server/src/connectors',        'domain/src',                          'anything',  'money, cards and decline classes'),
  row('server/src/connectors',        'server/src/contracts/ports.ts',                 'types',     'it implements some'),
  row('server/src/connectors',        'server/src/contracts/json.ts',                  'types',     'free-form data'),
  row('server/src/connectors',        'server/src/vault/port.ts',            'anything',  'a MID’s credentials are sealed'),

  row('server/src/mid-health',         'domain/src',                          'anything',  'breakers and limits'),
  row('server/src/mid-health',         'server/src/contracts/ports.ts',                 'types',     'it watches acquirers by the clock'),
  row('server/src/mid-health',         'server/src/contracts/routing-ports.ts',         'types',     'the port it implements'),
  row('server/src/mid-health',         'server/src/connectors/connector.ts',  'types',     'what an exchange came to'),
  row('server/src/mid-health',         'server/src/store/configuration/mid-standings.ts',   'anything',  'what processes share'),
  row('server/src/mid-health',         'server/src/assembly/foundation.ts',            'types',     'what it is assembled from'),

  row('server/src/three-ds',          'domain/src',                          'anything',  'the 3DS attributes'),
  row('server/src/three-ds',          'server/src/contracts/ports.ts',                 'types',     'the log'),
  row('server/src/three-ds',          'server/src/contracts/records.ts',               'types',     'what is kept until the payer returns'),
  row('server/src/three-ds',          'server/src/connectors/connector.ts',  'types',     'card data and the result that acquirers take'),

  row('server/src/wallets/tokens',           'domain/src',                          'anything',  'cards, money, errors'),
  row('server/src/wallets/tokens',           'server/src/contracts/ports.ts',                 'types',     'it implements some'),
  row('server/src/wallets/tokens',           'server/src/vault/port.ts',            'anything',  'private keys are sealed'),

  row('server/src/vault',             'domain/src',                          'anything',  'secrets'),
  row('server/src/vault',             'server/src/contracts/ports.ts',                 'types',     'the clock'),
  row('server/src/vault',             'server/src/process/startup-error.ts',         'anything',  'a wrong key stops the start'),

  row('server/src/store',             'server/src/contracts/session-ports.ts',         'types',     'the port it implements'),
  row('server/src/store',             'server/src/contracts/session-records.ts',       'types',     'what it keeps'),
  row('server/src/store',             'domain/src',                          'anything',  'mappings and limits are parsed by the domain'),
  row('server/src/store',             'server/src/contracts/ports.ts',                 'types',     'it implements them'),
  row('server/src/store',             'server/src/contracts/records.ts',               'types',     'rows become records'),
  row('server/src/store',              'server/src/contracts/wallet-records.ts',        'types',    'rows become records'),
  row('server/src/store',              'server/src/wallets/tokens/opened-token.ts',  'types',    'the record of a token’s checks'),
  row('server/src/store',             'server/src/mail/mail.ts',             'types',     'mail waits in rows'),
  row('server/src/store',             'server/src/connectors/connector.ts',  'types',     'what an acquirer told is kept as it was told'),
  row('server/src/store',             'server/src/vault/port.ts',            'anything',  'sealed columns and their scopes'),
  row('server/src/store',             'server/src/process/startup-error.ts',         'anything',  'a database that cannot be used stops the start'),

  row('server/src/wallets/accounts',    'domain/src',                          'anything', 'limits, sides, wallets'),
  row('server/src/wallets/accounts',    'server/src/contracts/ports.ts',                 'types',    'it implements one'),
  row('server/src/wallets/accounts',    'server/src/contracts/json.ts',                  'types',    'free-form data'),
  row('server/src/wallets/accounts',    'server/src/contracts/wallet-records.ts',        'types',    'what the store keeps of wallets'),
  row('server/src/wallets/accounts',    'server/src/store',                    'anything', 'records and keys are rows'),
  row('server/src/wallets/accounts',    'server/src/vault/port.ts',            'anything', 'private keys are sealed'),
  row('server/src/wallets/accounts',    'server/src/wallets/tokens',                  'anything', 'keys, certificates and trust'),
  row('server/src/wallets/accounts',    'server/src/process/startup-error.ts',         'anything', 'a trust anchor that cannot be used stops the start'),
  row('server/src/wallets/accounts',    'server/src/process/config.ts',                'types',    'where trust comes from'),
  row('server/src/wallets/accounts',    'server/src/assembly/foundation.ts',            'types',    'what it is assembled from'),
  row('server/src/wallets/accounts',    'server/src/mail/mail.ts',             'types',    'letters wait in a queue'),

  row('server/src/protocols',         'domain/src',                          'anything',  'formats, signatures, errors, report fields'),
  row('server/src/protocols',         'server/src/payments',               'anything',  'what a request asks for'),
  row('server/src/protocols',         'server/src/contracts/ports.ts',                 'types',     'configuration, clock, idempotency'),
  row('server/src/protocols',         'server/src/contracts/records.ts',               'types',     'the payment that a request names'),
  row('server/src/protocols',         'server/src/contracts/session-ports.ts',         'types',     'sessions and their tokens'),
  row('server/src/protocols',         'server/src/contracts/session-records.ts',       'types',     'what a session asks for'),
  row('server/src/protocols',         'server/src/vault/port.ts',            'anything',  'keys of session tokens are sealed'),
  row('server/src/protocols',         'server/src/connectors/connector.ts',  'types',     'data that is passed on to an acquirer'),
  row('server/src/protocols',         'server/src/contracts/refused-error.ts',         'anything',  'it renders them'),
  row('server/src/protocols',         'server/src/observe',                  'anything',  'what a request’s log line may say'),
  row('server/src/protocols',         'server/src/wallets/tokens/token-shape.ts',   'anything',  'what is no token at all is no valid parameter'),

  row('server/src/protocols',         'server/src/overload/gate.ts',         'types',     'a request waits for its turn'),

  row('server/src/overload',          'domain/src',                          'anything',  'limits and the refusal'),
  row('server/src/overload',          'server/src/contracts/refused-error.ts',         'anything',  'what there is no room for is refused'),
  row('server/src/overload',          'server/src/contracts/ports.ts',                 'types',     'acquirers and the log'),
  row('server/src/overload',          'server/src/three-ds/mpi.ts',          'types',     'who is waited for'),
  row('server/src/overload',          'server/src/payments/index.ts',      'types',     'what payers do'),

  row('server/src/mail',              'domain/src',                          'anything',  'limits and secrets'),

  row('server/src/due',               'domain/src',                          'anything',  'limits and signatures'),
  row('server/src/due',               'server/src/payments',               'anything',  'due work is an operation that nobody asked for'),
  row('server/src/due',               'server/src/contracts/ports.ts',                 'types',     'claims and clocks'),
  row('server/src/due',                'server/src/wallets/accounts',          'anything', 'states, plans and alarms of wallets'),
  row('server/src/due',                'server/src/contracts/wallet-records.ts',        'types',    'what is looked at'),
  row('server/src/due',                'server/src/mail/mail.ts',             'types',    'mail that waits, and whoever sends it'),
  row('server/src/due',                'server/src/wallets/tokens/trust.ts',         'types',    'whom tokens are believed'),

  row('server/src/observe',           'domain/src',                          'anything',  'what looks like a card number'),
  row('server/src/observe',           'server/src/contracts/ports.ts',                 'types',     'it implements the log'),

  row('server/src/health',            'domain/src',                          'anything',  'limits of what is well'),
  row('server/src/health',            'server/src/contracts/ports.ts',                 'types',     'log and alerts'),
  row('server/src/health',            'server/src/process/clock.ts',                 'anything',  'the machine’s own time'),
  row('server/src/health',            'server/src/process/startup-error.ts',         'anything',  'a clock that is far off stops a live start'),
  row('server/src/health',            'server/src/store',                    'anything',  'it writes, and asks the database for its time'),

  row('server/src/live-guard',        'server/src/process/config.ts',                'types',     'settings are what most checks look at'),
  row('server/src/live-guard',        'server/src/network/address-guard.ts',     'anything',  'what is public is decided in one place'),
  row('server/src/live-guard',        'server/src/network/ip-list.ts', 'anything',  'lists of addresses'),
  row('server/src/live-guard',        'server/src/process/startup-error.ts',         'anything',  'an unsafe start is refused'),
  row('server/src/live-guard',        'server/src/store',                    'anything',  'MIDs and settings of the server'),
  row('server/src/live-guard',        'server/src/vault/port.ts',            'anything',  'addresses stand in sealed credentials'),
  row('server/src/process/config.ts',         'server/src/network/acquirer-address.ts', 'anything', 'one setting lists private links'),
  row('server/src/panel',             'server/src/live-guard',               'anything',  'what a live instance refuses and shows'),

  row('server/src/setup',    'domain/src',                          'anything',  'merchants and MIDs'),
  row('server/src/setup',    'server/src/contracts/ports.ts',                 'types',     'clock and ids'),
  row('server/src/setup',    'server/src/store',                    'anything',  'a change of configuration is rows, not a decision'),
  row('server/src/setup',    'server/src/vault/port.ts',            'anything',  'it seals what it writes'),
  row('server/src/setup',     'server/src/vault/vault-error.ts',     'anything', 'a key that does not open is a finding'),
  row('server/src/setup',     'server/src/wallets/tokens',                  'anything', 'keys and certificates are checked when they are entered'),
  row('server/src/setup',     'server/src/wallets/accounts',          'anything', 'states and rotations of wallets'),
  row('server/src/setup',     'server/src/contracts/wallet-records.ts',        'types',    'what the store keeps of wallets'),

  row('server/src/panel',              'domain/src',                          'anything', 'merchants, mappings, money and secrets'),
  row('server/src/panel',              'server/src/setup',           'anything', 'the panel changes things as the command line does'),
  row('server/src/panel',              'server/src/payments',               'anything', 'commands on payments'),
  row('server/src/panel',              'server/src/store',                    'anything', 'users, sessions and the audit log are rows'),
  row('server/src/panel',              'server/src/wallets/accounts',          'anything', 'registrars, recipients and files of wallets'),
  row('server/src/panel',              'server/src/vault/port.ts',            'anything', 'second factors are sealed'),
  row('server/src/panel',              'server/src/connectors',               'anything', 'what a connector offers and asks for'),
  row('server/src/panel',              'server/src/observe/mask.ts',          'anything', 'a card number in a text is masked before it is kept'),
  row('server/src/panel',              'server/src/contracts/refused-error.ts',         'anything', 'a refusal of one of many is a result'),
  row('server/src/panel',              'server/src/process/startup-error.ts',         'anything', 'a limit that cannot be read stops the start'),
  row('server/src/panel',              'server/src/process/release.ts',               'anything', 'health tells it'),
  row('server/src/panel',              'server/src/contracts/ports.ts',                 'types',    'clock, ids and log'),
  row('server/src/panel',              'server/src/contracts/records.ts',               'types',    'payments and free-form data'),
  row('server/src/panel',              'server/src/contracts/wallet-records.ts',        'types',    'what the store keeps of wallets'),
  row('server/src/panel',              'server/src/process/clock.ts',                 'types',    'the clock that a sandbox moves'),
  row('server/src/panel',              'server/src/assembly/foundation.ts',            'types',    'what it is assembled from'),

  row('server/src/protocols/admin/api',    'domain/src',                          'anything', 'tables that it shows and formats that it takes'),
  row('server/src/protocols/admin/api',    'server/src/panel',                    'anything', 'what a request asks for'),
  row('server/src/protocols/admin/api',    'server/src/protocols/kit',            'anything', 'addresses of callers'),
  row('server/src/protocols/admin/api',    'server/src/observe',                  'anything', 'what a request’s log line may say'),
  row('server/src/protocols/admin/api',    'server/src/contracts/refused-error.ts',         'anything', 'it renders them'),
  row('server/src/protocols/admin/api',    'server/src/process/release.ts',               'anything', 'the version of the API'),
  row('server/src/protocols/admin/api',    'server/src/store/people/users.ts',           'types',    'what is shown of a user'),

  row('server/src/demo',              'domain/src',                          'anything',  'its first payment is signed like any other'),
  row('server/src/demo',               'server/src/panel',                    'anything', 'the demo has a login'),
  row('server/src/demo',              'server/src/setup',           'anything',  'the demo is made as an operator would make it'),
  row('server/src/demo',               'server/src/contracts/ports.ts',                 'types',    'the log'),
  row('server/src/demo',              'server/src/store',                    'anything',  'whether it was furnished before'),
  row('server/src/demo',              'server/src/wallets/tokens',                  'anything',  'a key as a merchant would enter it'),
  row('server/src/demo',              'server/src/contracts/records.ts',               'types',     'options as they are stored'),
  row('server/src/demo',              'server/src/vault/port.ts',            'anything',  'credentials are sealed'),
  row('server/src/demo',              'server/src/process/startup-error.ts',         'anything',  'a sandbox that does not start stops the start'),

  row('server/src/app.ts',            'server/src',                          'anything',  'it builds the app'),
  row('server/src/admin-app.ts',      'server/src',                          'anything',  'it builds the app of the panel'),
  row('server/src/app.ts',            'domain/src',                          'anything',  'the answer to an unknown address'),
  row('server/src/assembly/foundation.ts',           'server/src',                          'anything',  'it assembles the ground floor'),
  row('server/src/assembly/wallet-engines.ts',  'server/src',                          'anything', 'it assembles the engines of wallets'),
  row('server/src/assembly/account-watch.ts',   'server/src',                          'anything', 'it assembles the engine of unused accounts'),
  row('server/src/assembly/retention-engine.ts', 'server/src',                         'anything', 'it assembles the engine of retention'),
  row('server/src/assembly/retention-engine.ts', 'domain/src',                         'anything', 'how long each kind of data is kept'),
  row('server/src/assembly/condition.ts',      'server/src',                          'anything',  'it joins health to the engines'),
  row('server/src/assembly/mail-engine.ts',    'server/src',                          'anything',  'it assembles the engine of mail'),
  row('server/src/recovery',          'server/src/contracts/ports.ts',                 'types',     'the clock and the log, and the port it implements'),
  row('server/src/recovery',          'server/src/store',                    'anything',  'the state of the instance and its pulse'),
  row('server/src/assembly/membership.ts',     'server/src',                          'anything',  'it joins the store to the clock'),
  row('server/src/wiring.ts',         'server/src',                          'anything',  'the only place of assembly'),
  row('server/src/main.ts',           'server/src',                          'anything',  'it starts everything'),

  row('sandbox',                      'domain/src/card.ts',                  'anything',  'what a card number is, both companies agree on'),
  row('sandbox',                      'domain/src/money/money.ts',                 'anything',  'what an amount is, both companies agree on'),
  row('sandbox',                      'domain/src/qr',                       'anything',  'the shop shows its code as the panel shows that of an authenticator'),
  row('sandbox',                      'domain/src/money/currencies.ts',            'anything',  'what a unit of crypto money is, both companies agree on'),

  row('web',                          'domain/src/card.ts',                  'anything',  'the page checks what the server checks'),
  row('web',                          'domain/src/money/money.ts',                 'anything',  'the page shows what the server counts'),
  row('web',                          'domain/src/checkout/colour.ts',                'anything',  'the page chooses the letters that the server counted on'),
  row('web',                          'domain/src/place/language.ts',              'anything',  'the same list of languages'),
  row('web/admin',                    'web/kit',                             'anything',  'fields with label, hint and error'),
  row('web/admin',                    'domain/src',                          'anything',  'the panel shows the tables of the code'),
  row('client',                       'domain/src/signature/signature.ts',             'anything',  'both sides sign in one way'),

  row('cli',                          'domain/src',                          'anything',  'tables that it shows and signatures that it explains'),
  row('cli',                          'server/src',                          'anything',  'it is one more process on the same database'),
  row('cli/test',                     'cli',                                 'anything',  'a test brings the parts together'),
  row('cli/test',                     'domain/src',                          'anything',  'a test brings the parts together'),
  row('cli/test',                     'server/src',                          'anything',  'a test brings the parts together'),
  row('cli/test',                     'server/test',                         'anything',  'the database of the tests'),

  row('server/test',                  'tools/build-web.ts',                  'anything',  'pages are built in a test as before a start'),
  row('server/test',                  'web/admin/pages/page-table.ts',       'anything',  'every page of the table is looked at'),
  row('server/test',                  'domain/src',                          'anything',  'a test brings the parts together'),
  row('server/test',                  'server/src',                          'anything',  'a test brings the parts together'),
  row('server/test',                  'sandbox',                             'anything',  'what the wallets’ company mints, the gateway opens'),
  row('campaigns',                    'domain/src',                          'anything',  'a merchant signs'),
  row('campaigns',                    'server/src',                          'anything',  'the stage is furnished like a demo'),
  row('campaigns',                    'server/test',                         'anything',  'the database of the tests'),
  row('campaigns',                    'cli',                                 'anything',  'the negative cases are those of the wallet matrix command'),
  row('bench',                        'domain/src',                          'anything',  'a merchant signs'),
  row('bench',                        'server/src',                          'anything',  'what is measured'),
  row('bench',                        'server/test',                         'anything',  'the database of the tests'),
  row('bench',                        'campaigns',                           'anything',  'the stage'),
  row('tools',                        'campaigns/patch.ts',                  'anything',  'mutants are planted as campaigns plant their faults'),
  row('tools',                        'domain/src',                          'anything',  'the documentation is written from the tables'),
  row('tools',                        'server/src',                          'anything',  'the documentation is written from the tables'),
  row('tools',                        'server/test',                         'anything',  'the database of the tests'),
  row('tools',                        'cli',                                 'anything',  'the names of the formulas are those of the sign command'),
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
  return importTable.some(
    (rule) => rule.from === area && within(to, rule.to) && (rule.what === 'anything' || what === 'types'),
  )
}

export const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
