/**
 * The configuration of a process: read once from the environment, or from the one JSON file that GATEHOUSE_CONFIG names, checked
 * as a whole, and frozen. All faults are listed together, each with what to do. The only place that reads `process.env`.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type Issuers, noIssuers } from '#domain/issuer.ts'
import { limits } from '#domain/limits.ts'
import type { RetentionDays } from '#domain/retention.ts'
import { type RetryBudgets, readBudgets, usualBudgets } from '#domain/routing/budget.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { SignInRules } from '#domain/sign-in-rules.ts'
import { type FormsPlace, formsPlace } from './forms-place.ts'
import { issuersIn } from './issuer-file.ts'
import { type PrivateAcquirers, readPrivateAcquirers } from './live-guard/acquirer-address.ts'
import { type PanelPlace, panelPlace } from './panel-place.ts'
import { type IpList, parseIpList } from './protocols/kit/ip-list.ts'
import { encodedSerial, wholeNumber } from './setting-values.ts'
import { signInFaults, signInRules, signInSettings } from './sign-in-settings.ts'
import { StartupError } from './startup-error.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const retentionDays = (standard: number) => wholeNumber(limits.retention.daysLow, limits.retention.daysHigh, standard)

/** A file, or an address over a connection that proves whose it is. */
const keyListSource = z.string().regex(/^(?!http:)/, 'must be a file or an https address')

