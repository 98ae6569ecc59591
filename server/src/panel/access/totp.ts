/** The time-based second factor (RFC 6238): six digits, thirty seconds, one step of tolerance, and each code is accepted once. */
import { TOTP, Secret as TotpSecret } from 'otpauth'
import { type Secret, secret } from '#domain/secret.ts'

const periodSeconds = 30
const secretBytes = 20

/** `random` returns random bytes in hexadecimal. */
export function newTotpSecret(random: (bytes: number) => string): Secret<string> {
  return secret(TotpSecret.fromHex(random(secretBytes)).base32)
}

/** Writes the address that an authenticator reads from a QR code. */
export const totpAddress = (of: Secret<string>, email: string, issuer: string): string =>
  totp(of, email, issuer).toString()

/** The time step of the code; null if it is wrong or its step was used. `at` is the machine's time, as on the phone. */
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
