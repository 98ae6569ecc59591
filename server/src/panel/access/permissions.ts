/**
 * Who may do what at the panel: every permission with its reach and the built-in roles that have it, as one table. Chapter 50 §8.
 *
 * A permission with reach `merchant` can be used by a user who is restricted to some merchants, for those alone. One with reach `platform`
 * is useless to such a user, whatever the role says, because it would show or change what belongs to all.
 */
type Reach = 'merchant' | 'platform'

// biome-ignore format: a table is read in columns.
const roleCodes = {
  owner:             'O', // everything, users and roles included
  operator:          'P', // runs the service: merchants, MIDs, mappings, routing
  support:           'S', // helps merchants: reads, resends, unblocks
  finance:           'F', // moves money: captures, refunds, disputes, reports
  developer:         'D', // integrates: mappings, callbacks, the sandbox
  auditor:           'A', // sees everything, changes nothing
  'merchant-admin':  'M', // belongs to a merchant: its settings, money and people
  'merchant-viewer': 'V', // belongs to a merchant, read-only
} as const

type BuiltInRole = keyof typeof roleCodes

// biome-ignore format: a table is read in columns.
const rows = [
  // permission              reach        roles        what it allows
  ['dashboard.read',         'merchant',  'OPSFDAMV',  'View the dashboard.'],
  ['payments.read',          'merchant',  'OPSFDAMV',  'Search payments and view their details.'],
  ['payments.export',        'merchant',  'OP-F-AM-',  'Export payments as CSV.'],
  ['payments.capture',       'merchant',  'OP-F--M-',  'Capture holds, individually or in bulk.'],
  ['payments.refund',        'merchant',  'OP-F--M-',  'Refund and void payments.'],
  ['payments.retry',         'merchant',  'OPSF----',  'Retry declined recurring payments.'],
  ['payments.decide',        'merchant',  'OP-F----',  'Decide unknown outcomes and record money given back by hand.'],
  ['payments.dispute',       'merchant',  'OP-F----',  'Record chargebacks.'],
  ['payments.annotate',      'merchant',  'OPSF--M-',  'Write notes and tags on payments.'],
  ['payments.reveal',        'merchant',  'O-------',  'View full card numbers.'],
  ['links.write',            'merchant',  'OPSF--M-',  'Create, mail and cancel payment links.'],
  ['terminal.use',           'merchant',  'OPS---M-',  'Take card payments by telephone and mail.'],
  ['payers.erase',           'merchant',  'OP----M-',  'Erase payer data permanently.'],
  ['callbacks.read',         'merchant',  'OPSFDAMV',  'View callbacks, responses and blocked addresses.'],
  ['callbacks.resend',       'merchant',  'OPS-D-M-',  'Resend callbacks and unblock addresses.'],
  ['merchants.read',         'merchant',  'OPSFDAMV',  'View merchants and their settings.'],
  ['merchants.create',       'platform',  'OP------',  'Create merchants.'],
  ['merchants.write',        'merchant',  'OP------',  'Change operator settings of a merchant.'],
  ['merchants.settings',     'merchant',  'OP--D-M-',  'Change notification addresses, allowed IP addresses and contact.'],
  ['merchants.secrets',      'merchant',  'OP----M-',  'Rotate passwords and webhook secrets, and request to see a password.'],
  ['wallets.read',           'merchant',  'OPS-DAMV',  'View wallet settings, certificates and domains.'],
  ['wallets.write',          'merchant',  'OP----M-',  'Change wallet settings, keys and domains.'],
  ['wallet-platform.read',   'platform',  'OPS-DA--',  'View the operator’s wallet record.'],
  ['wallet-platform.write',  'platform',  'OP------',  'Change the operator’s wallet record and complete setup tasks of its merchants.'],
  ['mids.read',              'platform',  'OPSFDA--',  'View MIDs and connectors.'],
  ['mids.write',             'platform',  'OP------',  'Create and change MIDs and their credentials.'],
  ['mappings.read',          'merchant',  'OPSFDAMV',  'View merchant and protocol mappings.'],
  ['mappings.write',         'merchant',  'OP--D---',  'Change merchant and protocol mappings.'],
  ['brands.read',            'platform',  'OPSFDA--',  'View brands and card networks.'],
  ['brands.write',           'platform',  'OP------',  'Change brands and enable or disable card networks.'],
  ['settlements.read',       'platform',  'OP-F-A--',  'View settlement files and differences.'],
  ['settlements.write',      'platform',  'OP-F----',  'Import settlement files and resolve differences.'],
  ['accounts.read',          'merchant',  'OP-F-AMV',  'View price lists, accounts and statements.'],
  ['accounts.write',         'merchant',  'OP-F----',  'Change price lists and bank accounts of merchants.'],
  ['payouts.read',           'platform',  'OP-F-A--',  'View payout runs.'],
  ['payouts.write',          'platform',  'OP-F----',  'Close statements, prepare payout runs and mark them paid.'],
  ['routing.read',           'platform',  'OPSFDA--',  'View routing rules.'],
  ['routing.write',          'platform',  'OP------',  'Draft routing rules and request their publication.'],
  ['schedules.read',         'merchant',  'OPSFDAMV',  'View schedules and plans.'],
  ['schedules.write',        'merchant',  'OP-F--M-',  'Change schedules and end plans.'],
  ['branding.read',          'merchant',  'OPS-DAMV',  'View the branding of the hosted page.'],
  ['branding.write',         'merchant',  'OP--D-M-',  'Change the branding of the hosted page.'],
  ['forms.review',           'platform',  'OP------',  'Approve or return merchants’ forms.'],
  ['users.read',             'merchant',  'OP---AM-',  'View users.'],
  ['users.write',            'merchant',  'O-----M-',  'Create, change and disable users.'],
  ['roles.write',            'platform',  'O-------',  'Create and change roles.'],
  ['approvals.read',         'merchant',  'OP-F-AM-',  'View approval requests.'],
  ['approvals.decide',       'merchant',  'OP-F----',  'Approve or refuse requests of other users.'],
  ['audit.read',             'merchant',  'OP---AM-',  'View the audit log.'],
  ['audit.verify',           'platform',  'OP---A--',  'Verify and download the whole audit log.'],
  ['alerts.read',            'merchant',  'OPSFDAM-',  'View alerts.'],
  ['alerts.resolve',         'merchant',  'OPSF----',  'Resolve alerts.'],
  ['alerts.write',           'platform',  'OP------',  'Choose where alerts are sent.'],
  ['system.read',            'platform',  'OP--DA--',  'View health, jobs and keys.'],
  ['simulator.use',          'merchant',  'OPS-D-M-',  'Create tokens with the wallet simulator of a sandbox.'],
  ['clock.write',            'platform',  'OP--D---',  'Move the test clock of a sandbox.'],
] as const satisfies readonly (readonly [string, Reach, string, string])[]