/** Every setting with its default and its sentence; `gatehouse config` prints this table with the effective values. */
// biome-ignore format: a table is read in columns.
export const settings = {
  PORT:                     wholeNumber(0, 65535, 8080).describe('Port of the HTTP service.'),
  HOST:                     z.string().optional().describe('Address to listen on; 127.0.0.1 in sandbox mode, 0.0.0.0 in live mode.'),
  BASE_URL:                 z.url({ protocol: /^https?$/ }).optional().describe('Public address of the service, when a proxy stands before it.'),
  ADMIN_PORT:               z.string().regex(/^(?:none|[0-9]{1,5})$/, 'must be a port, or none').optional().describe('Port of the panel, its API and the metrics; 8081 in live mode, none serves no panel. Without it a sandbox has them on PORT.'),
  ADMIN_HOST:               z.string().default('127.0.0.1').describe('Address on which ADMIN_PORT listens.'),
  ADMIN_URL:                z.url({ protocol: /^https?$/ }).optional().describe('Public address of the panel, when a proxy stands before it; never the address of payments.'),
  DATA_DIR:                 z.string().min(1).default('.data').describe('Folder of the embedded database, the key file and demo.json.'),
  DATABASE_URL:             z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://').optional().describe('PostgreSQL 15 or newer; without it the embedded one runs.'),
  DATABASE_POOL:            wholeNumber(2, 200, 16).describe('Most database connections of this process.'),
  MAX_CONCURRENT_REQUESTS:  z.string().regex(/^[1-9][0-9]{0,3}$/, 'must be a whole number from 1 to 9999').transform(Number).optional().describe('Most requests that this process works on at the same time; twice DATABASE_POOL unless given, and fewer by itself while they make each other slow.'),
  MAX_QUEUE_MS:             wholeNumber(0, 60_000, limits.overload.waitMs).describe('How many milliseconds a request may wait for its turn while the instance is busy; one that would wait longer is answered 503 with Retry-After, before anything is done.'),
  MAX_CONNECTIONS:          wholeNumber(1, 65_535, limits.overload.connections).describe('Most connections of callers, also idle ones; further ones are closed at once.'),
  GATEHOUSE_MODE:           z.enum(['sandbox', 'live']).optional().describe('sandbox brings demo merchants, a sandbox acquirer and a test clock; live has none of them. The first start writes it into the database (sandbox unless given); from then on the database decides, and another value here is refused.'),
  GATEHOUSE_KEY_FILE:       z.string().min(1).optional().describe('Key-encryption keys; in sandbox mode DATA_DIR/keys.json, made at the first start.'),
  GATEHOUSE_KEYS:           z.string().min(1).optional().describe('The text of the key file, instead of a file.'),
  TRUSTED_PROXIES:          z.string().default('').describe('Addresses or ranges whose X-Forwarded-For is believed, separated by commas.'),
  ALLOW_PRIVATE_CALLBACKS:  flag.optional().describe('true lets callbacks go to private addresses; always so in sandbox mode.'),
  ALLOW_PRIVATE_ACQUIRERS:  z.string().default('').describe('Private links of a live instance to acquirers and to the 3DS server: host names, addresses or ranges, separated by commas. All others must be public https addresses.'),
  ALLOW_PLAIN_DATABASE:     flag.optional().describe('true lets a live instance reach a database on another machine without TLS, where the way itself is encrypted.'),
  SANDBOX_URL:              z.url({ protocol: /^https?$/ }).optional().describe('A sandbox acquirer that runs already; otherwise one is started.'),
  BIN_FILE:                 z.string().min(1).optional().describe('Issuers by card number, as lines of bin,country,bank; tells issuer_country and issuer_bank.'),
  MPI_URL:                  z.url({ protocol: /^https?$/ }).optional().describe('Address of the 3DS server that merchants with the MPI service `external` use.'),
  MPI_TOKEN:                z.string().min(1).optional().describe('Bearer token for MPI_URL.'),
  PLAN_RETRY_HOURS:         z.string().regex(/^[0-9]{1,4}(,[0-9]{1,4}){0,19}$/, 'must be whole numbers separated by commas, at most 20').optional().describe('When a plan payment that was declined softly is retried: hours after each decline, for example 24,72; without it never.'),
  RETRY_BUDGETS:            z.string().refine((text) => readBudgets(text) !== null, 'must read like `visa 20/30d; mastercard 10/24h, 35/30d`').optional().describe('How often one card may be tried again, by network: tries/hours or days, for example visa 20/30d; mastercard 10/24h, 35/30d, which is the default. A network that is not named keeps its own; one without tries grants any number.'),
  WALLET_TRUST:             z.enum(['wallet maker', 'sandbox authority']).optional().describe('Whom tokens of new wallet settings are believed: wallet maker, or in sandbox mode sandbox authority, which is the default there.'),
  WALLET_A_ROOT_FILE:       z.string().min(1).optional().describe('Root certificate of the maker of wallet A, as PEM.'),
  WALLET_A_ROOT_SHA256:     z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits').optional().describe('SHA-256 of that file; another file stops the start.'),
  WALLET_B_KEYS:            keyListSource.optional().describe('Root keys of the maker of wallet B for PRODUCTION: a file, or an https address that is asked daily.'),
  WALLET_B_TEST_KEYS:       keyListSource.optional().describe('The same for TEST.'),
  WALLET_TOKEN_MINUTES:     wholeNumber(limits.wallet.tokenMinutesLow, limits.wallet.tokenMinutesHigh, limits.wallet.tokenMinutes).describe('How far the signing time of a wallet A token may be from now.'),
  WALLET_DENIED_SERIALS:    z.string().regex(/^[0-9a-fA-F]+(,[0-9a-fA-F]+)*$/, 'must be hexadecimal numbers separated by commas').optional().describe('Serial numbers of certificates whose wallet A tokens are refused.'),
  WALLET_SESSION_URL:       z.url({ protocol: /^https$/ }).default('https://apple-pay-gateway.apple.com/paymentservices/paymentSession').describe('Session service of the maker of wallet A.'),
  WALLET_SESSION_HOSTS:     z.string().regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'must be host names separated by commas').default('apple-pay-gateway.apple.com,cn-apple-pay-gateway.apple.com').describe('Hosts whose session address a payer’s browser may name.'),
  WALLET_GATEWAY:           z.string().min(1).max(64).default('gatehouse').describe('Name of this service at the maker of wallet B.'),
  WALLET_A_SCRIPT_URL:      z.url({ protocol: /^https$/ }).default('https://applepay.cdn-apple.com/jsapi/1.latest/apple-pay-sdk.js').describe('Script of the maker of wallet A for other browsers than its own.'),
  WALLET_A_SCRIPT_INTEGRITY: z.string().regex(/^sha(256|384|512)-[A-Za-z0-9+/]+=*$/, 'must be a hash as integrity attributes have it').optional().describe('Pins a fixed version of that script by its hash.'),
  WALLET_B_SCRIPT_URL:      z.url({ protocol: /^https$/ }).default('https://pay.google.com/gp/p/js/pay.js').describe('Script of the maker of wallet B.'),
  SESSION_KEY_BITS:         wholeNumber(2048, 8192, 4096).describe('Size of the RSA key that signs session tokens, when one is made.'),
  CHECKOUT_DOMAIN:          z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name').optional().describe('Host of the hosted page, below which merchants may have hosts of their own.'),
  FORMS_DOMAIN:             z.string().regex(/^(?:none|[a-z0-9-]+(\.[a-z0-9-]+)+)$/, 'must be a host name, or none').optional().describe('Host below which every merchant’s own forms have a host of their own, which wallets need; without it, or with none, forms run in a sandbox without an origin, and without wallets. A sandbox instance on this machine uses forms.localhost unless told otherwise.'),
  SMTP_URL:                 z.url({ protocol: /^smtps?$/ }).optional().describe('Mail server, as smtp://name:password@host:587; without it no mail is sent.'),
  MAIL_FROM:                z.string().regex(/^[^@]+@[^@]+$/, 'must hold an e-mail address').optional().describe('Sender of mail, for example Gatehouse <payments@example.com>.'),
  OPERATOR_EMAIL:           z.email().optional().describe('Whom alarms are mailed to, beside the merchant’s contact.'),
  REFUND_APPROVAL:          z.string().regex(/^$|^(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12}(?:,(?:[A-Z0-9]{2,10}|\*):[0-9]{1,12})*$/, 'must be CURRENCY:AMOUNT separated by commas, * for every other currency').default('*:1000').describe('Refunds above these amounts at the panel need a second person, for example EUR:500,*:1000.'),
  ...signInSettings,
  RETENTION_CARD_DAYS:      retentionDays(limits.retention.cardDays).describe('Days after its last use for which a card number is kept that no saved card, chain or running payment needs.'),
  RETENTION_PAYER_DAYS:     retentionDays(limits.retention.payerDays).describe('Days after the last change of a payment for which its payer’s name, addresses and the like are kept.'),
  LOG_LEVEL:                z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('How much is logged.'),
} as const

