/** The keys that sign wallet B tokens, all of them marked (Chapter 40 §14, §20.1). */
import { type KeyPair, pairOfText, textOfPair } from './key-pair.ts'

export type Environment = 'TEST' | 'PRODUCTION'
export type WalletBVersion = 'ECv1' | 'ECv2'

interface EnvironmentKeys {
  readonly ECv1: KeyPair
  readonly ECv2: KeyPair
  readonly intermediate: KeyPair
  /** The previous intermediate key, as long as it may still sign. */
  readonly former: { readonly key: KeyPair; readonly until: Date } | null
}

export interface WalletBKeys {
  readonly expiresAt: Date
  readonly TEST: EnvironmentKeys
  readonly PRODUCTION: EnvironmentKeys
}

export const environments: readonly Environment[] = ['TEST', 'PRODUCTION']
/** Two roots and an intermediate for each environment. */
export const MARKED_KEYS = 6

export function arrangeKeys(keys: readonly KeyPair[], expiresAt: Date): WalletBKeys {
  const [a, b, c, d, e, f] = keys
  if (!a || !b || !c || !d || !e || !f) throw new Error('Too few marked keys.')
  return {
    expiresAt,
    TEST: { ECv1: a, ECv2: b, intermediate: c, former: null },
    PRODUCTION: { ECv1: d, ECv2: e, intermediate: f, former: null },
  }
}

interface KeyList {
  readonly keys: readonly {
    readonly keyValue: string
    readonly protocolVersion: string
    readonly keyExpiration: string
  }[]
}

/** The list of root keys in the wallet provider's format. */
export function keyListOf({ ECv1, ECv2 }: EnvironmentKeys, expiresAt: Date): KeyList {
  const keyExpiration = String(expiresAt.getTime())
  const entry = (protocolVersion: WalletBVersion, { spki }: KeyPair) => ({
    keyValue: spki.toString('base64'),
    protocolVersion,
    keyExpiration,
  })
  return { keys: [entry('ECv1', ECv1), entry('ECv2', ECv2)] }
}

interface StoredEnvironment {
  readonly ECv1: string
  readonly ECv2: string
  readonly intermediate: string
  readonly former: { readonly key: string; readonly until: string } | null
}

export interface StoredWalletB {
  readonly expiresAt: string
  readonly TEST: StoredEnvironment
  readonly PRODUCTION: StoredEnvironment
}

export function keepKeys({ expiresAt, TEST, PRODUCTION }: WalletBKeys): StoredWalletB {
  return { expiresAt: expiresAt.toISOString(), TEST: keepEnvironment(TEST), PRODUCTION: keepEnvironment(PRODUCTION) }
}

export function restoreKeys({ expiresAt, TEST, PRODUCTION }: StoredWalletB): WalletBKeys {
  return {
    expiresAt: new Date(expiresAt),
    TEST: restoreEnvironment(TEST),
    PRODUCTION: restoreEnvironment(PRODUCTION),
  }
}

function keepEnvironment({ ECv1, ECv2, intermediate, former }: EnvironmentKeys): StoredEnvironment {
  return {
    ECv1: textOfPair(ECv1),
    ECv2: textOfPair(ECv2),
    intermediate: textOfPair(intermediate),
    former: former && { key: textOfPair(former.key), until: former.until.toISOString() },
  }
}

function restoreEnvironment({ ECv1, ECv2, intermediate, former }: StoredEnvironment): EnvironmentKeys {
  return {
    ECv1: pairOfText(ECv1),
    ECv2: pairOfText(ECv2),
    intermediate: pairOfText(intermediate),
    former: former && { key: pairOfText(former.key), until: new Date(former.until) },
  }
}
