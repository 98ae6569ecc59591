/**
 * The configuration of a process: read once from the environment, or from the one JSON file that GATEHOUSE_CONFIG names, checked
 * as a whole, and frozen. All faults are listed together, each with what to do. The only place that reads `process.env`.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type Issuers, noIssuers, readIssuers } from '#domain/issuer.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { type IpList, parseIpList } from './protocols/kit/ip-list.ts'
import { StartupError } from './startup-error.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
/** A number as the environment has it: text. */
const wholeNumber = (low: number, high: number, standard: number) =>
  z
    .string()
    .regex(/^[0-9]{1,6}$/, `must be a whole number from ${low} to ${high}`)
    .transform(Number)
    .pipe(z.number().min(low).max(high))
    .default(standard)

/** Every setting with its default and its sentence; `gatehouse config` prints this table with the effective values. */
// biome-ignore format: a table is read in columns.
export const settings = {
  PORT:                     wholeNumber(0, 65535, 8080).describe('Port of the HTTP service.'),
  HOST:                     z.string().optional().describe('Address to listen on; 127.0.0.1 in sandbox mode, 0.0.0.0 in live mode.'),
  BASE_URL:                 z.url({ protocol: /^https?$/ }).optional().describe('Public address of the service, when a proxy stands before it.'),
  DATA_DIR:                 z.string().min(1).default('.data').describe('Folder of the embedded database, the key file and demo.json.'),
  DATABASE_URL:             z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://').optional().describe('PostgreSQL 15 or newer; without it the embedded one runs.'),
  DATABASE_POOL:            wholeNumber(2, 200, 16).describe('Most database connections of this process.'),
  GATEHOUSE_MODE:           z.enum(['sandbox', 'live']).default('sandbox').describe('sandbox brings demo merchants, a sandbox acquirer and a test clock; live has none of them.'),
  GATEHOUSE_KEY_FILE:       z.string().min(1).optional().describe('Key-encryption keys; in sandbox mode DATA_DIR/keys.json, made at the first start.'),
  GATEHOUSE_KEYS:           z.string().min(1).optional().describe('The text of the key file, instead of a file.'),
  TRUSTED_PROXIES:          z.string().default('').describe('Addresses or ranges whose X-Forwarded-For is believed, separated by commas.'),
  ALLOW_PRIVATE_CALLBACKS:  flag.optional().describe('true lets callbacks go to private addresses; always so in sandbox mode.'),
  SANDBOX_URL:              z.url({ protocol: /^https?$/ }).optional().describe('A sandbox acquirer that runs already; otherwise one is started.'),
  BIN_FILE:                 z.string().min(1).optional().describe('Issuers by card number, as lines of bin,country,bank; tells issuer_country and issuer_bank.'),
  MPI_URL:                  z.url({ protocol: /^https?$/ }).optional().describe('Address of the 3DS server that merchants with the MPI service `external` use.'),
  MPI_TOKEN:                z.string().min(1).optional().describe('Bearer token for MPI_URL.'),
  PLAN_RETRY_HOURS:         z.string().regex(/^[0-9]{1,4}(,[0-9]{1,4}){0,19}$/, 'must be whole numbers separated by commas, at most 20').optional().describe('When a plan payment that was declined softly is retried: hours after each decline, for example 24,72; without it never.'),
  LOG_LEVEL:                z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('How much is logged.'),
} as const

const schema = z.object(settings)
type Settings = z.output<typeof schema>

export interface Config {
  readonly role: Role
  readonly mode: 'sandbox' | 'live'
  readonly port: number
  readonly host: string
  readonly baseUrl: string | null
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databasePool: number
  readonly keyFile: string | null
  readonly keys: string | null
  readonly trustedProxies: IpList
  readonly allowPrivateCallbacks: boolean
  readonly sandboxUrl: string | null
  readonly issuers: Issuers
  readonly mpi: { readonly url: string; readonly token: Secret<string> } | null
  readonly planRetryHours: readonly number[]
  readonly logLevel: Settings['LOG_LEVEL']
}

/** Names that print as `***` in `gatehouse config`. */
export const secretSettings: ReadonlySet<string> = new Set(['DATABASE_URL', 'GATEHOUSE_KEYS', 'MPI_TOKEN'])

export function readConfig(role: Role, environment: NodeJS.ProcessEnv = process.env): Config {
  const given = { ...fileSettings(environment['GATEHOUSE_CONFIG']), ...sent(environment) }
  const parsed = schema.safeParse(given)
  const proxies = parseIpList((parsed.data?.TRUSTED_PROXIES ?? '').split(','))
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...(proxies.ok ? [] : proxies.faults.map((fault) => `TRUSTED_PROXIES: ${fault}`)),
  ]
  if (parsed.data?.GATEHOUSE_MODE === 'live' && !parsed.data.GATEHOUSE_KEY_FILE && !parsed.data.GATEHOUSE_KEYS) {
    faults.push(
      'GATEHOUSE_KEY_FILE: a live instance needs its key-encryption keys; make them with "npm run gatehouse -- keys create FILE".',
    )
  }
  if (parsed.data?.MPI_URL && !parsed.data.MPI_TOKEN) faults.push('MPI_TOKEN: the 3DS server of MPI_URL needs a token.')
  if (!parsed.success || !proxies.ok || faults.length > 0) {
    throw new StartupError(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      'Correct the environment or the file that GATEHOUSE_CONFIG names; "npm run gatehouse -- config" explains every setting.',
    )
  }
  return Object.freeze(configOf(role, parsed.data, proxies.list))
}

function configOf(role: Role, given: Settings, trustedProxies: IpList): Config {
  const sandbox = given.GATEHOUSE_MODE === 'sandbox'
  const dataDir = resolve(given.DATA_DIR)
  return {
    role,
    mode: given.GATEHOUSE_MODE,
    port: given.PORT,
    host: given.HOST ?? (sandbox ? '127.0.0.1' : '0.0.0.0'),
    baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    databasePool: given.DATABASE_POOL,
    keyFile: given.GATEHOUSE_KEYS ? null : resolve(given.GATEHOUSE_KEY_FILE ?? `${dataDir}/keys.json`),
    keys: given.GATEHOUSE_KEYS ?? null,
    trustedProxies,
    allowPrivateCallbacks: sandbox || (given.ALLOW_PRIVATE_CALLBACKS ?? false),
    sandboxUrl: given.SANDBOX_URL ?? null,
    issuers: given.BIN_FILE ? issuersIn(resolve(given.BIN_FILE)) : noIssuers,
    mpi: given.MPI_URL ? { url: given.MPI_URL, token: secret(given.MPI_TOKEN ?? '') } : null,
    planRetryHours: given.PLAN_RETRY_HOURS?.split(',').map(Number) ?? [],
    logLevel: given.LOG_LEVEL,
  }
}

function issuersIn(file: string): Issuers {
  const issuers = readIssuers(textOf(file))
  if ('of' in issuers) return issuers
  throw new StartupError(
    `The issuer file ${file} has faults:\n${issuers.faults.map((fault) => `  - ${fault}`).join('\n')}`,
    'Correct the file, or leave BIN_FILE out.',
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(
      `The issuer file could not be read: ${reason}`,
      'BIN_FILE must name a file that this user may read.',
    )
  }
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
