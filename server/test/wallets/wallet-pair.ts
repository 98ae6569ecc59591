import type { Fields } from '../shop.ts'

/** A wallet token of the documented shape that no device made. */
export const walletPair: Fields = {
  digital_wallet: 'walletapay',
  payment_token: JSON.stringify({
    paymentData: {
      data: Buffer.alloc(256, 1).toString('base64'),
      signature: Buffer.alloc(512, 2).toString('base64'),
      header: {
        publicKeyHash: Buffer.alloc(32, 3).toString('base64'),
        ephemeralPublicKey: Buffer.alloc(91, 4).toString('base64'),
        transactionId: '5'.repeat(64),
      },
      version: 'EC_v1',
    },
    paymentMethod: { displayName: 'Visa 3478', network: 'Visa', type: 'credit' },
    transactionIdentifier: '5'.repeat(64),
  }),
}
