import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Secret } from '#domain/secret.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { SealContext } from './envelope.ts'

/**
 * Keyed fingerprints, for finding equal values without opening any. Card numbers are few enough to be tried one by one, so a plain digest
 * would reveal them; the key prevents that. Each scope and purpose has its own key, derived by HKDF-SHA-256, so that fingerprints of two
 * merchants cannot be compared.
 */
export function fingerprints(
  instanceKey: KeyObject,
  maxScopes: number,
): (place: SealContext, value: Secret<string>) => string {
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