const schema = z.object(settings)
type Settings = z.output<typeof schema>

export type Mode = 'sandbox' | 'live'

export interface Config extends FormsPlace {
  readonly role: Role
  readonly mode: Mode
  /** Who decided the mode; `default` is a database that no start has given one yet. */
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
  /** As given; `admin/refund-limit.ts` reads it. */
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
  /** As certificates encode them, hexadecimal. */
  readonly deniedSerials: ReadonlySet<string>
  readonly sessionUrl: string
  readonly sessionHosts: ReadonlySet<string>
  readonly gateway: string
  readonly checkoutDomain: string | null
  /** The makers' own scripts on the hosted page. */
  readonly scripts: Readonly<
    Record<'walletapay' | 'walletbpay', { readonly url: string; readonly integrity: string | null }>
  >
}

export interface MailConfig {
  readonly url: Secret<string>
  readonly from: string
  readonly operator: string | null
}

/** Names that print as `***` in `gatehouse config`. */
export const secretSettings: ReadonlySet<string> = new Set(['DATABASE_URL', 'GATEHOUSE_KEYS', 'MPI_TOKEN', 'SMTP_URL'])

/** `databaseMode` is the mode that the first start wrote into the database, null before that or while the database is not open yet. */
export function readConfig(
  role: Role,
  environment: NodeJS.ProcessEnv = process.env,
  databaseMode: Mode | null = null,
): Config {
  const given = { ...fileSettings(environment['GATEHOUSE_CONFIG']), ...sent(environment) }
  const parsed = schema.safeParse(given)
  const proxies = parseIpList((parsed.data?.TRUSTED_PROXIES ?? '').split(','))
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...(proxies.ok ? [] : proxies.faults.map((fault) => `TRUSTED_PROXIES: ${fault}`)),
  ]
  const named = parsed.data?.GATEHOUSE_MODE
  if (named && databaseMode && named !== databaseMode) throw contradiction(named, databaseMode)
  const mode = databaseMode ?? named ?? 'sandbox'
  if (mode === 'live' && parsed.data && !parsed.data.GATEHOUSE_KEY_FILE && !parsed.data.GATEHOUSE_KEYS) {
    faults.push(
      'GATEHOUSE_KEY_FILE: a live instance needs its key-encryption keys; make them with "npm run gatehouse -- keys create FILE".',
    )
  }
  if (parsed.data?.MPI_URL && !parsed.data.MPI_TOKEN) faults.push('MPI_TOKEN: the 3DS server of MPI_URL needs a token.')
  if (parsed.data?.SMTP_URL && !parsed.data.MAIL_FROM) faults.push('MAIL_FROM: mail of SMTP_URL needs a sender.')
  faults.push(...walletFaults(parsed.data, mode), ...signInFaults(parsed.data, mode === 'live'))
  if (!parsed.success || !proxies.ok || faults.length > 0) {
    throw new StartupError(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      'Correct the environment or the file that GATEHOUSE_CONFIG names; "npm run gatehouse -- config" explains every setting.',
    )
  }
  const modeFrom = databaseMode ? 'database' : named ? 'setting' : 'default'
  return Object.freeze({ ...configOf(role, parsed.data, proxies.list, mode), modeFrom })
}

