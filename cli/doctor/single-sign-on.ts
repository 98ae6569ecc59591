/** Checks that the identity provider answers, that its groups lead somewhere, and that an owner can sign in without it. */
import { isBuiltInRole } from '#server/panel/access/permissions.ts'
import { identityProvider } from '#server/panel/single-sign-on/provider.ts'
import type { Config } from '#server/process/config.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { roleStore } from '#server/store/people/roles.ts'
import { userStore } from '#server/store/people/users.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'single sign-on'

export async function checkSingleSignOn({ singleSignOn }: Config, pool: Pool): Promise<readonly Finding[]> {
  if (singleSignOn === null) return []
  const { issuer, groups } = singleSignOn
  const fault = await identityProvider(singleSignOn).check()
  const reached =
    fault === null
      ? ok(subject, `${issuer} answers.`)
      : problem(subject, `${issuer} cannot be used: ${fault}.`, 'Check OIDC_ISSUER, and that this machine reaches it.')
  const roles = new Set((await roleStore(pool).list()).map(({ name }) => name))
  const merchants = new Set((await merchantStore(pool).list()).map(({ name }) => name))
  const wrong = groups.flatMap((rule) => [
    ...(isBuiltInRole(rule.role) || roles.has(rule.role) ? [] : [`role ${rule.role}`]),
    ...(rule.merchants === 'all'
      ? []
      : rule.merchants.filter((name) => !merchants.has(name)).map((name) => `merchant ${name}`)),
  ])
  const unknown =
    wrong.length === 0
      ? []
      : [warning(subject, `OIDC_GROUPS names what does not exist: ${wrong.join(', ')}.`, 'Correct OIDC_GROUPS.')]
  return [reached, ...unknown, await checkLocalOwner(pool)]
}

/** The way in while the provider is down. */
async function checkLocalOwner(pool: Pool): Promise<Finding> {
  const users = await userStore(pool).list()
  const owners = users.filter(
    ({ role, status, allMerchants, isService, ssoSubject }) =>
      role === 'owner' && status === 'active' && allMerchants && !isService && ssoSubject === null,
  )
  return owners.length > 0
    ? ok(subject, `${owners.length} local ${owners.length === 1 ? 'owner' : 'owners'} for emergencies.`)
    : warning(
        subject,
        'No local owner: while the provider is down, the panel cannot be used.',
        'Create one with "gatehouse user create --role owner --all-merchants", and keep its password and second factor in a safe place.',
      )
}
