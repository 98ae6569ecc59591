/** A key with its certificate, checked against each other and against their record. Chapter 40 §3, §4.2. */
import type { KeyRole, WalletKeyRecord, WalletSettings } from '../../contracts/wallet-records.ts'
import { keyField } from '../accounts/opened-keys.ts'
import { activeKeys } from '../accounts/state.ts'
import type { Certificate } from '../tokens/asn1/certificate.ts'
import { pairFault, readCertificateText } from '../tokens/certificate-pair.ts'
import { pem } from '../tokens/certificate-request.ts'
import { entryFault } from '../tokens/entry-fault.ts'
import { readPrivateKey, type WalletKey } from '../tokens/processing-key.ts'
import { acceptEntry, blank, type EntryResult, faultOf, refuseEntry } from './context.ts'

export interface PairEntry {
  readonly privateKey: string
  readonly certificate?: string | undefined
}

export interface Pair {
  readonly key: WalletKey
  readonly certificate: CertificateText | null
}

interface CertificateText {
  readonly pem: string
  readonly until: Date
}

interface PairContext {
  readonly settings: WalletSettings
  readonly role: KeyRole
  /** All keys of the record, including retired ones. */
  readonly keys: readonly WalletKeyRecord[]
  readonly now: Date
}

export function readPair({
  settings,
  role,
  entry,
  keys,
  now,
}: PairContext & { readonly entry: PairEntry }): EntryResult<Pair> {
  const field = privateField(settings.wallet, role)
  const reading = readPrivateKey(entry.privateKey, keyField(settings.wallet, role))
  if (!reading.ok) return refuseEntry(faultOf(field, reading.fault))
  const { key, notes } = reading
  const active = (['identity', 'processing'] as const).flatMap((one) => activeKeys(keys, one, now))
  if (active.some(({ fingerprint }) => fingerprint === key.fingerprint))
    return refuseEntry(faultOf(field, entryFault('K12')))
  const { certificate: text } = entry
  // An identity key is useless without its certificate; a processing key decrypts without one.
  if (text === undefined)
    return role === 'identity'
      ? refuseEntry({ field: 'certificate', text: blank })
      : acceptEntry({ key, certificate: null }, notes)
  const certificate = checkedCertificate({ settings, role, keys, now }, text, key)
  return certificate.ok ? acceptEntry({ key, certificate: certificate.value }, notes) : certificate
}

/** A certificate alone, with the active key of the record that it belongs to. */
export function pairedCertificate(
  scene: PairContext & { readonly text: string },
): EntryResult<{ readonly record: WalletKeyRecord; readonly certificate: CertificateText }> {
  const { keys, role, now, text } = scene
  const field = certificateField(role)
  const reading = readCertificateText(text)
  if (!reading.ok) return refuseEntry(faultOf(field, reading.fault))
  const active = activeKeys(keys, role, now)
  if (active.length === 0) return refuseEntry({ field: privateField(scene.settings.wallet, role), text: blank })
  const record = active.find(({ spki }) => spki.equals(reading.certificate.spki))
  if (record === undefined) return refuseEntry(faultOf(field, entryFault('K9')))
  const certificate = checkedCertificate(scene, text, record)
  return certificate.ok ? acceptEntry({ record, certificate: certificate.value }) : certificate
}

/** Refuses an existing certificate that was issued for another Merchant Identifier than the record now has (K11). */
export function checkIdentifier(
  { certificate: text, role, spki }: WalletKeyRecord,
  merchantIdentifier: string,
  now: Date,
): EntryResult<null> {
  if (text === null) return acceptEntry(null)
  const reading = readCertificateText(text)
  if (!reading.ok) return refuseEntry(faultOf(certificateField(role), reading.fault))
  const fault = pairFault({ certificate: reading.certificate, key: { spki }, role, merchantIdentifier, now })
  return fault?.id === 'K11' ? refuseEntry(faultOf(certificateField(role), fault)) : acceptEntry(null)
}

/** The name of the field for the private part. */
export function privateField(wallet: WalletSettings['wallet'], role: KeyRole): string {
  return role === 'identity' || wallet === 'walletbpay' ? 'private_key' : 'processing_private_key'
}

export const certificateField = (role: KeyRole): string =>
  role === 'identity' ? 'certificate' : 'processing_certificate'

function checkedCertificate(
  { settings, role, now }: PairContext,
  text: string,
  key: { readonly spki: Buffer },
): EntryResult<CertificateText> {
  const field = certificateField(role)
  const reading = readCertificateText(text)
  if (!reading.ok) return refuseEntry(faultOf(field, reading.fault))
  const { certificate } = reading
  const { merchantIdentifier } = settings.fields
  if (merchantIdentifier === undefined) return refuseEntry({ field: 'merchant_identifier', text: blank })
  const fault = pairFault({ certificate, key, role, merchantIdentifier, now })
  return fault ? refuseEntry(faultOf(field, fault)) : acceptEntry(textOf(certificate))
}

const textOf = ({ der, validUntil }: Certificate): CertificateText => ({
  pem: pem('CERTIFICATE', der),
  until: validUntil,
})
