/**
 * A wallet provider other than the sandbox: the settings with which an instance trusts it, and tokens as its devices make them for the
 * default order. `const maker = await openMaker()`, `openShop(maker.settings)`, then `device.sale(deviceTokenA(device))`.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { sha256 } from '#server/wallets/tokens/testing/keys.ts'
import * as a from '#server/wallets/tokens/testing/wallet-a.ts'
import * as b from '#server/wallets/tokens/testing/wallet-b.ts'
import type { Fields } from '../shop.ts'
import { merchantIdentifier, type WalletDevice } from './wallet-device.ts'

interface WalletProvider extends AsyncDisposable {
  readonly settings: Fields
}

/** `keyList`: the root keys of wallet B, as the wallet provider publishes them. */
export async function openProvider(keyList: string = b.keyList()): Promise<WalletProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-maker-'))
  const [rootFile, keysFile] = [join(folder, 'root.pem'), join(folder, 'keys.json')]
  await writeFile(rootFile, pem(root.der))
  await writeFile(keysFile, keyList)
  return {
    settings: {
      WALLET_A_ROOT_FILE: rootFile,
      WALLET_A_ROOT_SHA256: sha256(pem(root.der)).toString('hex'),
      WALLET_B_KEYS: keysFile,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

export function deviceTokenA(device: WalletDevice, signature: Partial<a.SignaturePlan> = {}): string {
  const content = { ...JSON.parse(a.plaintext), currencyCode: '978', transactionAmount: 1000 }
  const plan = {
    recipient: device.key,
    namedKey: device.key,
    merchantIdentifier,
    transactionId: randomBytes(32),
    plaintext: JSON.stringify(content),
  }
  return JSON.stringify(a.mint(plan, { signedAt: device.shop.base.clock.now(), ...signature }))
}

export function deviceTokenB(device: WalletDevice, version: 'ECv1' | 'ECv2' = 'ECv2', details: object = {}): string {
  const { key } = device.shop.merchant(device.as.merchant)
  const usual = JSON.parse(b.plaintext)
  const paymentMethodDetails = { ...usual.paymentMethodDetails, ...details }
  const content = { ...usual, paymentMethodDetails, gatewayMerchantId: key, messageId: randomUUID() }
  return JSON.stringify(b.mint({ version, recipientKey: device.key, plaintext: JSON.stringify(content) }))
}
