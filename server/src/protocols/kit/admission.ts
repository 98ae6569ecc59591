/**
 * Admission of a caller: the merchant of a key, the allowed addresses, the rate, the hash and the signature. Steps 3, 5, 6 and 9 of the order
 * of checks, which are the same on every protocol. Chapter 10 §1.3, chapter 20 §1.1, chapter 30 §1.4.
 */
import { errors, type Violation, violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { MappingOptions } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { explainRequestSignature, findRequestFault, type RequestFault } from '#domain/signature/request-signature.ts'
import type { VerifyingKeys } from '#domain/signature/signature.ts'
import type { Clock, Configuration } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import { allowsAddress, type IpList, parseIpList } from '../../network/ip-list.ts'
import type { Ticket } from '../../overload/gate.ts'
import type { Dialect, Kit, SentSignature, SignatureParts } from './dialect.ts'
import type { BaseCaller } from './prepared.ts'
import type { Permission, Rate, RequestLimiter } from './rate-limit.ts'
import type { CheckTrace } from './refusals/check-trace.ts'
import type { SentValue } from './values/sent.ts'

export interface KnownMerchant {
  readonly merchant: Merchant
  readonly mode: Mode
}

/** Null for an unknown key and for the key of a blocked merchant: other callers must not be able to distinguish the two. */
export function merchantWithKey(configuration: Configuration, key: string): KnownMerchant | null {
  const known = configuration.byKey(key.toLowerCase())
  if (!known || known.merchant.status === 'blocked') return null
  if (known.mode === 'live' && known.merchant.testOnly) throw new RefusedError(errors.useTestKey)
  return known
}

/** A missing key is reported at once, because nothing else can be checked without a merchant. */
export function requireMerchantByKey(configuration: Configuration, key: unknown, param: string): KnownMerchant {
  if (key === undefined || key === null || key === '') throw invalid({ param, text: violations.blank })
  const known = typeof key === 'string' ? merchantWithKey(configuration, key) : null
  if (!known) throw invalid({ param, text: violations.notCorrect })
  return known
}

export function admit(limiter: RequestLimiter, known: KnownMerchant, address: string): void {
  requireListed(known.merchant, address)
  requireAllowed(limiter.request(keyOf(known), address, rateOf(known.merchant)))
}

/** A merchant's server calls from a listed address; without a list, from anywhere. */
export function requireListed({ allowedIps }: Pick<Merchant, 'allowedIps'>, address: string): void {
  if (!allowsAddress(listOf(allowedIps), address)) throw new RefusedError(errors.ipNotAllowed)
}

/** Proof of the merchant's server, which an empty list is not. */
export function isOnList({ allowedIps }: Pick<Merchant, 'allowedIps'>, address: string): boolean {
  return listOf(allowedIps).includes(address)
}

/**
 * Wrong hashes and unknown entities have a ten times lower rate per key and caller address; above it, further requests of that address are
 * refused.
 */
export function countFailure(limiter: RequestLimiter, known: KnownMerchant, address: string): void {
  requireAllowed(limiter.failure(keyOf(known), address, rateOf(known.merchant)))
}

function requireAllowed(permission: Permission): void {
  if (permission.allowed) return
  throw new RefusedError(errors.tooManyRequests, { retryAfterSeconds: permission.retryAfterSeconds })
}

/** The passwords that verify a request now: the newest, and the previous one until its end. */
export async function listValidPasswords(
  { configuration, clock }: { readonly configuration: Configuration; readonly clock: Clock },
  merchantId: string,
): Promise<readonly string[]> {
  const { password, previous } = await configuration.readSecrets(merchantId)
  const stillGood = previous && previous.until > clock.now() ? [previous.password] : []
  return [password, ...stillGood].map((one) => one.reveal())
}

interface HashParts<Caller extends BaseCaller, Signed> {
  readonly kit: Kit
  readonly dialect: Dialect<Caller, Signed>
}

/** Refuses a request with a wrong hash, and counts it. */
export async function checkHash<Caller extends BaseCaller, Signed>(
  { trace, ...parts }: HashParts<Caller, Signed> & { readonly trace: CheckTrace },
  caller: Caller,
  signed: Signed,
  hash: SentValue,
): Promise<void> {
  if (await isSigned(parts, caller, signed, hash)) return
  countFailure(parts.kit.limiter, caller, caller.address)
  trace.hash = parts.dialect.explainHash(hash, signed, await openKeys(parts.kit, caller))
  throw invalid({ param: 'hash', text: violations.hash })
}

export async function isSigned<Caller extends BaseCaller, Signed>(
  { kit, dialect }: HashParts<Caller, Signed>,
  caller: Caller,
  signed: Signed,
  hash: SentValue,
): Promise<boolean> {
  return dialect.verifies(hash, signed, await openKeys(kit, caller))
}

const openKeys = async (kit: Kit, { merchant, mapping }: BaseCaller): Promise<VerifyingKeys> => ({
  passwords: await listValidPasswords(kit, merchant.id),
  digest: mapping.digest,
})

interface SignatureCheck {
  /** By the mapping: `hash` looks at no signature, `both` at one that was sent, `required` demands one. */
  readonly rule: MappingOptions['requestSignature']
  readonly trace?: Pick<CheckTrace, 'hash'>
}

/**
 * Whether the request has a good signature; refuses one that is wrong, old or used. To be asked once per request, because the id is used up.
 * Chapter 10 §4.6.
 *
 * The id is taken last, so that only the holder of the password can use up an id, and an unsigned request costs no statement. It is a key
 * that is never released: several processes serve a merchant, and keys are removed after their time. See decisions/requests#used-ids.
 */
export async function checkSignature(
  parts: SignatureParts,
  known: KnownMerchant,
  sent: SentSignature,
  check: SignatureCheck,
): Promise<boolean> {
  if (check.rule === 'hash') return false
  if (sent.headers.signature === '') {
    if (check.rule === 'both') return false
    return refuseSignature(parts, known, sent, { ...check, fault: 'unsigned' })
  }
  const passwords = await listValidPasswords(parts, known.merchant.id)
  const fault = findRequestFault(passwords, sent, sent.headers, parts.machineClock.now())
  if (fault) return refuseSignature(parts, known, sent, { ...check, fault })
  const { use } = await parts.idempotency.take(known.merchant.id, `\u0002${sent.headers.id}`, Buffer.alloc(0))
  // Not counted as a failure: a proxy may repeat a request, and its sender then repeats it with a new signature.
  if (use !== 'first') throw new RefusedError(errors.requestReplayed)
  return true
}

async function refuseSignature(
  parts: SignatureParts,
  known: KnownMerchant,
  sent: SentSignature,
  { fault, trace }: SignatureCheck & { readonly fault: SignatureFault },
): Promise<never> {
  countFailure(parts.limiter, known, sent.address)
  if (trace && (fault === 'signature' || fault === 'unsigned')) {
    const { webhookSecrets } = await parts.configuration.readSecrets(known.merchant.id)
    trace.hash = explainRequestSignature(sent, sent.headers, {
      passwords: await listValidPasswords(parts, known.merchant.id),
      webhookSecrets: webhookSecrets.map((secret) => secret.reveal()),
    })
  }
  throw invalid(signatureViolations[fault])
}

type SignatureFault = RequestFault | 'unsigned'

const { toleranceSeconds } = limits.requestSignature

// biome-ignore format: a table is read in columns.
const signatureViolations: Readonly<Record<SignatureFault, Violation>> = {
  unsigned:        { param: 'webhook-signature', text: violations.unsigned },
  signature:       { param: 'webhook-signature', text: violations.signature },
  id:              { param: 'webhook-id',        text: violations.notValid },
  timestamp:       { param: 'webhook-timestamp', text: violations.notValid },
  'too-old':       { param: 'webhook-timestamp', text: violations.tooOld(toleranceSeconds) },
  'too-far-ahead': { param: 'webhook-timestamp', text: violations.tooFarAhead(toleranceSeconds) },
}

/** Each key of a merchant has its own rate, so that tests cannot slow down live payments. */
const keyOf = ({ merchant, mode }: KnownMerchant): string => (mode === 'live' ? merchant.key : merchant.testKey)

/** How the gate treats a request: one with an order's amount begins a payment; every other request continues something. */
export const ticketOf = (known: KnownMerchant, table: object): Ticket => ({
  merchant: keyOf(known),
  continues: !Object.hasOwn(table, 'order_amount') && !Object.hasOwn(table, 'order'),
})

/** A burst of two seconds' worth, as in the default. */
const rateOf = ({ ratePerSecond }: Merchant): Rate | undefined =>
  ratePerSecond === null ? undefined : { perSecond: ratePerSecond, burst: 2 * ratePerSecond }

const compiledLists = new WeakMap<readonly string[], IpList>()

/** Entries are validated when they are saved; an unreadable list admits no caller. */
function listOf(entries: readonly string[]): IpList {
  const known = compiledLists.get(entries)
  if (known) return known
  const reading = parseIpList(entries)
  const list = reading.ok ? reading.list : { isEmpty: false, includes: () => false }
  compiledLists.set(entries, list)
  return list
}
