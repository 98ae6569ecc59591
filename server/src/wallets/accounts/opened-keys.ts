/** Private keys from the vault. They stay in memory with the configuration, so that a payment needs no decryption by the vault. */
import type { WalletKeyRecord } from '../../contracts/wallet-records.ts'
import type { Vault } from '../../vault/port.ts'
import { type ActiveKey, type KeyField, keyFields, readPrivateKey, type WalletKey } from '../tokens/processing-key.ts'

/** The key with its rotation state; null if it is retired. */
export async function openKey(vault: Vault, record: WalletKeyRecord): Promise<ActiveKey | null> {
  const { state, until } = record
  if (state === 'retired') return null
  const key = await openPrivateKey(vault, record)
  return key && { key, state, until }
}

export async function openPrivateKey(
  vault: Vault,
  { merchantId, privateSealed, wallet, role, fingerprint }: WalletKeyRecord,
): Promise<WalletKey | null> {
  if (privateSealed === null) return null
  const text = await vault.open(merchantId, 'wallet-key', privateSealed)
  const reading = readPrivateKey(text.reveal(), keyField(wallet, role))
  // It was validated by the same function before it was sealed.
  if (!reading.ok) throw new Error(`The stored key ${fingerprint} is damaged: ${reading.fault.text}`)
  return reading.key
}

export function keyField(wallet: WalletKeyRecord['wallet'], role: WalletKeyRecord['role']): KeyField {
  if (wallet === 'walletbpay') return keyFields.walletB
  return role === 'identity' ? keyFields.walletAIdentity : keyFields.walletAProcessing
}
