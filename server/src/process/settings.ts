/**
 * Every setting with its default and its description; `gatehouse config` prints this table with the effective values. The value of a row
 * with `secret` is printed as `***`.
 */
import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { exponentOf } from '#domain/money/money.ts'
import { readBudgets } from '#domain/routing/budget.ts'
import { traceSettings } from '../observe/tracing/trace-settings.ts'
import { wholeNumber } from './setting-values.ts'
import { signInSettings } from './sign-in-settings.ts'
import { singleSignOnSettings } from './single-sign-on-settings.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const webUrl = z.url({ protocol: /^https?$/, error: 'Must be a web address such as https://pay.example.com.' })
const httpsUrl = z.url({ protocol: /^https$/, error: 'Must be an https address such as https://pay.example.com.' })
const retentionDays = (standard: number) => wholeNumber(limits.retention.daysLow, limits.retention.daysHigh, standard)

/** A file, or an address over an authenticated connection. */
const keyListSource = z.string().regex(/^(?!http:)/, 'Must be a file or an https address.')

const secret = true

// biome-ignore format: a table is read in columns.
export const settings = {
  PORT:                     wholeNumber(0, 65535, 8080).describe('Port of the HTTP service.'),
  HOST:                     z.string().optional().describe('Address to listen on; 127.0.0.1 in sandbox mode, 0.0.0.0 in live mode.'),
  BASE_URL:                 webUrl.optional().describe('Public address of the service, if it runs behind a proxy.'),
  ADMIN_PORT:               z.string().regex(/^(?:none|[0-9]{1,5})$/, 'Must be a port, or none.').optional().describe('Port of the panel, its API and the metrics; default 8081 in live mode, PORT in sandbox mode. "none" serves no panel.'),
  ADMIN_HOST:               z.string().default('127.0.0.1').describe('Address to listen on for ADMIN_PORT.'),
  ADMIN_URL:                webUrl.optional().describe('Public address of the panel, if it runs behind a proxy; it must differ from the address of payments.'),
  WORKER_PORT:              z.string().regex(/^[0-9]{1,5}$/, 'Must be a port.').transform(Number).optional().describe('Port on ADMIN_HOST where a process with the role worker serves its health and metrics; without it, it does not listen.'),
  DATA_DIR:                 z.string().min(1).default('.data').describe('Folder of the embedded database, the key file and demo.json.'),
  PRISM_LOADER:             z.string().min(1).optional().describe('Dynamic loader of glibc 2.38 or newer with its libraries beside it, under which the helper process of the connectors `prism-…` is started; default: the system’s own.'),
  DATABASE_URL:             z.string().regex(/^postgres(ql)?:\/\//, 'Must begin with postgres://.').optional().meta({ secret, description: 'PostgreSQL 15 or newer; default: the embedded server.' }),
  DATABASE_READ_URL:        z.string().regex(/^postgres(ql)?:\/\//, 'Must begin with postgres://.').optional().meta({ secret, description: 'A streaming standby of the database, for the searches, figures and exports of the panel; without it they read the database itself.' }),
  DATABASE_POOL:            wholeNumber(2, 200, 16).describe('Maximum number of database connections of this process.'),
  PANEL_DATABASE_POOL:      wholeNumber(2, 50, 4).describe('Maximum number of database connections of this process for the panel, beside DATABASE_POOL, so that slow searches take none from payments.'),
  MAX_CONCURRENT_REQUESTS:  z.string().regex(/^[1-9][0-9]{0,3}$/, 'Must be a whole number from 1 to 9999.').transform(Number).optional().describe('Maximum number of concurrent requests of this process; default: twice DATABASE_POOL. Under load the process lowers the number by itself.'),
  MAX_QUEUE_MS:             wholeNumber(0, 60_000, limits.overload.waitMs).describe('Maximum time in milliseconds that a request waits while the instance is busy. After that it is refused with 503 and Retry-After, unprocessed.'),
  MAX_CONNECTIONS:          wholeNumber(1, 65_535, limits.overload.connections).describe('Maximum number of client connections, including idle ones; further connections are closed at once.'),
  GATEHOUSE_MODE:           z.enum(['sandbox', 'live']).optional().describe('sandbox or live. A sandbox has demo merchants, a sandbox acquirer and a test clock. The first start stores the mode in the database (default sandbox); later starts refuse another value.'),
  GATEHOUSE_KEY_FILE:       z.string().min(1).optional().describe('File with the key-encryption keys; default in sandbox mode: DATA_DIR/keys.json, created at the first start.'),
  GATEHOUSE_KEYS:           z.string().min(1).optional().meta({ secret, description: 'Content of the key file, instead of GATEHOUSE_KEY_FILE.' }),
  GATEHOUSE_KEY_COMMAND:    z.string().min(1).optional().describe('Shell command that prints the content of the key file, instead of GATEHOUSE_KEYS: a key service or an HSM. It gets the content of GATEHOUSE_KEY_FILE, if that is set, on standard input.'),
  BACKUP_RECIPIENT:         z.string().regex(/^age1[02-9ac-hj-np-z]+$/, 'Must be a public key of "gatehouse backup key", such as age1….').optional().describe('Public key for which backups are encrypted.'),
  TRUSTED_PROXIES:          z.string().default('').describe('Addresses or ranges of proxies whose X-Forwarded-For header is trusted, separated by commas.'),
  ALLOW_PRIVATE_CALLBACKS:  flag.optional().describe('true allows callbacks to private addresses; always allowed in sandbox mode.'),
  ALLOW_PRIVATE_ACQUIRERS:  z.string().default('').describe('Host names, addresses or ranges, separated by commas, where a live instance may reach acquirers and the 3DS server privately. All others must be public https addresses.'),
  ALLOW_PLAIN_DATABASE:     flag.optional().describe('true allows a live instance to use a database on another machine without TLS, if the network itself is encrypted.'),
  SANDBOX_URL:              webUrl.optional().describe('Address of a running sandbox acquirer; default: the service starts one.'),
  BIN_FILE:                 z.string().min(1).optional().describe('Issuer table with lines of bin,country,bank; source of issuer_country and issuer_bank.'),
  MARKS_DIR:                z.string().min(1).optional().describe('Folder with the operator’s own marks of card networks and methods for the hosted page: one PNG or SVG each, named after its code, as visa.svg.'),
  MPI_URL:                  webUrl.optional().describe('Address of the 3DS server for merchants with the MPI service `external`.'),
  MPI_TOKEN:                z.string().min(1).optional().meta({ secret, description: 'Bearer token for MPI_URL.' }),
  PLAN_RETRY_HOURS:         z.string().regex(/^[0-9]{1,4}(,[0-9]{1,4}){0,19}$/, 'Must be whole numbers separated by commas, at most 20.').optional().describe('Hours after which a plan payment with a soft decline is retried, for example 24,72; default: never.'),
  RETRY_BUDGETS:            z.string().refine((text) => readBudgets(text) !== null, 'Must read like `visa 20/30d; mastercard 10/24h, 35/30d`.').optional().describe('Maximum number of retries of one card per network, as retries/period; default visa 20/30d; mastercard 10/24h, 35/30d. Networks that are not listed keep their default; a network without a number has no limit.'),
  WALLET_TRUST:             z.enum(['wallet maker', 'sandbox authority']).optional().describe('Trust anchor for tokens in new wallet settings: "wallet maker" (the wallet provider) or, in sandbox mode, "sandbox authority" (the default there).'),
  WALLET_A_ROOT_FILE:       z.string().min(1).optional().describe('Root certificate of the provider of wallet A (PEM file).'),
  WALLET_A_ROOT_SHA256:     z.string().regex(/^[0-9a-fA-F]{64}$/, 'Must be 64 hexadecimal digits.').optional().describe('SHA-256 of that file; the service does not start if it differs.'),
  WALLET_B_KEYS:            keyListSource.optional().describe('Root keys of the provider of wallet B for PRODUCTION: a file, or an https address that is fetched daily.'),
  WALLET_B_TEST_KEYS:       keyListSource.optional().describe('Root keys of the provider of wallet B for TEST.'),
  WALLET_TOKEN_MINUTES:     wholeNumber(limits.wallet.tokenMinutesLow, limits.wallet.tokenMinutesHigh, limits.wallet.tokenMinutes).describe('Maximum difference in minutes between the signing time of a wallet A token and now.'),
  WALLET_DENIED_SERIALS:    z.string().regex(/^[0-9a-fA-F]+(,[0-9a-fA-F]+)*$/, 'Must be hexadecimal numbers separated by commas.').optional().describe('Serial numbers of certificates whose wallet A tokens are refused.'),
  WALLET_SESSION_URL:       httpsUrl.default('https://apple-pay-gateway.apple.com/paymentservices/paymentSession').describe('Session service of the provider of wallet A.'),
  WALLET_SESSION_HOSTS:     z.string().regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'Must be host names separated by commas.').default('apple-pay-gateway.apple.com,cn-apple-pay-gateway.apple.com').describe('Allowed hosts of session addresses sent by the payer’s browser.'),
  WALLET_GATEWAY:           z.string().min(1).max(64).default('gatehouse').describe('Gateway id of this service at the provider of wallet B.'),
  WALLET_A_SCRIPT_URL:      httpsUrl.default('https://applepay.cdn-apple.com/jsapi/1.latest/apple-pay-sdk.js').describe('Script of the provider of wallet A for browsers without built-in support.'),
  WALLET_A_SCRIPT_INTEGRITY: z.string().regex(/^sha(256|384|512)-[A-Za-z0-9+/]+=*$/, 'Must be an integrity hash such as sha384-….').optional().describe('Integrity hash that pins one version of that script.'),
  WALLET_B_SCRIPT_URL:      httpsUrl.default('https://pay.google.com/gp/p/js/pay.js').describe('Script of the provider of wallet B.'),
  SESSION_KEY_BITS:         wholeNumber(2048, 8192, 4096).describe('Size of new RSA keys that sign session tokens.'),
  CHECKOUT_DOMAIN:          z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Must be a host name.').optional().describe('Domain of the hosted page; merchants may have their own hosts below it.'),
  FORMS_DOMAIN:             z.string().regex(/^(?:none|[a-z0-9-]+(\.[a-z0-9-]+)+)$/, 'Must be a host name, or none.').optional().describe('Domain below which each merchant’s forms get their own host, which wallets require. Without it, or with "none", forms run without an origin and without wallets. Default on a local sandbox instance: forms.localhost.'),
  SMTP_URL:                 z.url({ protocol: /^smtps?$/, error: 'Must be an address such as smtp://name:password@host:587.' }).optional().meta({ secret, description: 'Mail server, as smtp://name:password@host:587; without it no mail is sent.' }),
  MAIL_FROM:                z.string().regex(/^[^@]+@[^@]+$/, 'Must contain an e-mail address.').optional().describe('Sender of mail, for example Gatehouse <payments@example.com>.'),
  OPERATOR_EMAIL:           z.email().optional().describe('Receives alert mails, in addition to the merchant’s contact.'),
  LIMITS_CURRENCY:          z.string().refine((code) => exponentOf(code) !== undefined, 'Must be an ISO 4217 currency such as EUR.').optional().describe('Needed once, while migrating from a release whose amount limits had no currency: the currency in which those of MIDs with several currencies were meant.'),
  REFUND_APPROVAL:          z.string().regex(/^$|^(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12}(?:,(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12})*$/, 'Must be CURRENCY:AMOUNT separated by commas, * for every other currency.').default('*:1000').describe('Refunds in the panel above these amounts need approval by a second user, for example EUR:500,*:1000.'),
  ...signInSettings,
  ...singleSignOnSettings,
  RETENTION_CARD_DAYS:      retentionDays(limits.retention.cardDays).describe('Days that an unneeded card number is stored after its last use. Saved cards, chains and running payments need theirs.'),
  RETENTION_PAYMENT_DAYS:   z.string().regex(/^[1-9][0-9]{2,4}$/, 'Must be a whole number of days from 100 to 99999.').transform(Number).optional().describe('Days that payments, their transactions, callbacks and ledger entries are stored; whole months are removed. Without it they stay.'),
  RETENTION_PAYER_DAYS:     retentionDays(limits.retention.payerDays).describe('Days that a payer’s personal data is stored after the last change of the payment.'),
  ...traceSettings,
  LOG_LEVEL:                z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Log level.'),
} as const

/** Names of the settings whose value is never printed. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settings).flatMap(([name, setting]) => (setting.meta()?.['secret'] === true ? [name] : [])),
)
