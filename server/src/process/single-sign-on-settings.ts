/** Settings of the single sign-on by OpenID Connect. Chapter 70 §9. */
import { z } from 'zod'
import { type Secret, secret } from '#domain/secret.ts'
import { type GroupRule, readGroupRules } from '#domain/sign-in/group-rights.ts'

const isSecret = true

// biome-ignore format: a table is read in columns.
export const singleSignOnSettings = {
  OIDC_ISSUER:              z.url({ protocol: /^https?$/, error: 'Must be a web address such as https://login.example.com.' }).optional().describe('Issuer of the identity provider (OpenID Connect) with which users sign in to the panel; https in live mode. Without it there is no single sign-on.'),
  OIDC_CLIENT_ID:           z.string().min(1).optional().describe('Client identifier of this instance at OIDC_ISSUER.'),
  OIDC_CLIENT_SECRET:       z.string().min(1).optional().meta({ secret: isSecret, description: 'Client secret of this instance at OIDC_ISSUER.' }),
  OIDC_TITLE:               z.string().min(1).max(40).default('single sign-on').describe('Name of the identity provider on the sign-in page: “Sign in with …”.'),
  OIDC_GROUPS_CLAIM:        z.string().min(1).default('groups').describe('Claim of the identity provider that lists a user’s groups.'),
  OIDC_GROUPS:              z.string().refine((text) => readGroupRules(text) !== null, 'Must read like `owners=owner; support=support; acme=merchant-admin:acme`.').optional().describe('Roles and merchants of groups, as GROUP=ROLE or GROUP=ROLE:MERCHANT+MERCHANT, separated by semicolons; the first rule that fits decides the role. Users without such a group cannot sign in.'),
  OIDC_SECOND_FACTOR:       z.enum(['amr', 'provider']).default('amr').describe('Users who need a second factor: “amr” admits them only if the provider confirms it (claim amr with mfa), “provider” trusts that it always demands one.'),
} as const

const schema = z.object(singleSignOnSettings)
type Values = z.output<typeof schema>

export interface SingleSignOnConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret<string>
  readonly title: string
  readonly groupsClaim: string
  readonly groups: readonly GroupRule[]
  readonly secondFactor: 'amr' | 'provider'
  /** Only a sandbox may use a provider without TLS. */
  readonly allowsPlainHttp: boolean
}

export function singleSignOnFaults(values: Values | undefined, isLive: boolean): readonly string[] {
  if (values?.OIDC_ISSUER === undefined) return []
  return [
    ...(values.OIDC_CLIENT_ID === undefined ? ['OIDC_CLIENT_ID: OIDC_ISSUER needs a client identifier.'] : []),
    ...(values.OIDC_CLIENT_SECRET === undefined ? ['OIDC_CLIENT_SECRET: OIDC_ISSUER needs a client secret.'] : []),
    ...(values.OIDC_GROUPS === undefined ? ['OIDC_GROUPS: OIDC_ISSUER needs roles of groups.'] : []),
    ...(isLive && !values.OIDC_ISSUER.startsWith('https:')
      ? ['OIDC_ISSUER: must be an https address in live mode.']
      : []),
  ]
}

/** Null if it is not configured. */
export function singleSignOnConfig(values: Values, isLive: boolean): SingleSignOnConfig | null {
  if (values.OIDC_ISSUER === undefined) return null
  return {
    issuer: values.OIDC_ISSUER,
    clientId: values.OIDC_CLIENT_ID ?? '',
    clientSecret: secret(values.OIDC_CLIENT_SECRET ?? ''),
    title: values.OIDC_TITLE,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    groups: readGroupRules(values.OIDC_GROUPS ?? '') ?? [],
    secondFactor: values.OIDC_SECOND_FACTOR,
    allowsPlainHttp: !isLive,
  }
}
