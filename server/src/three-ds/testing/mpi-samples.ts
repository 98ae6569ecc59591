/** Requests and answers for the tests of the MPI services. */
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { secret } from '#domain/secret.ts'
import type { Log } from '../../contracts/ports.ts'
import type { AuthenticationRequest } from '../mpi.ts'

/** Values that must never appear in a log. */
export const canaries = {
  number: '4111111111111111',
  token: 'mpi-token-6f1d0a2e',
  authenticationValue: 'AAABBJg0VhI0VniQEjRWAAAAAAA=',
} as const

const browser: BrowserFacts = {
  colorDepth: '24',
  screenHeight: '1080',
  screenWidth: '1920',
  javaEnabled: 'false',
  javascriptEnabled: 'true',
  language: 'de-AT',
  timezoneOffset: '-60',
  userAgent: 'Browser/1.0',
  acceptHeaders: 'text/html',
  platform: 'Linux',
}

export const request: AuthenticationRequest = {
  paymentId: '0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02',
  amountMinor: 1000n,
  currency: 'EUR',
  merchantName: 'Example Shop',
  card: {
    number: secret(canaries.number),
    expiryMonth: 5,
    expiryYear: 2038,
    verificationCode: secret('917'),
    holder: null,
  },
  payer: { first_name: 'John', last_name: 'Doe', email: 'doe@example.com', country: 'DE' },
  payerIp: '203.0.113.7',
  returnUrl: 'https://pay.example.com/verify/3ds/0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02/5f0c3a9be1d24c7786a1f2d0b3c4e5f6',
  browser,
  recurringInit: false,
  language: 'sp',
}

/** Everything that a 3DS server may report besides its status. */
export const reportedFacts = {
  messageVersion: '2.2.0',
  threeDSServerTransID: '6a6e2b50-3c3f-4a0c-9b0a-7f1f3f1a0001',
  dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  acsTransID: '9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f',
  eci: '05',
  authenticationValue: canaries.authenticationValue,
} as const

export interface WrittenLog extends Log {
  readonly lines: readonly string[]
}

export function writtenLog(): WrittenLog {
  const lines: string[] = []
  const write = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  return { lines, debug: write, info: write, warn: write, error: write }
}
