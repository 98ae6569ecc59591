/** The pages of `page-table.ts`. Each is a separate bundle, loaded when the page is first opened. */
import type { ComponentType } from 'preact'
import type { PageArguments } from './page-arguments.ts'
import type { PageName } from './page-table.ts'

export type PageComponent = ComponentType<PageArguments>

// biome-ignore format: a table is read in columns.
export const pageLoaders: Readonly<Record<PageName, () => Promise<PageComponent>>> = {
  dashboard:       async () => (await import('./dashboard/page.tsx')).DashboardPage,
  analytics:       async () => (await import('./analytics/page.tsx')).AnalyticsPage,
  payments:        async () => (await import('./payments/page.tsx')).PaymentsPage,
  payment:         async () => (await import('./payment/page.tsx')).PaymentPage,
  payer:           async () => (await import('./payer/page.tsx')).PayerPage,
  unresolved:      async () => (await import('./unresolved/page.tsx')).UnresolvedPage,
  reviews:         async () => (await import('./reviews/page.tsx')).ReviewsPage,
  disputes:        async () => (await import('./disputes/page.tsx')).DisputesPage,
  paymentLinks:    async () => (await import('./payment-links/page.tsx')).PaymentLinksPage,
  terminal:        async () => (await import('./terminal/page.tsx')).TerminalPage,
  captures:        async () => (await import('./captures/page.tsx')).CapturesPage,
  schedules:       async () => (await import('./schedules/page.tsx')).SchedulesPage,
  refusedTokens:   async () => (await import('./refused-tokens/page.tsx')).RefusedTokensPage,
  callbacks:       async () => (await import('./callbacks/page.tsx')).CallbacksPage,
  integration:     async () => (await import('./integration/page.tsx')).IntegrationPage,
  merchants:       async () => (await import('./merchants/page.tsx')).MerchantsPage,
  merchant:        async () => (await import('./merchant/page.tsx')).MerchantPage,
  mappings:        async () => (await import('./mappings/page.tsx')).MappingsPage,
  branding:        async () => (await import('./branding/page.tsx')).BrandingPage,
  forms:           async () => (await import('./forms/page.tsx')).FormsPage,
  platformWallet:  async () => (await import('./platform-wallet/page.tsx')).PlatformWalletPage,
  mids:            async () => (await import('./mids/page.tsx')).MidsPage,
  mid:             async () => (await import('./mid/page.tsx')).MidPage,
  connectors:      async () => (await import('./connectors/page.tsx')).ConnectorsPage,
  brands:          async () => (await import('./brands/page.tsx')).BrandsPage,
  brand:           async () => (await import('./brand/page.tsx')).BrandPage,
  settlements:     async () => (await import('./settlements/page.tsx')).SettlementsPage,
  priceLists:      async () => (await import('./price-lists/page.tsx')).PriceListsPage,
  statements:      async () => (await import('./statements/page.tsx')).StatementsPage,
  payoutRuns:      async () => (await import('./payout-runs/page.tsx')).PayoutRunsPage,
  routing:         async () => (await import('./routing/page.tsx')).RoutingPage,
  risk:            async () => (await import('./risk/page.tsx')).RiskPage,
  simulator:       async () => (await import('./simulator/page.tsx')).SimulatorPage,
  approvals:       async () => (await import('./approvals/page.tsx')).ApprovalsPage,
  serviceAccounts: async () => (await import('./service-accounts/page.tsx')).ServiceAccountsPage,
  users:           async () => (await import('./users/page.tsx')).UsersPage,
  user:            async () => (await import('./user/page.tsx')).UserPage,
  roles:           async () => (await import('./roles/page.tsx')).RolesPage,
  audit:           async () => (await import('./audit/page.tsx')).AuditPage,
  alerts:          async () => (await import('./alerts/page.tsx')).AlertsPage,
  policyReports:   async () => (await import('./policy-reports/page.tsx')).PolicyReportsPage,
  alertChannels:   async () => (await import('./alert-channels/page.tsx')).AlertChannelsPage,
  system:          async () => (await import('./system/page.tsx')).SystemPage,
  account:         async () => (await import('./account/page.tsx')).AccountPage,
}
