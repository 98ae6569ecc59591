/** Every endpoint of the admin API, in the order of the pages that use them. */
import type { Endpoint } from '../endpoint.ts'
import { accountEndpoints } from './access/account.ts'
import { approvalEndpoints } from './access/approvals.ts'
import { auditEndpoints } from './access/audit.ts'
import { passwordLinkEndpoints } from './access/password-links.ts'
import { serviceAccountEndpoints } from './access/service-accounts.ts'
import { sessionEndpoints } from './access/session.ts'
import { signUpEndpoints } from './access/sign-up.ts'
import { signUpLinkEndpoints } from './access/sign-up-links.ts'
import { userEndpoints } from './access/users.ts'
import { disputeAnswerEndpoints } from './finance/dispute-answers.ts'
import { disputeEndpoints } from './finance/disputes.ts'
import { payoutEndpoints } from './finance/payouts.ts'
import { priceListEndpoints } from './finance/price-lists.ts'
import { settlementImportEndpoints } from './finance/settlement-imports.ts'
import { settlementEndpoints } from './finance/settlements.ts'
import { statementEndpoints } from './finance/statements.ts'
import { unresolvedEndpoints } from './finance/unresolved.ts'
import { alertChannelEndpoints } from './instance/alert-channels.ts'
import { alertEndpoints } from './instance/alerts.ts'
import { policyReportEndpoints } from './instance/policy-reports.ts'
import { simulatorEndpoints } from './instance/simulator.ts'
import { systemEndpoints } from './instance/system.ts'
import { workEndpoints } from './instance/work.ts'
import { callbackEndpoints } from './payments/callbacks.ts'
import { captureEndpoints } from './payments/captures.ts'
import { consentEndpoints } from './payments/consents.ts'
import { noteEndpoints } from './payments/notes.ts'
import { payerEndpoints } from './payments/payers.ts'
import { paymentCommandEndpoints } from './payments/payment-commands.ts'
import { paymentLinkEndpoints } from './payments/payment-links.ts'
import { paymentEndpoints } from './payments/payments.ts'
import { refusedRequestEndpoints } from './payments/refused-requests.ts'
import { reviewEndpoints } from './payments/reviews.ts'
import { scheduleEndpoints } from './payments/schedules.ts'
import { terminalEndpoints } from './payments/terminal.ts'
import { analyticsEndpoints } from './reports/analytics.ts'
import { dashboardEndpoints } from './reports/dashboard.ts'
import { exportScheduleEndpoints } from './reports/export-schedules.ts'
import { exportEndpoints } from './reports/exports.ts'
import { savedFilterEndpoints } from './reports/saved-filters.ts'
import { brandingEndpoints } from './setup/branding.ts'
import { brandEndpoints } from './setup/brands.ts'
import { cryptoCurrencyEndpoints } from './setup/crypto-currencies.ts'
import { formEndpoints } from './setup/forms.ts'
import { mappingEndpoints } from './setup/mappings.ts'
import { merchantEndpoints } from './setup/merchants.ts'
import { midHealthEndpoints } from './setup/mid-health.ts'
import { midEndpoints } from './setup/mids.ts'
import { refusedTokenEndpoints } from './setup/refused-tokens.ts'
import { riskEndpoints } from './setup/risk.ts'
import { routingEndpoints } from './setup/routing.ts'
import { walletPlatformEndpoints } from './setup/wallet-platform.ts'
import { walletEndpoints } from './setup/wallets.ts'

export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...passwordLinkEndpoints,
  ...signUpEndpoints,
  ...accountEndpoints,
  ...savedFilterEndpoints,
  ...dashboardEndpoints,
  ...analyticsEndpoints,
  ...paymentEndpoints,
  ...paymentCommandEndpoints,
  ...noteEndpoints,
  ...unresolvedEndpoints,
  ...reviewEndpoints,
  ...disputeEndpoints,
  ...disputeAnswerEndpoints,
  ...paymentLinkEndpoints,
  ...terminalEndpoints,
  ...payerEndpoints,
  ...captureEndpoints,
  ...workEndpoints,
  ...exportEndpoints,
  ...exportScheduleEndpoints,
  ...callbackEndpoints,
  ...refusedRequestEndpoints,
  ...refusedTokenEndpoints,
  ...merchantEndpoints,
  ...mappingEndpoints,
  ...walletEndpoints,
  ...walletPlatformEndpoints,
  ...midEndpoints,
  ...midHealthEndpoints,
  ...brandEndpoints,
  ...cryptoCurrencyEndpoints,
  ...brandingEndpoints,
  ...formEndpoints,
  ...consentEndpoints,
  ...settlementEndpoints,
  ...settlementImportEndpoints,
  ...priceListEndpoints,
  ...statementEndpoints,
  ...payoutEndpoints,
  ...routingEndpoints,
  ...riskEndpoints,
  ...scheduleEndpoints,
  ...userEndpoints,
  ...signUpLinkEndpoints,
  ...serviceAccountEndpoints,
  ...approvalEndpoints,
  ...auditEndpoints,
  ...alertEndpoints,
  ...policyReportEndpoints,
  ...alertChannelEndpoints,
  ...systemEndpoints,
  ...simulatorEndpoints,
]
