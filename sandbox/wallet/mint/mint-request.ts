/** Reads the request for a token (Chapter 40 §20.3). A text instead of a request is an error message. */
import { isObject } from '#domain/json.ts'
import { currencyNumber } from '#domain/money/currency-number.ts'
import { exponentOf, parseAmount } from '#domain/money/money.ts'
import { testCards } from '../../acquirer/triggers/triggers.ts'
import { cardNamed, type PanType, type SimulatorCard, simulatorCards } from '../cards.ts'
import { publicKeyOf } from '../key-pair.ts'
import type { Environment } from '../wallet-b-keys.ts'
import { type FaultRow, faultNamed, type Version, type Wallet } from './faults.ts'
import type { PublicKey } from './mint-a.ts'

type KeyState = 'current' | 'next' | 'retiring' | 'retired' | 'unknown'

/** The merchant for whom a token is minted: what the wallet provider knows of it. */
interface Recipient {
  readonly merchantIdentifier: string
  readonly keys: readonly (PublicKey & { readonly state: KeyState })[]
  readonly gateway: string
  readonly gatewayMerchantId: string
  readonly environment: Environment
}

export interface MintRequest {
  readonly wallet: Wallet
  readonly version: Version
  readonly recipient: Recipient
  /** Null for wallet B, whose tokens have no amount. */
  readonly order: { readonly amountMinor: bigint; readonly currency: string } | null
  readonly card: SimulatorCard
  readonly panType: PanType
  readonly dataType: '3DSecure' | 'EMV'
  readonly key: KeyState
  /** Seconds from now; null if the fault decides. */
  readonly signedAt: number | null
  readonly expiresIn: number
  readonly applicationData: string | null
  readonly transactionId: Buffer | null
  /** Null: the default. Empty: none. */
  readonly eci: string | null
  readonly holderName: string | null
  readonly envelope: 'payment_data' | 'tokenization_data' | 'bare'
  /** Null for a genuine token. */
  readonly fault: FaultRow | null
  readonly seed: string | null
}

export function readMintRequest(body: unknown): MintRequest | string {
  if (!isObject(body)) return 'The body is not a JSON object.'
  const misspelt = Object.keys(body).find((name) => !knownMembers.includes(name))
  if (misspelt !== undefined) return `${misspelt}: There is no such field.`
  try {
    return readRequest(body)
  } catch (error) {
    if (error instanceof WrongField) return error.message
    throw error
  }
}

// biome-ignore format: a list is read in lines.
const knownMembers: readonly string[] = [
  'wallet', 'version', 'merchant_key', 'recipient', 'amount', 'currency', 'card', 'pan_type', 'data_type', 'key',
  'signed_at', 'expires_in', 'application_data', 'transaction_id', 'eci', 'holder_name', 'envelope', 'fault', 'seed',
]

export const versionsOf = { walletapay: ['EC_v1', 'RSA_v1'], walletbpay: ['ECv2', 'ECv1'] } as const

class WrongField extends Error {}

function readRequest(body: Fields): MintRequest {
  const wallet = choice(body, 'wallet', ['walletapay', 'walletbpay'])
  const version = choice<Version>(body, 'version', versionsOf[wallet])
  const panType = choice(body, 'pan_type', wallet === 'walletapay' ? ['DPAN', 'FPAN', 'MPAN'] : ['DPAN', 'FPAN'])
  const transactionId = optional(body, 'transaction_id', /^[0-9a-fA-F]{64}$/)
  const fault = readFault(optional(body, 'fault', /./) ?? 'none', version)
  return {
    wallet,
    version,
    recipient: readRecipient(body['recipient']),
    order: wallet === 'walletapay' ? readOrder(body) : null,
    card: readCard(optional(body, 'card', /./) ?? 'approve'),
    // The fault is that the number is the card's own.
    panType: fault?.fault === 'b-auth-method' ? 'FPAN' : panType,
    dataType: choice(body, 'data_type', ['3DSecure', 'EMV']),
    key: choice(body, 'key', ['current', 'next', 'retiring', 'retired', 'unknown']),
    signedAt: seconds(body, 'signed_at'),
    expiresIn: seconds(body, 'expires_in') ?? 900,
    applicationData: optional(body, 'application_data', /^.{1,4096}$/s),
    transactionId: transactionId === null ? null : Buffer.from(transactionId, 'hex'),
    eci: optional(body, 'eci', /^.{0,8}$/),
    holderName: optional(body, 'holder_name', /^.{1,255}$/),
    envelope: choice(body, 'envelope', ['payment_data', 'tokenization_data', 'bare']),
    fault,
    seed: readSeed(body['seed']),
  }
}

