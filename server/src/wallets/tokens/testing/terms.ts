/** The terms under which the samples are genuine. */
import type { WalletATerms } from '../formats/wallet-a.ts'
import type { WalletBTerms } from '../formats/wallet-b.ts'
import { gatewayRecipient } from '../formats/wallet-b-signature.ts'
import { KnownCertificates } from '../known-certificates.ts'
import { KnownIntermediates } from '../known-intermediates.ts'
import type { OpenedToken } from '../opened-token.ts'
import { type ActiveKey, type KeyField, keyFields, readPrivateKey, type WalletKey } from '../processing-key.ts'
import { loadWalletATrust, loadWalletBTrust, type WalletATrust } from '../trust.ts'
import { pem, root } from './authority.ts'
import { oneLineKey, type SampleKey, sha256 } from './keys.ts'
import * as a from './wallet-a.ts'
import * as b from './wallet-b.ts'

export function walletKey(key: SampleKey, field: KeyField = keyFields.walletAProcessing): WalletKey {
  const reading = readPrivateKey(oneLineKey(key), field)
  if (!reading.ok) throw new TypeError(reading.fault.text)
  return reading.key
}

export const active = (
  key: SampleKey,
  state: ActiveKey['state'] = 'current',
  until: Date | null = null,
): ActiveKey => ({
  key: walletKey(key),
  state,
  until,
})

export function providerTrust(der: Buffer = root.der): WalletATrust {
  const file = pem(der)
  return loadWalletATrust({
    instanceMode: 'live',
    source: 'wallet maker',
    pem: file,
    sha256: sha256(file).toString('hex'),
  })
}

export const virtual = { kind: 'virtual', reason: 'no processing key' } as const

export const cardFlowA = {
  kind: 'card',
  reason: 'processing key',
  keys: [active(a.processingKey)],
  merchantIdentifier: a.merchantIdentifier,
  order: { currency: 'USD', amountMinor: 199n },
} as const

export const termsA: WalletATerms = {
  now: a.signedAt,
  lifetimeSeconds: 300,
  trust: providerTrust(),
  known: new KnownCertificates(),
  deniedSerials: new Set(),
  flow: cardFlowA,
  bindingValue: null,
}

export const cardFlowB = { kind: 'card', reason: 'private key', keys: [active(b.privateKey)] } as const

export const termsB: WalletBTerms = {
  now: b.now,
  trust: loadWalletBTrust({
    instanceMode: 'live',
    source: 'wallet maker',
    environment: 'PRODUCTION',
    json: b.keyList(),
    shippedFingerprints: new Set(),
  }),
  known: new KnownIntermediates(),
  recipients: { gateway: gatewayRecipient(b.gateway, b.gatewayMerchantId), merchant: null },
  flow: cardFlowB,
  allowedAuthMethods: null,
}

/** `passed`, or the failed check and its meaning: `A9 expired-or-altered`. */
export function verdict(opened: OpenedToken): string {
  if (opened.ok) return 'passed'
  const failed = opened.record.checks.filter(({ result }) => result === 'failed').map(({ id }) => id)
  return `${failed.join()} ${opened.refusal}`
}
