/** Reads a private key from a file, in every form that the settings accept, or as the bare number of an EC key. */
import { createECDH, createPrivateKey } from 'node:crypto'
import type { Wallet } from '#domain/mid.ts'
import { type ActiveKey, keyFields, readPrivateKey } from '#server/wallets/tokens/processing-key.ts'
import { CommandError } from '../kit/command-error.ts'

export function readActiveKey(content: string, wallet: Wallet, source: string): ActiveKey {
  const text = content.trim()
  const field = wallet === 'walletapay' ? keyFields.walletAProcessing : keyFields.walletB
  const reading = readPrivateKey(/^[0-9a-f]{64}$/i.test(text) ? pemOfNumber(text, source) : text, field)
  if (!reading.ok)
    throw new CommandError(`${source}: ${reading.fault.text}`, 'Give the private key as PEM, or in one line of base64.')
  return { key: reading.key, state: 'current', until: null }
}

/** Published tokens often come with the number alone. */
function pemOfNumber(hex: string, source: string): string {
  const number = Buffer.from(hex, 'hex')
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(number)
  } catch {
    throw new CommandError(`${source}: The number is not a P-256 private key.`, 'Give the key as PEM.')
  }
  const point = curve.getPublicKey()
  const base64url = (bytes: Buffer): string => bytes.toString('base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
    d: base64url(number),
  }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'pkcs8' }).toString()
}
