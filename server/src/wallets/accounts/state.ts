/** Derives the state of a merchant's wallet in one mode (Chapter 40 §3), with its reasons. */
import { utcDay } from '#domain/time.ts'
import type { KeyRole, WalletDomain, WalletKeyRecord, WalletSettings } from '../../contracts/wallet-records.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'

type WalletState = 'draft' | 'live' | 'degraded' | 'lapsed' | 'disabled'

export interface WalletStateData {
  readonly settings: WalletSettings
  /** The operator's record, if the settings use the platform setup and it exists. */
  readonly platform: WalletSettings | null
  /** Keys of the record that holds them: the operator's in the platform setup, otherwise the merchant's own. */
  readonly keys: readonly WalletKeyRecord[]
  readonly domains: readonly WalletDomain[]
  readonly now: Date
}

export interface DerivedState {
  readonly state: WalletState
  /** Sentences, the deciding one first; empty if there is nothing to report. */
  readonly reasons: readonly string[]
}

export function walletState(facts: WalletStateData): DerivedState {
  const missing = draftReasons(facts)
  if (missing.length > 0) return { state: 'draft', reasons: missing }
  if (!facts.settings.enabled) return { state: 'disabled', reasons: ['The wallet is switched off.'] }
  const lapsed = roles.flatMap((role) => lapseOf(facts, role))
  if (lapsed.length > 0) return { state: 'lapsed', reasons: lapsed }
  const reasons = [...failingDomains(facts), ...unknownExpiry(facts), ...checkoutReasons(facts)]
  return { state: reasons.length > 0 ? 'degraded' : 'live', reasons }
}

/** Only these two states take payments. */
export const takesPayments = (state: WalletState): boolean => state === 'live' || state === 'degraded'

/** The record whose keys and certificates serve these settings. */
export const ownerOf = ({
  settings,
  platform,
}: Pick<WalletStateData, 'settings' | 'platform'>): WalletSettings | null =>
  settings.setup === 'platform' ? platform : settings

export const activeKeys = (keys: readonly WalletKeyRecord[], role: KeyRole, now: Date): readonly WalletKeyRecord[] =>
  keys.filter((key) => key.role === role && key.state !== 'retired' && (key.until === null || now <= key.until))

/** Only these states show the button (chapter 40 §8). */
export const showsButton = ({ state }: WalletDomain): boolean => state === 'verified' || state === 'failing'

const roles: readonly KeyRole[] = ['identity', 'processing']

function draftReasons({ settings, platform }: WalletStateData): readonly string[] {
  if (settings.wallet === 'walletbpay') return []
  if (settings.setup === 'own_account')
    return settings.fields.merchantIdentifier === undefined ? ['Merchant identifier is missing.'] : []
  return [
    ...(platform?.fields.merchantIdentifier === undefined ? ['The platform record is not set up.'] : []),
    ...(settings.fields.merchantIdentifier === undefined
      ? ['The merchant is not registered at the wallet provider yet.']
      : []),
  ]
}

/**
 * A role lapses when it has certificates and every active one has expired. A key without a certificate has no known expiry and keeps the
 * role alive; an identity pair that is only `next` does not.
 */
function lapseOf({ keys, now }: WalletStateData, role: KeyRole): readonly string[] {
  const active = activeKeys(keys, role, now)
  const serving = role === 'identity' ? active.filter(({ state }) => state === 'current') : active
  const certified = serving.filter(({ certificateUntil }) => certificateUntil !== null)
  const over = certified.filter(({ certificateUntil }) => certificateUntil !== null && certificateUntil < now)
  if (certified.length === 0 || over.length < serving.length) return []
  return [`The ${role} certificate expired on ${utcDay(latestExpiry(over))}.`]
}

function failingDomains({ domains }: WalletStateData): readonly string[] {
  const failing = domains.filter(({ state }) => state === 'failing' || state === 'suspended')
  return failing.map(({ domain, lastFault }) => `The domain ${domain} fails its check: ${lastFault ?? 'no answer'}.`)
}

