/**
 * Every page of the panel, in the order of the navigation. A new page needs one row here, one line in `index.ts`, and one folder beside
 * this file; `npm run new:page` writes all three.
 *
 * How to write a page: `pages/<noun>/page.tsx` exports one component that takes `PageArguments` and renders `<Page title=…>` from the kit,
 * outermost and at once, so that heading and title are visible while its data loads. It reads with `useReading` (one answer) or `usePages`
 * (a list page by page), changes with `call` inside `useForm` or `ConfirmDialog`, and shows its data with `Loaded` or `DataTable`, which
 * include the loading, empty and error states. Filters are kept in the address by `useFilters`, tabs as well. Wrap what needs a permission
 * in `<May use="…">`; the permission of the row is checked before the page is rendered. Styles that the kit does not have go to
 * `pages/<noun>/style.css`, named after the page, with one line in `style/style.css`.
 */
import type { Permission } from '../api/api-types.ts'
import type { IconName } from '../kit/icon-lines.ts'

type Group = 'Payments' | 'Merchants' | 'Acquiring' | 'People' | 'System'

interface Row<Name> {
  /** Below `/admin`. */
  readonly path: string
  /** Shown while the page loads, and in the navigation. */
  readonly title: string
  /** Null: every signed-in user may see it. */
  readonly permission: Permission | null
  /** Its group in the navigation; `top` is above all groups, null is not in the navigation. */
  readonly group: Group | 'top' | null
  readonly icon: IconName
  /** The page does not exist on a live instance. */
  readonly sandboxOnly?: boolean
  /** The page's name in `index.ts`. */
  readonly page: Name
}

export type PageName = (typeof rows)[number]['page']
export type PageRow = Row<PageName>

const row = <const Name extends string>(
  path: string,
  title: string,
  permission: Permission | null,
  group: Group | 'top' | null,
  icon: IconName,
  page: Name,
): Row<Name> => ({ path, title, permission, group, icon, page })

const sandbox = <Name>(page: Row<Name>): Row<Name> => ({ ...page, sandboxOnly: true })

// biome-ignore format: a table is read in columns.
const rows = [
  //  path                                        title                permission          group        icon         page
  row('/',                                        'Dashboard',         'dashboard.read',   'top',       'chart',     'dashboard'),

  row('/analytics',                               'Analytics',         'dashboard.read',   'top',       'chart',     'analytics'),

  row('/payments',                                'Transactions',      'payments.read',    'Payments',  'payments',  'payments'),
  row('/merchants/:merchantId/payments/:paymentId', 'Transaction',     'payments.read',    null,        'payments',  'payment'),
  row('/merchants/:merchantId/payments/:paymentId/payer', 'Payer',     'payments.read',    null,        'payments',  'payer'),
  row('/unresolved',                              'Unresolved',        'payments.read',    'Payments',  'clock',     'unresolved'),
  row('/reviews',                                 'Reviews',           'payments.read',    'Payments',  'shield',    'reviews'),
  row('/disputes',                                'Disputes',          'payments.read',    'Payments',  'shield',    'disputes'),
  row('/payment-links',                           'Payment links',     'payments.read',    'Payments',  'link',      'paymentLinks'),
  row('/terminal',                                'Virtual terminal',  'terminal.use',     'Payments',  'plus',      'terminal'),
  row('/export-schedules',                        'Scheduled exports', 'payments.export',  'Payments',  'download',  'exportSchedules'),
  row('/captures',                                'Capture queue',     'payments.read',    'Payments',  'capture',   'captures'),
  row('/schedules',                               'Schedules',         'schedules.read',   'Payments',  'calendar',  'schedules'),
  row('/refused-tokens',                          'Refused tokens',    'wallets.read',     'Payments',  'shield',    'refusedTokens'),
  row('/callbacks',                               'Callbacks',         'callbacks.read',   'Payments',  'callback',  'callbacks'),
  row('/integration',                             'Integration',       'payments.read',    'Payments',  'plug',      'integration'),

  row('/merchants',                               'Merchants',         'merchants.read',   'Merchants', 'merchant',  'merchants'),
  row('/merchants/:merchantId',                   'Merchant',          'merchants.read',   null,        'merchant',  'merchant'),
  row('/mappings',                                'Protocol mappings', 'mappings.read',    'Merchants', 'settings',  'mappings'),
  row('/branding',                                'Checkout branding', 'branding.read',    'Merchants', 'brush',     'branding'),
  row('/forms',                                   'SDK forms',         'branding.read',    'Merchants', 'form',      'forms'),
  row('/price-lists',                             'Price lists',       'accounts.read',    'Merchants', 'tag',       'priceLists'),
  row('/statements',                              'Statements',        'accounts.read',    'Merchants', 'form',      'statements'),
  row('/payout-runs',                             'Payout runs',       'payouts.read',     'Merchants', 'payments',  'payoutRuns'),
  row('/platform-wallet',                         'Platform wallet',   'wallet-platform.read', 'Merchants', 'key',   'platformWallet'),

  row('/mids',                                    'MIDs',              'mids.read',        'Acquiring', 'link',      'mids'),
  row('/mids/:midId',                             'MID',               'mids.read',        null,        'link',      'mid'),
  row('/connectors',                              'Connectors',        'mids.read',        'Acquiring', 'plug',      'connectors'),
  row('/brands',                                  'Brands',            'brands.read',      'Acquiring', 'tag',       'brands'),
  row('/brands/:brand',                           'Brand',             'brands.read',      null,        'tag',       'brand'),
  row('/settlements',                             'Settlements',       'settlements.read', 'Acquiring', 'check',     'settlements'),
  row('/routing',                                 'Routing',           'routing.read',     'Acquiring', 'route',     'routing'),
  row('/risk',                                    'Risk lists',        'routing.read',     'Acquiring', 'shield',    'risk'),

  row('/approvals',                               'Approvals',         'approvals.read',   'People',    'approval',  'approvals'),
  row('/users',                                   'Users',             'users.read',       'People',    'users',     'users'),
  row('/users/:userId',                           'User',              'users.read',       null,        'users',     'user'),
  row('/service-accounts',                        'Service accounts',  'users.read',       'People',    'key',       'serviceAccounts'),
  row('/roles',                                   'Roles',             'users.read',       'People',    'shield',    'roles'),
  row('/audit',                                   'Audit log',         'audit.read',       'People',    'audit',     'audit'),

  row('/alerts',                                  'Alerts',            'alerts.read',      'System',    'alert',     'alerts'),
  row('/policy-reports',                          'Policy reports',    'system.read',      'System',    'shield',    'policyReports'),
  row('/alert-channels',                          'Alert channels',    'alerts.write',     'System',    'callback',  'alertChannels'),
  row('/system',                                  'Health',            'system.read',      'System',    'health',    'system'),
  sandbox(
  row('/simulator',                               'Wallet simulator',  'simulator.use',    'System',    'simulator', 'simulator')),

  row('/account',                                 'Your account',      null,               null,        'user',      'account'),
]

export const pages: readonly PageRow[] = rows
