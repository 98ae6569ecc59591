/** Payments with wallet tokens: minted by the simulator behind the gateway, sent on either S2S protocol. Chapter 40 §20.3. */
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { readyRequests } from '#server/protocols/sandbox/simulator/ready-requests.ts'
import type { Reply } from './merchant.ts'
import type { Stage } from './stage.ts'

export type TokenWallet = 'walletapay' | 'walletbpay'
export type TokenProtocol = 's2s-card' | 's2s-apm'

type MerchantStage = Pick<Stage, 'merchant'>

const amount = '10.00'
const currency = 'EUR'
/** The card number behind every token here: the simulator's card that is approved. Chapter 40 §20.2. */
const deviceNumber = '4000001000000018'

const mintedSchema = z.object({ token: z.string() })

export async function mintToken({ merchant }: MerchantStage, url: string, wallet: TokenWallet): Promise<string> {
  const reply = await fetch(`${url}/simulator/api/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_key: merchant.key, wallet, amount, currency }),
  })
  if (!reply.ok) throw new Error(`No token was minted: ${await reply.text()}`)
  return mintedSchema.parse(await reply.json()).token
}

export interface TokenSale {
  readonly orderId: string
  readonly wallet: TokenWallet
  readonly protocol: TokenProtocol
  readonly token: string
}

export function payWithToken({ merchant }: MerchantStage, url: string, sale: TokenSale): Promise<Reply> {
  const { orderId, wallet, protocol, token } = sale
  if (protocol === 's2s-card') merchant.paidWith(orderId, deviceNumber)
  else merchant.paidOnApm(orderId)
  const { s2s_card, s2s_apm } = readyRequests({
    clientKey: merchant.key,
    password: secret(merchant.password),
    digests: { card: 'md5', apm: 'md5' },
    publicUrl: url,
    wallet,
    orderId,
    amount,
    currency,
    token,
  })
  const request = protocol === 's2s-card' ? s2s_card : s2s_apm
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return merchant.raw(url, { path: new URL(request.url).pathname, body: request.body, headers })
}

/** Removes the wallet's keys, so that its tokens are passed on to the acquirer unopened. Chapter 40 §9. */
export async function forgetKeys({ pool, merchant }: Stage, wallet: TokenWallet): Promise<void> {
  await pool.query(
    `update wallet_keys set state = 'retired', private_sealed = null, retired_at = now()
     where wallet = $1 and role = 'processing' and merchant_id = (select id from merchants where key = $2)`,
    [wallet, merchant.key],
  )
}