/** Wallet B has no certificates, so its expiry cannot be unknown. */
function unknownExpiry({ settings, keys, now }: WalletStateData): readonly string[] {
  if (settings.wallet === 'walletbpay') return []
  const uncertified = activeKeys(keys, 'processing', now).some(({ certificateUntil }) => certificateUntil === null)
  return uncertified ? ['The expiry of the processing key is not known: add the processing certificate.'] : []
}

/** A wallet without one of these is usable on S2S only. */
function checkoutReasons(facts: WalletStateData): readonly string[] {
  const domain = needsDomain(facts) && !facts.domains.some(showsButton) ? ['a verified domain'] : []
  return missingText([...missingFields(facts), ...domain])
}

/**
 * The sentence about settings that the hosted page and the SDK need and that are missing; none if the settings are complete. A button
 * without one of them would be shown and then fail. Domains are not part of it, because they depend on the page.
 */
export const incompleteSettings = (facts: WalletStateData): string | null =>
  missingText(missingFields(facts))[0] ?? null

function missingText(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`It is usable on S2S only, Checkout needs: ${names.join(', ')}.`]
}

const missingFields = (facts: WalletStateData): readonly string[] =>
  needsOf(facts)
    .filter(({ isMet }) => !isMet(facts))
    .map(({ name }) => name)

interface FieldNeed {
  readonly name: string
  readonly isMet: (facts: WalletStateData) => boolean
}

function needsOf({ settings }: WalletStateData): readonly FieldNeed[] {
  if (settings.wallet === 'walletbpay') return walletBNeeds
  return isPlatformRecord(settings) ? platformNeeds : walletANeeds
}

/** Merchants' records have the domains of the platform setup; wallet B checks none. */
const needsDomain = ({ settings }: WalletStateData): boolean =>
  settings.wallet === 'walletapay' && !isPlatformRecord(settings)

/** The operator's own record, which has no page and therefore neither Country nor Shop name nor domains. */
export const isPlatformRecord = ({ merchantId }: WalletSettings): boolean => merchantId === PLATFORM_SCOPE

const isFilled = (values: readonly unknown[] | undefined): boolean => (values?.length ?? 0) > 0
const identityPair = ({ keys, now }: WalletStateData): boolean =>
  activeKeys(keys, 'identity', now).some(({ state, certificate }) => state === 'current' && certificate !== null)
/** Wallet B's provider asks for the identifier in production; the sandbox's wallet does not. */
function isIdentifiedToB({ settings: { fields, trustSource } }: WalletStateData): boolean {
  return (
    fields.environment !== 'PRODUCTION' || trustSource !== 'wallet maker' || fields.merchantIdentifier !== undefined
  )
}
const isOwnAccount = ({ settings }: WalletStateData): boolean => settings.setup === 'own_account'

// biome-ignore format: a table is read in columns.
const walletANeeds: readonly FieldNeed[] = [
  { name: 'identity certificate',  isMet: identityPair },
  { name: 'Country',               isMet: ({ settings }) => settings.fields.country !== undefined },
  { name: 'Shop name',             isMet: ({ settings }) => settings.fields.shopName !== undefined },
  { name: 'Merchant capabilities', isMet: (facts) => !isOwnAccount(facts) || isFilled(facts.settings.fields.merchantCapabilities) },
  { name: 'Supported networks',    isMet: (facts) => !isOwnAccount(facts) || isFilled(facts.settings.fields.supportedNetworks) },
]

const platformNeeds: readonly FieldNeed[] = [{ name: 'identity certificate', isMet: identityPair }]

// biome-ignore format: a table is read in columns.
const walletBNeeds: readonly FieldNeed[] = [
  { name: 'Country',                        isMet: ({ settings }) => settings.fields.country !== undefined },
  { name: 'Shop name',                      isMet: ({ settings }) => settings.fields.shopName !== undefined },
  { name: 'Allowed authentication methods', isMet: ({ settings }) => isFilled(settings.fields.authMethods) },
  { name: 'Supported networks',             isMet: ({ settings }) => isFilled(settings.fields.supportedNetworks) },
  { name: 'Merchant identifier',            isMet: isIdentifiedToB },
]

function latestExpiry(keys: readonly WalletKeyRecord[]): Date {
  return new Date(Math.max(...keys.map(({ certificateUntil }) => certificateUntil?.getTime() ?? 0)))
}
