/**
 * Every page of the panel, in the order of its navigation. A page is one row here and one folder beside this file.
 *
 * How a page is written: `pages/<noun>/page.tsx` exports one component that takes `PageArguments` and draws `<Page title=…>` from the
 * kit, outermost and at once, so that heading and title stand while its data is under way. It reads with `useReading` (one answer) or
 * `usePages` (a list page by page), changes with `call` inside `useForm` or `ConfirmDialog`, and shows what it read with `Loaded` or
 * `DataTable`, which bring the loading, empty and error states along. Filters live in the address by `useFilters`; so do tabs.
 * What needs a permission stands within `<May use="…">`; the row's own permission is asked before the page is drawn. Styles that
 * no part of the kit has go to `pages/<noun>/style.css`, named after the page, with one line in `style/style.css`.
 *
 * Each page is a file of its own in the browser, loaded when it is first opened.
 */
import type { ComponentType } from 'preact'
import type { Permission } from '../api/api-types.ts'
import type { IconName } from '../kit/icon.tsx'
import type { PageArguments } from './page-arguments.ts'

export type PageComponent = ComponentType<PageArguments>

export type Group = 'Payments' | 'Merchants' | 'Acquiring' | 'People' | 'System'

export interface PageRow {
  /** Below `/admin`. */
  readonly path: string
  /** The title of what is loading, and the words of the navigation. */
  readonly title: string
  /** Null for everybody who is signed in. */
  readonly permission: Permission | null
  /** Where it stands in the navigation; `top` has no group, and null is not there. */
  readonly group: Group | 'top' | null
  readonly icon: IconName
  /** There is no such page on a live instance. */
  readonly sandboxOnly?: boolean
  readonly load: () => Promise<PageComponent>
}

type Load = PageRow['load']

const row = (
  path: string,
  title: string,
  permission: PageRow['permission'],
  group: PageRow['group'],
  icon: IconName,
  load: Load,
): PageRow => ({ path, title, permission, group, icon, load })

const sandbox = (page: PageRow): PageRow => ({ ...page, sandboxOnly: true })

const dashboard: Load = async () => (await import('./dashboard/page.tsx')).DashboardPage
const payments: Load = async () => (await import('./payments/page.tsx')).PaymentsPage
const payment: Load = async () => (await import('./payment/page.tsx')).PaymentPage
const captures: Load = async () => (await import('./captures/page.tsx')).CapturesPage
const schedules: Load = async () => (await import('./schedules/page.tsx')).SchedulesPage
const refusedTokens: Load = async () => (await import('./refused-tokens/page.tsx')).RefusedTokensPage
const callbacks: Load = async () => (await import('./callbacks/page.tsx')).CallbacksPage
const merchants: Load = async () => (await import('./merchants/page.tsx')).MerchantsPage
const merchant: Load = async () => (await import('./merchant/page.tsx')).MerchantPage
const mappings: Load = async () => (await import('./mappings/page.tsx')).MappingsPage
const branding: Load = async () => (await import('./branding/page.tsx')).BrandingPage
const forms: Load = async () => (await import('./forms/page.tsx')).FormsPage
const platformWallet: Load = async () => (await import('./platform-wallet/page.tsx')).PlatformWalletPage
const mids: Load = async () => (await import('./mids/page.tsx')).MidsPage
const mid: Load = async () => (await import('./mid/page.tsx')).MidPage
const connectors: Load = async () => (await import('./connectors/page.tsx')).ConnectorsPage
const brands: Load = async () => (await import('./brands/page.tsx')).BrandsPage
const brand: Load = async () => (await import('./brand/page.tsx')).BrandPage
const routing: Load = async () => (await import('./routing/page.tsx')).RoutingPage
const simulator: Load = async () => (await import('./simulator/page.tsx')).SimulatorPage
const approvals: Load = async () => (await import('./approvals/page.tsx')).ApprovalsPage
const users: Load = async () => (await import('./users/page.tsx')).UsersPage
const user: Load = async () => (await import('./user/page.tsx')).UserPage
const roles: Load = async () => (await import('./roles/page.tsx')).RolesPage
const audit: Load = async () => (await import('./audit/page.tsx')).AuditPage
const alerts: Load = async () => (await import('./alerts/page.tsx')).AlertsPage
const system: Load = async () => (await import('./system/page.tsx')).SystemPage
const account: Load = async () => (await import('./account/page.tsx')).AccountPage

// biome-ignore format: a table is read in columns.
export const pages: readonly PageRow[] = [
  //  path                                        title                permission          group        icon         page
  row('/',                                        'Dashboard',         'dashboard.read',   'top',       'chart',     dashboard),

  row('/payments',                                'Transactions',      'payments.read',    'Payments',  'payments',  payments),
  row('/merchants/:merchantId/payments/:paymentId', 'Transaction',     'payments.read',    null,        'payments',  payment),
  row('/captures',                                'Capture queue',     'payments.read',    'Payments',  'capture',   captures),
  row('/schedules',                               'Schedules',         'schedules.read',   'Payments',  'calendar',  schedules),
  row('/refused-tokens',                          'Refused tokens',    'wallets.read',     'Payments',  'shield',    refusedTokens),
  row('/callbacks',                               'Callbacks',         'callbacks.read',   'Payments',  'callback',  callbacks),

  row('/merchants',                               'Merchants',         'merchants.read',   'Merchants', 'merchant',  merchants),
  row('/merchants/:merchantId',                   'Merchant',          'merchants.read',   null,        'merchant',  merchant),
  row('/mappings',                                'Protocol mappings', 'mappings.read',    'Merchants', 'settings',  mappings),
  row('/branding',                                'Checkout branding', 'branding.read',    'Merchants', 'brush',     branding),
  row('/forms',                                   'SDK forms',         'branding.read',    'Merchants', 'form',      forms),
  row('/platform-wallet',                         'Platform wallet',   'wallet-platform.read', 'Merchants', 'key',   platformWallet),

  row('/mids',                                    'MIDs',              'mids.read',        'Acquiring', 'link',      mids),
  row('/mids/:midId',                             'MID',               'mids.read',        null,        'link',      mid),
  row('/connectors',                              'Connectors',        'mids.read',        'Acquiring', 'plug',      connectors),
  row('/brands',                                  'Brands',            'brands.read',      'Acquiring', 'tag',       brands),
  row('/brands/:brand',                           'Brand',             'brands.read',      null,        'tag',       brand),
  row('/routing',                                 'Routing',           'routing.read',     'Acquiring', 'route',     routing),

  row('/approvals',                               'Approvals',         'approvals.read',   'People',    'approval',  approvals),
  row('/users',                                   'Users',             'users.read',       'People',    'users',     users),
  row('/users/:userId',                           'User',              'users.read',       null,        'users',     user),
  row('/roles',                                   'Roles',             'users.read',       'People',    'shield',    roles),
  row('/audit',                                   'Audit log',         'audit.read',       'People',    'audit',     audit),

  row('/alerts',                                  'Alerts',            'alerts.read',      'System',    'alert',     alerts),
  row('/system',                                  'Health',            'system.read',      'System',    'health',    system),
  sandbox(
  row('/simulator',                               'Wallet simulator',  null,               'System',    'simulator', simulator)),

  row('/account',                                 'Your account',      null,               null,        'user',      account),
]
