/** The identity provider, by OpenID Connect. Its addresses and keys are read when they are first needed, and again after a failure. */

import type { Configuration, IDToken } from 'openid-client'
import { errorCode } from '#domain/error-code.ts'
import type { SingleSignOnConfig } from '../../process/single-sign-on-settings.ts'
import { isFreshProof } from '../access/re-authentication.ts'
import { SsoRefused } from './sso-refused.ts'

interface SentSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The user must authenticate anew, even with an open session at the provider. */
  readonly isFresh: boolean
}

export interface ProvenIdentity {
  readonly subject: string
  readonly email: string | null
  readonly name: string | null
  readonly groups: readonly string[]
  /** The provider has confirmed a second factor. */
  readonly hasSecondFactor: boolean
  /** How long ago the user authenticated at the provider; null if the ID token does not say it. */
  readonly authenticatedMsAgo: number | null
}

interface IdentityProvider {
  readonly title: string
  /** Null if it can be used; otherwise what is wrong. */
  check(): Promise<string | null>
  createSignIn(isFresh: boolean): Promise<SentSignIn>
  /** Where the browser goes. */
  composeAddress(signIn: SentSignIn, redirectUri: string): Promise<string>
  /** Throws `SsoRefused`. */
  identify(signIn: SentSignIn, cameBackTo: URL): Promise<ProvenIdentity>
  /** Where the browser goes to sign out there as well; null if the provider has no such address. */
  signOutAddress(returnTo: string): Promise<string | null>
}

/** What the panel knows of it. */
export interface SingleSignOn {
  readonly config: SingleSignOnConfig
  readonly provider: IdentityProvider
}

export const singleSignOn = (config: SingleSignOnConfig): SingleSignOn => ({
  config,
  provider: identityProvider(config),
})

/** How far the clocks of the two may differ. */
const toleranceSeconds = 60
const timeoutSeconds = 10
export function identityProvider(config: SingleSignOnConfig): IdentityProvider {
  let discovered: Promise<Configuration> | null = null
  const discoverConfiguration = async (): Promise<Configuration> => {
    discovered ??= discover(config)
    try {
      return await discovered
    } catch (error) {
      discovered = null
      throw new SsoRefused('unavailable', error)
    }
  }
  return {
    title: config.title,
    check: async () => {
      try {
        await discoverConfiguration()
        return null
      } catch (error) {
        return reasonOf(error)
      }
    },
    createSignIn: async (isFresh) => {
      const { randomNonce, randomPKCECodeVerifier, randomState } = await loadClient()
      return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), isFresh }
    },
    composeAddress: async ({ state, nonce, verifier, isFresh }, redirectUri) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadClient()
      const { href } = buildAuthorizationUrl(await discoverConfiguration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email groups',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
      return href
    },
    identify: async (signIn, cameBackTo) => {
      const known = await discoverConfiguration()
      const tokens = await exchangeCode(known, signIn, cameBackTo)
      const claims = tokens.claims()
      if (claims === undefined) throw new SsoRefused('invalid', 'The answer has no ID token.')
      refuseFuture(claims)
      const authenticatedMsAgo = msSinceAuthentication(claims)
      // Some providers ignore that they were asked to authenticate the user anew, and answer with their open session.
      if (signIn.isFresh && !isFreshProof(authenticatedMsAgo))
        throw new SsoRefused('stale', `auth_time: ${claims.auth_time}`)
      const userInfo = await requestUserInfo(known, tokens.access_token, claims)
      return { ...identityOf(config, { ...userInfo, ...claims }), authenticatedMsAgo }
    },
    signOutAddress: async (returnTo) => {
      const known = await discoverConfiguration()
      if (known.serverMetadata().end_session_endpoint === undefined) return null
      const { buildEndSessionUrl } = await loadClient()
      return buildEndSessionUrl(known, { post_logout_redirect_uri: returnTo }).href
    },
  }
}

/** Loaded when it is needed: most instances have no provider. */
const loadClient = () => import('openid-client')

async function discover(config: SingleSignOnConfig): Promise<Configuration> {
  const client = await loadClient()
  const { issuer, clientId, clientSecret, allowsPlainHttp } = config
  const metadata = { client_secret: clientSecret.reveal(), [client.clockTolerance]: toleranceSeconds }
  return client.discovery(new URL(issuer), clientId, metadata, undefined, {
    timeout: timeoutSeconds,
    ...(allowsPlainHttp ? { execute: [client.allowInsecureRequests] } : {}),
  })
}

async function exchangeCode(known: Configuration, { state, nonce, verifier }: SentSignIn, cameBackTo: URL) {
  const client = await loadClient()
  try {
    return await client.authorizationCodeGrant(known, cameBackTo, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
  } catch (error) {
    throw new SsoRefused(refusalOf(error), error)
  }
}

/** The claims of the ID token win; many providers put groups and address only here. */
async function requestUserInfo(known: Configuration, accessToken: string, { sub }: IDToken): Promise<object> {
  if (known.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await loadClient()
  try {
    return await fetchUserInfo(known, accessToken, sub)
  } catch (error) {
    throw new SsoRefused(refusalOf(error), error)
  }
}

/** The library refuses tokens that have expired; a token of the future shows a wrong clock, too. */
function refuseFuture({ iat }: IDToken): void {
  if (iat > realSeconds() + toleranceSeconds) throw new SsoRefused('clock', 'The ID token was issued in the future.')
}

/** A little in the future is a difference of the clocks; more is no authentication that took place. */
function msSinceAuthentication({ auth_time: at }: IDToken): number | null {
  if (typeof at !== 'number') return null
  const secondsAgo = realSeconds() - at
  return secondsAgo < -toleranceSeconds ? null : Math.max(0, secondsAgo * 1000)
}

/** Real time: the provider knows no test clock. */
const realSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000

function identityOf(
  { groupsClaim }: SingleSignOnConfig,
  claims: Readonly<Record<string, unknown>>,
): Omit<ProvenIdentity, 'authenticatedMsAgo'> {
  const { sub, email, email_verified: isVerified, name, amr } = claims
  return {
    subject: String(sub),
    email: typeof email === 'string' && isVerified !== false ? email.trim().toLowerCase() : null,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : null,
    groups: textsIn(claims[groupsClaim]),
    hasSecondFactor: textsIn(amr).includes('mfa'),
  }
}

/** Some providers send a single group as a text. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Codes of the library; a failed connection has none of its own. */
function refusalOf(error: unknown): 'unavailable' | 'clock' | 'refused' | 'invalid' {
  const code = errorCode(error)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock'
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'refused'
  const isLost = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  return isLost ? 'unavailable' : 'invalid'
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
