/** Every endpoint of the admin API, in the order of the pages that use them. */
import type { Endpoint } from '../endpoint.ts'
import { accountEndpoints } from './account.ts'
import { alertChannelEndpoints } from './alert-channels.ts'
import { alertEndpoints } from './alerts.ts'
import { analyticsEndpoints } from './analytics.ts'
import { approvalEndpoints } from './approvals.ts'
import { auditEndpoints } from './audit.ts'
import { brandingEndpoints } from './branding.ts'
import { brandEndpoints } from './brands.ts'
import { callbackEndpoints } from './callbacks.ts'
import { captureEndpoints } from './captures.ts'
import { consentEndpoints } from './consents.ts'
import { cryptoCurrencyEndpoints } from './crypto-currencies.ts'
import { dashboardEndpoints } from './dashboard.ts'
import { disputeEndpoints } from './disputes.ts'
import { exportEndpoints } from './exports.ts'
import { formEndpoints } from './forms.ts'
import { mappingEndpoints } from './mappings.ts'
import { merchantEndpoints } from './merchants.ts'
import { midHealthEndpoints } from './mid-health.ts'
import { midEndpoints } from './mids.ts'
import { passwordLinkEndpoints } from './password-links.ts'
import { payerEndpoints } from './payers.ts'
import { paymentCommandEndpoints } from './payment-commands.ts'
import { paymentLinkEndpoints } from './payment-links.ts'
import { paymentEndpoints } from './payments.ts'
import { payoutEndpoints } from './payouts.ts'
import { policyReportEndpoints } from './policy-reports.ts'
import { priceListEndpoints } from './price-lists.ts'
import { refusedRequestEndpoints } from './refused-requests.ts'
import { refusedTokenEndpoints } from './refused-tokens.ts'
import { reviewEndpoints } from './reviews.ts'
import { riskEndpoints } from './risk.ts'
import { routingEndpoints } from './routing.ts'
import { savedFilterEndpoints } from './saved-filters.ts'
import { scheduleEndpoints } from './schedules.ts'
import { serviceAccountEndpoints } from './service-accounts.ts'
import { sessionEndpoints } from './session.ts'
import { settlementEndpoints } from './settlements.ts'
import { simulatorEndpoints } from './simulator.ts'
import { statementEndpoints } from './statements.ts'
import { systemEndpoints } from './system.ts'
import { terminalEndpoints } from './terminal.ts'
import { unresolvedEndpoints } from './unresolved.ts'
import { userEndpoints } from './users.ts'
import { walletPlatformEndpoints } from './wallet-platform.ts'
import { walletEndpoints } from './wallets.ts'
import { workEndpoints } from './work.ts'

export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...passwordLinkEndpoints,
  ...accountEndpoints,
  ...savedFilterEndpoints,
  ...dashboardEndpoints,
  ...analyticsEndpoints,
  ...paymentEndpoints,
  ...paymentCommandEndpoints,
  ...unresolvedEndpoints,
  ...reviewEndpoints,
  ...disputeEndpoints,
  ...paymentLinkEndpoints,
  ...terminalEndpoints,
  ...payerEndpoints,
  ...captureEndpoints,
  ...workEndpoints,
  ...exportEndpoints,
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
  ...priceListEndpoints,
  ...statementEndpoints,
  ...payoutEndpoints,
  ...routingEndpoints,
  ...riskEndpoints,
  ...scheduleEndpoints,
  ...userEndpoints,
  ...serviceAccountEndpoints,
  ...approvalEndpoints,
  ...auditEndpoints,
  ...alertEndpoints,
  ...policyReportEndpoints,
  ...alertChannelEndpoints,
  ...systemEndpoints,
  ...simulatorEndpoints,
]
