/**
 * The wallet data that may have to be sent again: the token if the acquirer decrypts it, else the cryptogram or EMV data. It is sealed
 * with the payment and erased with the outcome of its first step. Chapter 40 §10.
 */
import type { Secret } from '#domain/secret.ts'
import type { DecryptedWallet, WalletPayment } from '../../connectors/connector.ts'
import type { Opening, PaymentRecord, WalletFacts } from '../../contracts/records.ts'
import type { ChargeData } from '../exchange/charge.ts'
import type { Deps } from '../request/deps.ts'
import type { UsableCard } from './card.ts'

export async function sealWallet(
  { vault }: Deps,
  merchantId: string,
  { token, decrypted }: WalletPayment,
): Promise<Opening['sealedData']> {
  if (token) return { purpose: 'wallet', sealed: await vault.seal(merchantId, 'wallet-token', token) }
  const proof = decrypted?.cryptogram ?? decrypted?.emvData
  return proof ? { purpose: 'wallet', sealed: await vault.seal(merchantId, 'cryptogram', proof) } : null
}

type StoredCard = Pick<UsableCard, 'data' | 'merchantToken'>

/** The data for repeating the first step; null if it is erased or, on a sandbox, was never stored. */
export async function readStoredWallet(
  deps: Deps,
  { merchantId, id, facts }: PaymentRecord,
  card: StoredCard | null,
): Promise<Required<Pick<ChargeData, 'card' | 'wallet'>> | null> {
  const { wallet } = facts
  if (!wallet) return null
  const sealed = await deps.payments.readSealedData(merchantId, id, 'wallet')
  if (wallet.flow !== 'decrypted') {
    const token = sealed && (await deps.vault.open(merchantId, 'wallet-token', sealed))
    return token && { card: null, wallet: { name: wallet.name, token, decrypted: null } }
  }
  const proof = sealed && (await deps.vault.open(merchantId, 'cryptogram', sealed))
  // A device's number cannot be charged without its cryptogram; a funding number never had one.
  if (!card || (!proof && wallet.panType === 'DPAN')) return null
  return { card: card.data, wallet: { name: wallet.name, token: null, decrypted: decryptedOf(wallet, proof, card) } }
}

/** A charge on a wallet's chain, without the payer: the stored number and the merchant token, without a cryptogram. */
export function chainWallet(first: PaymentRecord | null, card: StoredCard): WalletPayment | null {
  const wallet = first?.facts.wallet
  if (!wallet) return null
  return { name: wallet.name, token: null, decrypted: decryptedOf({ panType: wallet.panType, eci: null }, null, card) }
}

/** PIN data is never kept. */
function decryptedOf(
  { panType, dataType = '3DSecure', eci }: Pick<WalletFacts, 'panType' | 'dataType' | 'eci'>,
  proof: Secret<string> | null,
  { merchantToken }: StoredCard,
): DecryptedWallet {
  return {
    panType: panType ?? 'DPAN',
    dataType,
    cryptogram: dataType === '3DSecure' ? proof : null,
    eci,
    emvData: dataType === 'EMV' ? proof : null,
    pinData: null,
    merchantToken: merchantToken?.identifier ?? null,
  }
}
