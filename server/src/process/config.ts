/**
 * The configuration of a process: read once from the environment, or from the JSON file named by GATEHOUSE_CONFIG, validated as a whole,
 * and frozen. All faults are listed together, each with a remedy. The only file that reads `process.env`.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type Issuers, noIssuers } from '#domain/issuer.ts'
import { limits } from '#domain/limits.ts'
import type { RetentionDays } from '#domain/retention.ts'
import { type RetryBudgets, readBudgets, usualBudgets } from '#domain/routing/budget.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { readValue } from '../contracts/value-faults.ts'
import { type PrivateAcquirers, readPrivateAcquirers } from '../network/acquirer-address.ts'
import { type IpList, parseIpList } from '../network/ip-list.ts'
import { type FormsPlace, formsPlace } from './forms-place.ts'
import { issuersIn } from './issuer-file.ts'
import { type PanelPlace, panelPlace } from './panel-place.ts'
import { encodedSerial, wholeNumber } from './setting-values.ts'
import { signInFaults, signInRules, signInSettings } from './sign-in-settings.ts'
import { StartupError } from './startup-error.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const webUrl = z.url({ protocol: /^https?$/, error: 'Must be a web address such as https://pay.example.com.' })
const httpsUrl = z.url({ protocol: /^https$/, error: 'Must be an https address such as https://pay.example.com.' })
const retentionDays = (standard: number) => wholeNumber(limits.retention.daysLow, limits.retention.daysHigh, standard)

/** A file, or an address over an authenticated connection. */
const keyListSource = z.string().regex(/^(?!http:)/, 'Must be a file or an https address.')