function readRecipient(value: unknown): Recipient {
  if (!isObject(value)) throw new WrongField('recipient: Must be an object.')
  const keys = value['keys'] ?? []
  if (!Array.isArray(keys)) throw new WrongField('recipient.keys: Must be a list.')
  return {
    merchantIdentifier: optional(value, 'merchant_identifier', /^.{0,255}$/) ?? '',
    keys: keys.map(readKey),
    gateway: optional(value, 'gateway', /^.{0,255}$/) ?? '',
    gatewayMerchantId: optional(value, 'gateway_merchant_id', /^.{0,255}$/) ?? '',
    environment: choice(value, 'environment', ['TEST', 'PRODUCTION']),
  }
}

function readKey(value: unknown): Recipient['keys'][number] {
  if (!isObject(value)) throw new WrongField('recipient.keys: Each key must be an object with state and spki.')
  const spki = Buffer.from(optional(value, 'spki', /./) ?? '', 'base64')
  const publicKey = publicKeyOf(spki)
  if (publicKey === null) throw new WrongField('recipient.keys: spki is not a public key in base64.')
  return { state: choice(value, 'state', ['current', 'next', 'retiring', 'retired']), publicKey, spki }
}

function readOrder(body: Fields): { readonly amountMinor: bigint; readonly currency: string } {
  const currency = optional(body, 'currency', /^[A-Z]{3}$/) ?? ''
  if (exponentOf(currency) === undefined || currencyNumber(currency) === undefined) {
    throw new WrongField('currency: Must be an ISO 4217 code.')
  }
  const amount = parseAmount(optional(body, 'amount', /./) ?? '', currency)
  if (typeof amount === 'string' || amount.minor > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new WrongField('amount: Must be an amount of that currency, such as 1.99.')
  }
  return { amountMinor: amount.minor, currency }
}

function readCard(name: string): SimulatorCard {
  const card = cardNamed(name)
  if (card !== undefined) return card
  const names = simulatorCards.map((one) => one.name).join(', ')
  if (testCards.includes(name.replace(/[ -]/g, ''))) {
    throw new WrongField(`card: The standard test cards do not work with a wallet. Use one of ${names}.`)
  }
  throw new WrongField(`card: Use one of ${names}.`)
}

function readFault(name: string, version: Version): FaultRow | null {
  if (name === 'none') return null
  const row = faultNamed(name)
  if (row === undefined)
    throw new WrongField('fault: There is no such fault; "gatehouse wallet matrix --list" lists all faults.')
  if (!row.versions.includes(version)) {
    throw new WrongField(`fault: ${row.fault} is a fault of ${row.versions.join(', ')} only.`)
  }
  return row
}

function readSeed(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new WrongField('seed: Must be a text or a number.')
}

type Fields = Readonly<Record<string, unknown>>

/** A missing field means the first choice. */
function choice<Choice extends string>(fields: Fields, name: string, choices: readonly Choice[]): Choice {
  const value = fields[name] ?? choices[0]
  const chosen = choices.find((one) => one === value)
  if (chosen === undefined) throw new WrongField(`${name}: Use ${choices.join(', ')}.`)
  return chosen
}

function optional(fields: Fields, name: string, form: RegExp): string | null {
  const value = fields[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string' || !form.test(value)) throw new WrongField(`${name}: This value is not valid.`)
  return value
}

function seconds(fields: Fields, name: string): number | null {
  const value = fields[name] ?? null
  if (value === null) return null
  const number = Number(value)
  if (!Number.isInteger(number) || Math.abs(number) > 1e9)
    throw new WrongField(`${name}: Must be a whole number of seconds.`)
  return number
}
