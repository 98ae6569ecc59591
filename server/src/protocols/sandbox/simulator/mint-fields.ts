/** The fields of a mint request that are read before it is forwarded to the sandbox (Chapter 40 §20.3). */
import { isObject, parseJson } from '#domain/json.ts'
import type { Wallet } from '#domain/mid.ts'

export type Fields = Readonly<Record<string, unknown>>

/** An object, or its JSON; null for anything else. */
export function readFields(body: unknown): Fields | null {
  const value = Buffer.isBuffer(body) ? parseJson(body.toString('utf8')) : body
  return isObject(value) ? { ...value } : null
}

export function readWallet({ wallet = 'walletapay' }: Fields): Wallet | null {
  return wallet === 'walletapay' || wallet === 'walletbpay' ? wallet : null
}
