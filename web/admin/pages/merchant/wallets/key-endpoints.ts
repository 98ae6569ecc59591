/** The endpoints that change the keys of a wallet: on the record of a merchant, or on the operator's own. */
import type { Permission } from '../../../api/api-types.ts'
import { type Answer, type Body, call, type Result } from '../../../api/call.ts'
import type { WalletName, WalletRecordKey } from './wallet-record.ts'

export type NewKeyRequest = Body<'POST /merchants/:merchantId/wallets/:mode/:wallet/keys'>
export type KeyChange = Answer<'POST /merchants/:merchantId/wallets/:mode/:wallet/keys'>

export interface KeyEndpoints {
  readonly wallet: WalletName
  readonly permission: Permission
  readonly add: (wish: NewKeyRequest) => Promise<Result<KeyChange>>
  readonly promote: (fingerprint: string) => Promise<Result<KeyChange>>
  readonly retire: (fingerprint: string) => Promise<Result<KeyChange>>
}

const ofMerchant = '/merchants/:merchantId/wallets/:mode/:wallet/keys'

export function merchantKeys(recordKey: WalletRecordKey): KeyEndpoints {
  const params = { ...recordKey }
  return {
    wallet: recordKey.wallet,
    permission: 'wallets.write',
    add: (body) => call(`POST ${ofMerchant}`, { params, body }),
    promote: (fingerprint) =>
      call(`POST ${ofMerchant}/:fingerprint/promote`, { params: { ...params, fingerprint }, body: {} }),
    retire: (fingerprint) =>
      call(`POST ${ofMerchant}/:fingerprint/retire`, { params: { ...params, fingerprint }, body: {} }),
  }
}

/** Only wallet A: wallet B has no platform setup. */
export const platformKeys: KeyEndpoints = {
  wallet: 'walletapay',
  permission: 'wallet-platform.write',
  add: (body) => call('POST /platform-wallet/keys', { body }),
  promote: (fingerprint) =>
    call('POST /platform-wallet/keys/:fingerprint/promote', { params: { fingerprint }, body: {} }),
  retire: (fingerprint) =>
    call('POST /platform-wallet/keys/:fingerprint/retire', { params: { fingerprint }, body: {} }),
}