const contradiction = (named: Mode, databaseMode: Mode): StartupError =>
  new StartupError(
    `This database belongs to a ${databaseMode} instance, and GATEHOUSE_MODE is ${named}.`,
    `Set GATEHOUSE_MODE to ${databaseMode} or leave it out; a ${named} instance needs another database (DATABASE_URL or DATA_DIR).`,
  )

function configOf(role: Role, given: Settings, trustedProxies: IpList, mode: Mode): Omit<Config, 'modeFrom'> {
  const sandbox = mode === 'sandbox'
  const dataDir = resolve(given.DATA_DIR)
  return {
    role,
    mode,
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

function walletFaults(given: Settings | undefined, mode: Mode): readonly string[] {
  const { WALLET_A_ROOT_FILE: rootFile, WALLET_A_ROOT_SHA256: sha256, WALLET_TRUST: trust } = given ?? {}
  return [
    ...(rootFile && !sha256 ? ['WALLET_A_ROOT_SHA256: the root file of WALLET_A_ROOT_FILE must be pinned.'] : []),
    ...(mode === 'live' && trust === 'sandbox authority'
      ? ['WALLET_TRUST: a live instance has no sandbox authority.']
      : []),
  ]
}

/** An empty variable counts as not set, as shells and compose files leave them. */
const sent = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (name in settings && value ? [[name, value]] : [])),
  )

function fileSettings(path: string | undefined): Readonly<Record<string, string>> {
  if (!path) return {}
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).parse(parsed)
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    throw new StartupError(
      `The configuration file ${path} could not be read: ${error instanceof Error ? error.message : String(error)}`,
      'GATEHOUSE_CONFIG must name a JSON object of setting names and values.',
    )
  }
}
