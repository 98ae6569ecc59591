/** The second factor by time (RFC 6238): six digits, thirty seconds, one step of tolerance, and every code counts once. */
import { TOTP, Secret as TotpSecret } from 'otpauth'
import { type Secret, secret } from '#domain/secret.ts'

const periodSeconds = 30
const secretBytes = 20

/** `random` is the hexadecimal of 20 random bytes. */
export function newTotpSecret(random: (bytes: number) => string): Secret<string> {
  return secret(TotpSecret.fromHex(random(secretBytes)).base32)
}

/** What an authenticator reads from a QR code. */
export const totpAddress = (of: Secret<string>, email: string, issuer: string): string =>
  totp(of, email, issuer).toString()

/** The step that the code belongs to; null when it is wrong, or of a step that was used. `at` is the machine's time, as the phone's is. */
export function stepOfCode(of: Secret<string>, code: string, at: Date, lastStep: bigint): bigint | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = totp(of, '', '').validate({ token: code, timestamp, window: 1 })
  if (delta === null) return null
  const step = BigInt(Math.floor(timestamp / (periodSeconds * 1000)) + delta)
  return step > lastStep ? step : null
}

const totp = (of: Secret<string>, label: string, issuer: string): TOTP =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: TotpSecret.fromBase32(of.reveal()),
  })
