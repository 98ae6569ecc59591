/**
 * The configuration of a process: read once from the environment, or from the JSON file named by GATEHOUSE_CONFIG, validated as a whole,
 * and frozen. All faults are listed together, each with a remedy. The only file that reads `process.env`.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type Issuers, noIssuers } from '#domain/issuer.ts'
import type { RetentionDays } from '#domain/retention.ts'
import { type RetryBudgets, readBudgets, usualBudgets } from '#domain/routing/budget.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { readValue } from '../contracts/value-faults.ts'
import { type PrivateAcquirers, readPrivateAcquirers } from '../network/acquirer-address.ts'
import { type IpList, parseIpList } from '../network/ip-list.ts'
import { type TraceConfig, traceConfig } from '../observe/tracing/trace-settings.ts'
import { commandName } from './command-name.ts'
import { fileFault } from './file-fault.ts'
import { type FormsDomain, formsDomainOf } from './forms-domain.ts'
import { issuersIn } from './issuer-file.ts'
import { type PanelLocation, panelLocationOf } from './panel-location.ts'
import { encodedSerial } from './setting-values.ts'
import { settings } from './settings.ts'
import { signInFaults, signInRules } from './sign-in-settings.ts'
import { type SingleSignOnConfig, singleSignOnConfig, singleSignOnFaults } from './single-sign-on-settings.ts'
import { StartupError } from './startup-error.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

const schema = z.object(settings)
type Settings = z.output<typeof schema>

type InstanceMode = 'sandbox' | 'live'

export interface Config extends FormsDomain {
  readonly role: Role
  readonly instanceMode: InstanceMode
  /** Where the mode comes from; `default` means that no start has given the database a mode yet. */
  readonly modeFrom: 'database' | 'setting' | 'default'
  readonly port: number
  readonly host: string
  readonly baseUrl: string | null
  readonly admin: PanelLocation
  /** Where a worker serves its health and metrics; null if it does not listen. */
  readonly workerListener: { readonly host: string; readonly port: number } | null
  readonly dataDir: string
  /** Under which the helper process of the family `prism` is started; null for the system's own. */
  readonly prismLoader: string | null
  readonly databaseUrl: string | null
  /** A standby for the panel's reports; null if there is none. */
  readonly databaseReadUrl: string | null
  readonly backupRecipient: string | null
  /** Null if there are no traces. */
  readonly traces: TraceConfig | null
  readonly databasePool: number
  readonly panelPool: number
  readonly overload: { readonly concurrent: number; readonly waitMs: number; readonly connections: number }
  readonly keyFile: string | null
  readonly keys: string | null
  readonly keyCommand: string | null
  readonly trustedProxies: IpList
  readonly allowPrivateCallbacks: boolean
  readonly privateAcquirers: PrivateAcquirers
  readonly allowPlainDatabase: boolean
  /** For limits of earlier releases, which had no currency. */
  readonly limitsCurrency: string | null
  readonly sandboxUrl: string | null
  readonly issuers: Issuers
  /** Null: the page draws all marks itself. */
  readonly marksDir: string | null
  readonly mpi: { readonly url: string; readonly token: Secret<string> } | null
  readonly planRetryHours: readonly number[]
  readonly retryBudgets: RetryBudgets
  readonly wallets: WalletConfig
  readonly mail: MailConfig | null
  readonly sessionKeyBits: number
  /** As given; `panel/payments/refund-limit.ts` parses it. */
  readonly refundApproval: string
  readonly signIn: SignInRules
  readonly singleSignOn: SingleSignOnConfig | null
  readonly retentionDays: RetentionDays
  /** After this many days a month of payments is removed; null: never. */
  readonly paymentDays: number | null
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

/** With a command, only a file that is named: there may be none. */
function keyFileOf(values: Settings, dataDir: string): string | null {
  if (values.GATEHOUSE_KEY_COMMAND) return values.GATEHOUSE_KEY_FILE ? resolve(values.GATEHOUSE_KEY_FILE) : null
  return values.GATEHOUSE_KEYS ? null : resolve(values.GATEHOUSE_KEY_FILE ?? `${dataDir}/keys.json`)
}

