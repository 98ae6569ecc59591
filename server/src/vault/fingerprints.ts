import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Secret } from '#domain/secret.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Place } from './envelope.ts'

/**
 * Keyed fingerprints, for finding equal values without opening any. Card numbers are few enough to be tried one by one, so
 * a plain digest would give them away; the key is what prevents it. Each scope and purpose has a key of its own, derived by
 * HKDF-SHA-256, so that fingerprints of two merchants cannot be laid side by side.
 */
export function fingerprints(
  instanceKey: KeyObject,
  maxScopes: number,
): (place: Place, value: Secret<string>) => string {
  const derived = new BoundedCache<string, KeyObject>(maxScopes)

  return ({ scope, purpose }, value) => {
    const context = JSON.stringify(['fingerprint', scope, purpose])
    let key = derived.get(context)
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', instanceKey, '', context, 32)))
      derived.set(context, key)
    }
    return createHmac('sha256', key).update(value.reveal(), 'utf8').digest('hex')
  }
}
