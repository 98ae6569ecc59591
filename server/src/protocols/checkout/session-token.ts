/**
 * Session tokens: the base64url text of a compact JWT that names a session, and the amount that a visitor of a payment link chose.
 * Chapter 30 §3.6.
 *
 * Only tokens with one of our own headers are read, so that a token cannot choose another algorithm. The header's type says what the token
 * permits: a release that does not know a type refuses the token.
 */
import { sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { isUuid } from '#domain/uuid.ts'
import type { ReadToken, SessionTokens } from '../../contracts/session-ports.ts'
import type { SessionKeys } from './session-keys.ts'

/** Longer texts cannot be our tokens: even a key of 16384 bits gives a shorter one. */
const longest = 8192

export function sessionTokens(keys: Pick<SessionKeys, 'readCurrent' | 'findPublicKey'>): SessionTokens {
  return {
    issue: async ({ id, createdAt, expiresAt, visitorAmount }, use = 'session') => {
      const { id: kid, privateKey } = await keys.readCurrent()
      const header = encodePart(headerWith(kid, visitorAmount === undefined ? use : 'visit'))
      const chosen = visitorAmount === undefined ? {} : { amount: visitorAmount }
      const payload = encodePart({ iat: seconds(createdAt), jti: id, exp: seconds(expiresAt), ...chosen })
      const signature = await signAsync('RSA-SHA256', Buffer.from(`${header}.${payload}`), privateKey)
      return Buffer.from(`${header}.${payload}.${signature.toString('base64url')}`).toString('base64url')
    },
    read: async (token) => {
      const parts = partsOf(token)
      const key = parts && (await keys.findPublicKey(parts.kid))
      if (!key) return null
      const isOurs = await verifyAsync('RSA-SHA256', Buffer.from(parts.signed), key, parts.signature)
      return isOurs ? parts.read : null
    },
  }
}

// Both run outside the event loop, because a signature of 4096 bits takes milliseconds.
const signAsync = promisify(sign)
const verifyAsync = promisify(verify)

/** What the header's type says; `visit` has an amount. */
const types = { session: 'JWT', collect: 'collect+jwt', visit: 'visit+jwt' } as const
type Type = keyof typeof types
const typeNames: readonly Type[] = ['session', 'collect', 'visit']

const headerWith = (kid: string, type: Type) => ({ typ: types[type], alg: 'RS256', kid })

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

interface Parts {
  readonly kid: string
  readonly read: ReadToken
  /** The text under the signature. */
  readonly signed: string
  readonly signature: Buffer
}

function partsOf(token: string): Parts | null {
  if (token.length > longest || !/^[\w-]+$/.test(token)) return null
  const jwt = Buffer.from(token, 'base64url').toString('latin1')
  const [, header = '', payload = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(jwt) ?? []
  const kid = textIn(header, 'kid')
  const sessionId = textIn(payload, 'jti')
  if (kid === null || sessionId === null || !isUuid(sessionId)) return null
  const type = typeNames.find((one) => header === encodePart(headerWith(kid, one)))
  const visitorAmount = type === 'visit' ? textIn(payload, 'amount') : undefined
  if (type === undefined || visitorAmount === null) return null
  const read: ReadToken = {
    sessionId,
    use: type === 'collect' ? 'collect' : 'session',
    ...(visitorAmount === undefined ? {} : { visitorAmount }),
  }
  return { kid, read, signed: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url') }
}

/** Runs before the signature is verified, so the content is not trusted. */
function textIn(part: string, name: string): string | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    const members = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
    const text: unknown = members.get(name)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