/** Every setting with its default and description; `gatehouse config` prints this table with the effective values. */
// biome-ignore format: a table is read in columns.
export const settings = {
  PORT:                     wholeNumber(0, 65535, 8080).describe('Port of the HTTP service.'),
  HOST:                     z.string().optional().describe('Address to listen on; 127.0.0.1 in sandbox mode, 0.0.0.0 in live mode.'),
  BASE_URL:                 webUrl.optional().describe('Public address of the service, if it runs behind a proxy.'),
  ADMIN_PORT:               z.string().regex(/^(?:none|[0-9]{1,5})$/, 'Must be a port, or none.').optional().describe('Port of the panel, its API and the metrics; default 8081 in live mode, PORT in sandbox mode. "none" serves no panel.'),
  ADMIN_HOST:               z.string().default('127.0.0.1').describe('Address to listen on for ADMIN_PORT.'),
  ADMIN_URL:                webUrl.optional().describe('Public address of the panel, if it runs behind a proxy; it must differ from the address of payments.'),
  DATA_DIR:                 z.string().min(1).default('.data').describe('Folder of the embedded database, the key file and demo.json.'),
  DATABASE_URL:             z.string().regex(/^postgres(ql)?:\/\//, 'Must begin with postgres://.').optional().describe('PostgreSQL 15 or newer; default: the embedded server.'),
  DATABASE_POOL:            wholeNumber(2, 200, 16).describe('Maximum number of database connections of this process.'),
  MAX_CONCURRENT_REQUESTS:  z.string().regex(/^[1-9][0-9]{0,3}$/, 'Must be a whole number from 1 to 9999.').transform(Number).optional().describe('Maximum number of concurrent requests of this process; default: twice DATABASE_POOL. Under load the process lowers the number by itself.'),
  MAX_QUEUE_MS:             wholeNumber(0, 60_000, limits.overload.waitMs).describe('Maximum time in milliseconds that a request waits while the instance is busy. After that it is refused with 503 and Retry-After, unprocessed.'),
  MAX_CONNECTIONS:          wholeNumber(1, 65_535, limits.overload.connections).describe('Maximum number of client connections, including idle ones; further connections are closed at once.'),
  GATEHOUSE_MODE:           z.enum(['sandbox', 'live']).optional().describe('sandbox or live. A sandbox has demo merchants, a sandbox acquirer and a test clock. The first start stores the mode in the database (default sandbox); later starts refuse another value.'),
  GATEHOUSE_KEY_FILE:       z.string().min(1).optional().describe('File with the key-encryption keys; default in sandbox mode: DATA_DIR/keys.json, created at the first start.'),
  GATEHOUSE_KEYS:           z.string().min(1).optional().describe('Content of the key file, instead of GATEHOUSE_KEY_FILE.'),
  TRUSTED_PROXIES:          z.string().default('').describe('Addresses or ranges of proxies whose X-Forwarded-For header is trusted, separated by commas.'),
  ALLOW_PRIVATE_CALLBACKS:  flag.optional().describe('true allows callbacks to private addresses; always allowed in sandbox mode.'),
  ALLOW_PRIVATE_ACQUIRERS:  z.string().default('').describe('Host names, addresses or ranges, separated by commas, where a live instance may reach acquirers and the 3DS server privately. All others must be public https addresses.'),
  ALLOW_PLAIN_DATABASE:     flag.optional().describe('true allows a live instance to use a database on another machine without TLS, if the network itself is encrypted.'),
  SANDBOX_URL:              webUrl.optional().describe('Address of a running sandbox acquirer; default: the service starts one.'),
  BIN_FILE:                 z.string().min(1).optional().describe('Issuer table with lines of bin,country,bank; source of issuer_country and issuer_bank.'),
  MPI_URL:                  webUrl.optional().describe('Address of the 3DS server for merchants with the MPI service `external`.'),
  MPI_TOKEN:                z.string().min(1).optional().describe('Bearer token for MPI_URL.'),
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
  SMTP_URL:                 z.url({ protocol: /^smtps?$/, error: 'Must be an address such as smtp://name:password@host:587.' }).optional().describe('Mail server, as smtp://name:password@host:587; without it no mail is sent.'),
  MAIL_FROM:                z.string().regex(/^[^@]+@[^@]+$/, 'Must contain an e-mail address.').optional().describe('Sender of mail, for example Gatehouse <payments@example.com>.'),
  OPERATOR_EMAIL:           z.email().optional().describe('Receives alert mails, in addition to the merchant’s contact.'),
  REFUND_APPROVAL:          z.string().regex(/^$|^(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12}(?:,(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12})*$/, 'Must be CURRENCY:AMOUNT separated by commas, * for every other currency.').default('*:1000').describe('Refunds in the panel above these amounts need approval by a second user, for example EUR:500,*:1000.'),
  ...signInSettings,
  RETENTION_CARD_DAYS:      retentionDays(limits.retention.cardDays).describe('Days that an unneeded card number is stored after its last use. Saved cards, chains and running payments need theirs.'),
  RETENTION_PAYER_DAYS:     retentionDays(limits.retention.payerDays).describe('Days that a payer’s personal data is stored after the last change of the payment.'),
  LOG_LEVEL:                z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Log level.'),
} as const

const schema = z.object(settings)
type Settings = z.output<typeof schema>

type InstanceMode = 'sandbox' | 'live'

export interface Config extends FormsPlace {
  readonly role: Role
  readonly instanceMode: InstanceMode
  /** Where the mode comes from; `default` means that no start has given the database a mode yet. */
  readonly modeFrom: 'database' | 'setting' | 'default'
  readonly port: number
  readonly host: string
  readonly baseUrl: string | null
  readonly admin: PanelPlace
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databasePool: number
  readonly overload: { readonly concurrent: number; readonly waitMs: number; readonly connections: number }
  readonly keyFile: string | null
  readonly keys: string | null
  readonly trustedProxies: IpList
  readonly allowPrivateCallbacks: boolean
  readonly privateAcquirers: PrivateAcquirers
  readonly allowPlainDatabase: boolean
  readonly sandboxUrl: string | null
  readonly issuers: Issuers
  readonly mpi: { readonly url: string; readonly token: Secret<string> } | null
  readonly planRetryHours: readonly number[]
  readonly retryBudgets: RetryBudgets
  readonly wallets: WalletConfig
  readonly mail: MailConfig | null
  readonly sessionKeyBits: number
  /** As given; `panel/payments/refund-limit.ts` parses it. */
  readonly refundApproval: string
  readonly signIn: SignInRules
  readonly retentionDays: RetentionDays
  readonly logLevel: Settings['LOG_LEVEL']
}

/** Device wallets, chapter 40 §14 and §16. */
export interface WalletConfig {
  readonly trustSource: 'wallet maker' | 'sandbox authority'
  readonly rootFile: { readonly path: string; readonly sha256: string } | null
  /** Files or https addresses. */
  readonly keyLists: { readonly PRODUCTION: string | null; readonly TEST: string | null }
  readonly tokenMinutes: number
  /** As certificates encode them, in hexadecimal. */
  readonly deniedSerials: ReadonlySet<string>
  readonly sessionUrl: string
  readonly sessionHosts: ReadonlySet<string>
  readonly gateway: string
  readonly checkoutDomain: string | null
  /** The wallet providers' scripts on the hosted page. */
  readonly scripts: Readonly<
    Record<'walletapay' | 'walletbpay', { readonly url: string; readonly integrity: string | null }>
  >
}

interface MailConfig {
  readonly url: Secret<string>
  readonly from: string
  readonly operator: string | null
}

/** Settings that print as `***` in `gatehouse config`. */
export const secretSettings: ReadonlySet<string> = new Set(['DATABASE_URL', 'GATEHOUSE_KEYS', 'MPI_TOKEN', 'SMTP_URL'])

/** `databaseMode` is the mode that the first start wrote into the database; null before that, or while the database is not open yet. */
export function readConfig(
  role: Role,
  environment: NodeJS.ProcessEnv = process.env,
  databaseMode: InstanceMode | null = null,
): Config {
  const given = { ...fileSettings(environment['GATEHOUSE_CONFIG']), ...sent(environment) }
  const reading = readValue(schema, given)
  const values = reading.ok ? reading.value : undefined
  const proxies = parseIpList((values?.TRUSTED_PROXIES ?? '').split(','))
  const faults = [
    ...(reading.ok ? [] : reading.faults.map(({ path, text }) => `${path}: ${text}`)),
    ...(proxies.ok ? [] : proxies.faults.map((fault) => `TRUSTED_PROXIES: ${fault}`)),
  ]
  const named = values?.GATEHOUSE_MODE
  if (named && databaseMode && named !== databaseMode) throw contradiction(named, databaseMode)
  const mode = databaseMode ?? named ?? 'sandbox'
  if (mode === 'live' && values && !values.GATEHOUSE_KEY_FILE && !values.GATEHOUSE_KEYS) {
    faults.push(
      'GATEHOUSE_KEY_FILE: a live instance needs key-encryption keys. Create them with "npm run gatehouse -- keys create FILE".',
    )
  }
  if (values?.MPI_URL && !values.MPI_TOKEN) faults.push('MPI_TOKEN: MPI_URL needs a token.')
  if (values?.SMTP_URL && !values.MAIL_FROM) faults.push('MAIL_FROM: SMTP_URL needs a sender address.')
  faults.push(...walletFaults(values, mode), ...signInFaults(values, mode === 'live'))
  if (values === undefined || !proxies.ok || faults.length > 0) {
    throw new StartupError(
      `The configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      'Correct the environment variables or the file set by GATEHOUSE_CONFIG. "npm run gatehouse -- config" explains every setting.',
    )
  }
  const modeFrom = databaseMode ? 'database' : named ? 'setting' : 'default'
  return Object.freeze({ ...configOf(role, values, proxies.list, mode), modeFrom })
}

const contradiction = (named: InstanceMode, databaseMode: InstanceMode): StartupError =>
  new StartupError(
    `This database belongs to a ${databaseMode} instance, but GATEHOUSE_MODE is ${named}.`,
    `Set GATEHOUSE_MODE to ${databaseMode} or remove it. A ${named} instance needs another database (DATABASE_URL or DATA_DIR).`,
  )

function configOf(
  role: Role,
  given: Settings,
  trustedProxies: IpList,
  instanceMode: InstanceMode,
): Omit<Config, 'modeFrom'> {
  const sandbox = instanceMode === 'sandbox'
  const dataDir = resolve(given.DATA_DIR)
  return {
    role,
    instanceMode,
    port: given.PORT,
    host: given.HOST ?? (sandbox ? '127.0.0.1' : '0.0.0.0'),
    baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
    admin: panelPlace(given, sandbox),
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    databasePool: given.DATABASE_POOL,
    overload: {
      concurrent: given.MAX_CONCURRENT_REQUESTS ?? 2 * given.DATABASE_POOL,
      waitMs: given.MAX_QUEUE_MS,
      connections: given.MAX_CONNECTIONS,
    },
    keyFile: given.GATEHOUSE_KEYS ? null : resolve(given.GATEHOUSE_KEY_FILE ?? `${dataDir}/keys.json`),
    keys: given.GATEHOUSE_KEYS ?? null,
    trustedProxies,
    allowPrivateCallbacks: sandbox || (given.ALLOW_PRIVATE_CALLBACKS ?? false),
    privateAcquirers: readPrivateAcquirers(given.ALLOW_PRIVATE_ACQUIRERS),
    allowPlainDatabase: given.ALLOW_PLAIN_DATABASE ?? false,
    sandboxUrl: given.SANDBOX_URL ?? null,
    issuers: given.BIN_FILE ? issuersIn(resolve(given.BIN_FILE)) : noIssuers,
    mpi: given.MPI_URL ? { url: given.MPI_URL, token: secret(given.MPI_TOKEN ?? '') } : null,
    planRetryHours: given.PLAN_RETRY_HOURS?.split(',').map(Number) ?? [],
    retryBudgets: readBudgets(given.RETRY_BUDGETS ?? '') ?? usualBudgets,
    wallets: walletConfig(given, sandbox),
    mail: given.SMTP_URL
      ? { url: secret(given.SMTP_URL), from: given.MAIL_FROM ?? '', operator: given.OPERATOR_EMAIL ?? null }
      : null,
    sessionKeyBits: given.SESSION_KEY_BITS,
    ...formsPlace(given, sandbox),
    refundApproval: given.REFUND_APPROVAL,
    signIn: signInRules(given, !sandbox),
    retentionDays: { cards: given.RETENTION_CARD_DAYS, payers: given.RETENTION_PAYER_DAYS },
    logLevel: given.LOG_LEVEL,
  }
}

function walletConfig(given: Settings, sandbox: boolean): WalletConfig {
  const { WALLET_A_ROOT_FILE: rootFile, WALLET_A_ROOT_SHA256: sha256 = '' } = given
  const source = (named: string | undefined): string | null =>
    named === undefined || named.startsWith('https://') ? (named ?? null) : resolve(named)
  return {
    trustSource: given.WALLET_TRUST ?? (sandbox ? 'sandbox authority' : 'wallet maker'),
    rootFile: rootFile ? { path: resolve(rootFile), sha256 } : null,
    keyLists: { PRODUCTION: source(given.WALLET_B_KEYS), TEST: source(given.WALLET_B_TEST_KEYS) },
    tokenMinutes: given.WALLET_TOKEN_MINUTES,
    deniedSerials: new Set(given.WALLET_DENIED_SERIALS?.split(',').map(encodedSerial)),
    sessionUrl: given.WALLET_SESSION_URL,
    sessionHosts: new Set(given.WALLET_SESSION_HOSTS.split(',')),
    gateway: given.WALLET_GATEWAY,
    checkoutDomain: given.CHECKOUT_DOMAIN ?? null,
    scripts: {
      walletapay: { url: given.WALLET_A_SCRIPT_URL, integrity: given.WALLET_A_SCRIPT_INTEGRITY ?? null },
      walletbpay: { url: given.WALLET_B_SCRIPT_URL, integrity: null },
    },
  }
}

function walletFaults(given: Settings | undefined, instanceMode: InstanceMode): readonly string[] {
  const { WALLET_A_ROOT_FILE: rootFile, WALLET_A_ROOT_SHA256: sha256, WALLET_TRUST: trust } = given ?? {}
  return [
    ...(rootFile && !sha256 ? ['WALLET_A_ROOT_SHA256: set it to the SHA-256 of WALLET_A_ROOT_FILE.'] : []),
    ...(instanceMode === 'live' && trust === 'sandbox authority'
      ? ['WALLET_TRUST: a live instance has no sandbox authority.']
      : []),
  ]
}

/** An empty variable counts as not set, because shells and compose files leave them so. */
const sent = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (name in settings && value ? [[name, value]] : [])),
  )

function fileSettings(path: string | undefined): Readonly<Record<string, string>> {
  if (!path) return {}
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const reading = readValue(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), parsed)
    if (!reading.ok)
      throw new Error(reading.faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`)).join(' '))
    return Object.fromEntries(Object.entries(reading.value).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    throw new StartupError(
      `The configuration file ${path} could not be read: ${error instanceof Error ? error.message : String(error)}`,
      'GATEHOUSE_CONFIG must be a JSON file with setting names and values.',
    )
  }
}
