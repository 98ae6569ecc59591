/**
 * A merchant with a wallet, and a payer's device: settings entered as an operator would, tokens from the sandbox's wallet simulator. `const
 * device = await enableWallet(shop, { wallet: 'walletapay' })`, then `device.sale(await device.mint({ card: 'decline' }))`.
 */
import { generateKeyPairSync } from 'node:crypto'
import type { Wallet } from '#domain/mid.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { saveWallet, type WalletEntry } from '#server/wallets/setup/wallets.ts'
import { oneLineKey, type SampleKey, sampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { type Answer, type As, noCard, payer, type RequestFields, type Shop } from '../shop.ts'
import { pairOf } from './wallet-setup.ts'

export const merchantIdentifier = 'merchant.example.flows'

interface WalletPlan {
  readonly wallet: Wallet
  readonly merchant?: string
  readonly mode?: 'live' | 'test'
  /** Null: the provider has the key, so tokens are not opened here. */
  readonly key?: SampleKey | null
  readonly trustSource?: WalletEntry['trustSource']
  readonly enabled?: boolean
}

export interface MintOptions {
  readonly version?: string
  readonly card?: string
  readonly pan_type?: 'DPAN' | 'FPAN' | 'MPAN'
  readonly data_type?: '3DSecure' | 'EMV'
  readonly amount?: string
  readonly currency?: string
  readonly fault?: string
  readonly holder_name?: string
  readonly signed_at?: number
  readonly eci?: string
  /** Another key than the merchant's own. */
  readonly for?: SampleKey
}

export const newKey = (): SampleKey => sampleKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

export const newRsaKey = (): SampleKey => sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

export async function enableWallet(shop: Shop, plan: WalletPlan): Promise<WalletDevice> {
  const {
    wallet,
    merchant = 'demo',
    mode = 'live',
    key = newKey(),
    enabled = true,
    trustSource = 'sandbox authority',
  } = plan
  const { id: merchantId } = merchantRow(shop, merchant)
  await disableWallet(shop, plan)
  const ownKey = key && oneLineKey(key)
  const entry: WalletEntry = {
    enabled,
    trustSource,
    country: 'DE',
    shopName: 'Flows',
    ...(wallet === 'walletapay' ? walletAFields() : walletBFields),
    ...(ownKey ? { [wallet === 'walletapay' ? 'processingPrivateKey' : 'privateKey']: ownKey } : {}),
  }
  const context = { ...shop.base, instanceMode: 'sandbox', trustSource, byUser: 'test' } as const
  const environment = mode === 'live' && wallet === 'walletbpay' ? ({ environment: 'PRODUCTION' } as const) : {}
  const saved = await saveWallet(context, { merchantId, mode, wallet }, { ...entry, ...environment })
  if (!saved.ok) throw new Error(saved.faults.map(({ field, text }) => `${field}: ${text}`).join('\n'))
  await shop.service.configuration.refresh()
  return new WalletDevice(shop, wallet, key ?? newKey(), { merchant, mode })
}

/** Everything that the hosted page needs of wallet A. */
function walletAFields(): WalletEntry {
  const { certificate, privateKey } = pairOf('flows identity', { identifier: merchantIdentifier })
  return {
    merchantIdentifier,
    certificate,
    privateKey,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa', 'masterCard', 'amex'],
  }
}

const walletBFields: WalletEntry = {
  environment: 'TEST',
  merchantIdentifier: 'FLOWS',
  authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  supportedNetworks: ['VISA', 'MASTERCARD', 'AMEX'],
}

/** Removes the wallet's settings of the merchant. */
export async function disableWallet(
  shop: Shop,
  { wallet, merchant = 'demo', mode = 'live' }: WalletPlan,
): Promise<void> {
  const { id } = merchantRow(shop, merchant)
  for (const table of ['wallet_watches', 'wallet_keys', 'wallet_settings'])
    await shop.base.pool.query(`delete from ${table} where merchant_id = $1 and side = $2 and wallet = $3`, [
      id,
      mode,
      wallet,
    ])
  await shop.service.configuration.refresh()
}

function merchantRow(shop: Shop, name: string): { readonly id: string } {
  const known = shop.service.configuration.byKey(shop.merchant(name).key)
  if (!known) throw new Error(`There is no merchant ${name}.`)
  return known.merchant
}

export class WalletDevice {
  readonly shop: Shop
  readonly wallet: Wallet
  readonly key: SampleKey
  readonly as: Required<Pick<As, 'merchant' | 'mode'>>

  constructor(shop: Shop, wallet: Wallet, key: SampleKey, as: Required<Pick<As, 'merchant' | 'mode'>>) {
    this.shop = shop
    this.wallet = wallet
    this.key = key
    this.as = as
  }

  /** A token for the default order, unless the wishes change it. */
  async mint(wishes: MintOptions = {}): Promise<string> {
    return (await this.minted(wishes)).token
  }

  /** With the tokens that have to be sent before it, if the fault needs some. */
  async minted(wishes: MintOptions = {}): Promise<{ readonly token: string; readonly before?: readonly string[] }> {
    const { for: key = this.key, amount = '10.00', currency = 'EUR', ...others } = wishes
    const { merchant, mode } = this.as
    const own = this.shop.merchant(merchant)
    const order = this.wallet === 'walletapay' ? { amount, currency } : {}
    const reply = await fetch(`${this.shop.sandbox.url}/wallet/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        wallet: this.wallet,
        ...order,
        ...others,
        recipient: {
          merchant_identifier: merchantIdentifier,
          keys: [{ state: 'current', spki: key.spki.toString('base64') }],
          gateway: 'gatehouse',
          gateway_merchant_id: mode === 'live' ? own.key : own.test_key,
          environment: mode === 'live' ? 'PRODUCTION' : 'TEST',
        },
      }),
    })
    const answer = (await reply.json()) as { token: string; before?: readonly string[] }
    if (!reply.ok) throw new Error(JSON.stringify(answer))
    return answer
  }

  /** S2S CARD: the pair instead of card data, signed by Formula 8. */
  sale(token: string, over: RequestFields = {}, as: Omit<As, 'merchant' | 'mode'> = {}): Promise<Answer> {
    return this.shop.sale(this.saleFields(token, over), { ...this.as, ...as })
  }

  saleFields(token: string, over: RequestFields = {}): RequestFields {
    const { password } = this.shop.merchant(this.as.merchant)
    const email = Object.hasOwn(over, 'payer_email') ? over['payer_email'] : payer['payer_email']
    const hash = this.shop.sign(cardFormulas.wallet, { email }, password)
    return { ...noCard, digital_wallet: this.wallet, payment_token: token, hash, ...over }
  }

  /** A new token and its payment. */
  async pay(wishes: MintOptions = {}, over: RequestFields = {}): Promise<Answer> {
    const { amount: order_amount = '10.00', currency: order_currency = 'EUR' } = wishes
    return this.sale(await this.mint(wishes), { order_amount, order_currency, ...over })
  }
}