export type Permission = (typeof rows)[number][0]

interface PermissionRow {
  readonly name: Permission
  readonly reach: Reach
  readonly roles: readonly BuiltInRole[]
  readonly about: string
}

export const permissions: readonly PermissionRow[] = rows.map(([name, reach, codes, about]) => ({
  name,
  reach,
  roles: builtInRoles().filter((role) => codes.includes(roleCodes[role])),
  about,
}))

/** The roles whose users belong to one merchant and never see the platform. */
export const merchantRoles: readonly string[] = ['merchant-admin', 'merchant-viewer'] satisfies readonly BuiltInRole[]

/** What a user may do, and for which merchants. */
export interface Grant {
  readonly permissions: ReadonlySet<Permission>
  readonly merchants: 'all' | ReadonlySet<string>
}

export function permissionsOfRole(role: string, custom: readonly string[] | null): ReadonlySet<Permission> {
  const own = permissions.filter(({ name, roles }) =>
    custom === null ? roles.some((one) => one === role) : custom.includes(name),
  )
  return new Set(own.map(({ name }) => name))
}

export const isPermission = (name: string): name is Permission => permissions.some((row) => row.name === name)

export function isBuiltInRole(name: string): name is BuiltInRole {
  return Object.hasOwn(roleCodes, name)
}

export function builtInRoles(): readonly BuiltInRole[] {
  return Object.keys(roleCodes).filter(isBuiltInRole)
}

export const reachOf = (permission: Permission): Reach =>
  permissions.find(({ name }) => name === permission)?.reach ?? 'platform'

/** True if a permission may be used at all; `reaches` decides for which merchants. */
export function may({ permissions: granted, merchants }: Grant, permission: Permission): boolean {
  return granted.has(permission) && (merchants === 'all' || reachOf(permission) === 'merchant')
}

export const reaches = ({ merchants }: Grant, merchantId: string): boolean =>
  merchants === 'all' || merchants.has(merchantId)

/** Users cannot grant more than they have: neither permissions nor merchants. */
export function covers(grantor: Grant, grant: Grant): boolean {
  const merchants = grant.merchants
  return (
    [...grant.permissions].every((permission) => grantor.permissions.has(permission)) &&
    (grantor.merchants === 'all' || (merchants !== 'all' && [...merchants].every((id) => reaches(grantor, id))))
  )
}