/** `databaseMode` is the mode that the first start wrote into the database; null before that, or while the database is not open yet. */
export function readConfig(
  role: Role,
  environment: NodeJS.ProcessEnv = process.env,
  databaseMode: InstanceMode | null = null,
): Config {
  const rawSettings = { ...fileSettings(environment['GATEHOUSE_CONFIG']), ...environmentSettings(environment) }
  const reading = readValue(schema, rawSettings)
  const values = reading.ok ? reading.value : undefined
  const proxies = parseIpList((values?.TRUSTED_PROXIES ?? '').split(','))
  const faults = [
    ...(reading.ok ? [] : reading.faults.map(({ path, text }) => `${path}: ${text}`)),
    ...(proxies.ok ? [] : proxies.faults.map((fault) => `TRUSTED_PROXIES: ${fault}`)),
  ]
  const named = values?.GATEHOUSE_MODE
  if (named && databaseMode && named !== databaseMode) throw modeConflict(named, databaseMode)
  const mode = databaseMode ?? named ?? 'sandbox'
  if (
    mode === 'live' &&
    values &&
    !values.GATEHOUSE_KEY_FILE &&
    !values.GATEHOUSE_KEYS &&
    !values.GATEHOUSE_KEY_COMMAND
  ) {
    faults.push(
      `GATEHOUSE_KEY_FILE: a live instance needs key-encryption keys. Create them with "${commandName} keys create FILE".`,
    )
  }
  if (values?.MPI_URL && !values.MPI_TOKEN) faults.push('MPI_TOKEN: MPI_URL needs a token.')
  if (values?.SMTP_URL && !values.MAIL_FROM) faults.push('MAIL_FROM: SMTP_URL needs a sender address.')
  faults.push(...walletFaults(values, mode), ...signInFaults(values, mode === 'live'))
  faults.push(...singleSignOnFaults(values, mode === 'live'))
  if (values === undefined || !proxies.ok || faults.length > 0) {
    throw new StartupError(
      `The configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      `Correct the environment variables or the file set by GATEHOUSE_CONFIG. "${commandName} config" explains every setting.`,
    )
  }
  const modeFrom = databaseMode ? 'database' : named ? 'setting' : 'default'
  return Object.freeze({ ...configOf(role, values, proxies.list, mode), modeFrom })
}

const modeConflict = (named: InstanceMode, databaseMode: InstanceMode): StartupError =>
  new StartupError(
    `This database belongs to a ${databaseMode} instance, but GATEHOUSE_MODE is ${named}.`,
    `Set GATEHOUSE_MODE to ${databaseMode} or remove it. A ${named} instance needs another database (DATABASE_URL or DATA_DIR).`,
  )

function configOf(
  role: Role,
  values: Settings,
  trustedProxies: IpList,
  instanceMode: InstanceMode,
): Omit<Config, 'modeFrom'> {
  const sandbox = instanceMode === 'sandbox'
  const dataDir = resolve(values.DATA_DIR)
  return {
    role,
    instanceMode,
    port: values.PORT,
    host: values.HOST ?? (sandbox ? '127.0.0.1' : '0.0.0.0'),
    baseUrl: values.BASE_URL?.replace(/\/+$/, '') ?? null,
    admin: panelLocationOf(values, sandbox),
    workerListener: values.WORKER_PORT === undefined ? null : { host: values.ADMIN_HOST, port: values.WORKER_PORT },
    dataDir,
    prismLoader: values.PRISM_LOADER ? resolve(values.PRISM_LOADER) : null,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    backupRecipient: values.BACKUP_RECIPIENT ?? null,
    traces: traceConfig(values),
    databasePool: values.DATABASE_POOL,
    panelPool: values.PANEL_DATABASE_POOL,
    overload: {
      concurrent: values.MAX_CONCURRENT_REQUESTS ?? 2 * values.DATABASE_POOL,
      waitMs: values.MAX_QUEUE_MS,
      connections: values.MAX_CONNECTIONS,
    },
    keyFile: keyFileOf(values, dataDir),
    keys: values.GATEHOUSE_KEYS ?? null,
    keyCommand: values.GATEHOUSE_KEY_COMMAND ?? null,
    trustedProxies,
    allowPrivateCallbacks: sandbox || (values.ALLOW_PRIVATE_CALLBACKS ?? false),
    privateAcquirers: readPrivateAcquirers(values.ALLOW_PRIVATE_ACQUIRERS),
    allowPlainDatabase: values.ALLOW_PLAIN_DATABASE ?? false,
    limitsCurrency: values.LIMITS_CURRENCY ?? null,
    sandboxUrl: values.SANDBOX_URL ?? null,
    issuers: values.BIN_FILE ? issuersIn(resolve(values.BIN_FILE)) : noIssuers,
    marksDir: values.MARKS_DIR ? resolve(values.MARKS_DIR) : null,
    mpi: values.MPI_URL ? { url: values.MPI_URL, token: secret(values.MPI_TOKEN ?? '') } : null,
    planRetryHours: values.PLAN_RETRY_HOURS?.split(',').map(Number) ?? [],
    retryBudgets: readBudgets(values.RETRY_BUDGETS ?? '') ?? usualBudgets,
    wallets: walletConfig(values, sandbox),
    mail: values.SMTP_URL
      ? { url: secret(values.SMTP_URL), from: values.MAIL_FROM ?? '', operator: values.OPERATOR_EMAIL ?? null }
      : null,
    sessionKeyBits: values.SESSION_KEY_BITS,
    ...formsDomainOf(values, sandbox),
    refundApproval: values.REFUND_APPROVAL,
    signIn: signInRules(values, !sandbox),
    singleSignOn: singleSignOnConfig(values, !sandbox),
    retentionDays: { cards: values.RETENTION_CARD_DAYS, payers: values.RETENTION_PAYER_DAYS },
    paymentDays: values.RETENTION_PAYMENT_DAYS ?? null,
    logLevel: values.LOG_LEVEL,
  }
}

function walletConfig(values: Settings, sandbox: boolean): WalletConfig {
  const { WALLET_A_ROOT_FILE: rootFile, WALLET_A_ROOT_SHA256: sha256 = '' } = values
  const source = (named: string | undefined): string | null =>
    named === undefined || named.startsWith('https://') ? (named ?? null) : resolve(named)
  return {
    trustSource: values.WALLET_TRUST ?? (sandbox ? 'sandbox authority' : 'wallet maker'),
    rootFile: rootFile ? { path: resolve(rootFile), sha256 } : null,
    keyLists: { PRODUCTION: source(values.WALLET_B_KEYS), TEST: source(values.WALLET_B_TEST_KEYS) },
    tokenMinutes: values.WALLET_TOKEN_MINUTES,
    deniedSerials: new Set(values.WALLET_DENIED_SERIALS?.split(',').map(encodedSerial)),
    sessionUrl: values.WALLET_SESSION_URL,
    sessionHosts: new Set(values.WALLET_SESSION_HOSTS.split(',')),
    gateway: values.WALLET_GATEWAY,
    checkoutDomain: values.CHECKOUT_DOMAIN ?? null,
    scripts: {
      walletapay: { url: values.WALLET_A_SCRIPT_URL, integrity: values.WALLET_A_SCRIPT_INTEGRITY ?? null },
      walletbpay: { url: values.WALLET_B_SCRIPT_URL, integrity: null },
    },
  }
}

function walletFaults(values: Settings | undefined, instanceMode: InstanceMode): readonly string[] {
  const { WALLET_A_ROOT_FILE: rootFile, WALLET_A_ROOT_SHA256: sha256, WALLET_TRUST: trust } = values ?? {}
  return [
    ...(rootFile && !sha256 ? ['WALLET_A_ROOT_SHA256: set it to the SHA-256 of WALLET_A_ROOT_FILE.'] : []),
    ...(instanceMode === 'live' && trust === 'sandbox authority'
      ? ['WALLET_TRUST: a live instance has no sandbox authority.']
      : []),
  ]
}

/** An empty variable counts as not set, because shells and compose files leave them so. */
const environmentSettings = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (name in settings && value ? [[name, value]] : [])),
  )

function fileSettings(path: string | undefined): Readonly<Record<string, string>> {
  if (!path) return {}
  const unreadable = (reason: string): StartupError =>
    new StartupError(
      `The configuration file ${path} could not be read. ${reason}`,
      'GATEHOUSE_CONFIG must be a JSON file with setting names and values.',
    )
  const reading = readValue(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    parseFile(path, unreadable),
  )
  if (!reading.ok)
    throw unreadable(reading.faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`)).join(' '))
  return Object.fromEntries(Object.entries(reading.value).map(([name, value]) => [name, String(value)]))
}

function parseFile(path: string, unreadable: (reason: string) => StartupError): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(fileFault(error))
  }
  try {
    return JSON.parse(text)
  } catch {
    // The message of the JSON parser quotes the text, which may contain secrets.
    throw unreadable('It is not valid JSON.')
  }
}
