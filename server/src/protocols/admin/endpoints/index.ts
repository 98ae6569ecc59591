/** Every endpoint of the admin API, in the order of the pages that use them. */
import type { Endpoint } from '../endpoint.ts'
import { accountEndpoints } from './account.ts'
import { alertEndpoints } from './alerts.ts'
import { approvalEndpoints } from './approvals.ts'
import { auditEndpoints } from './audit.ts'
import { brandEndpoints } from './brands.ts'
import { callbackEndpoints } from './callbacks.ts'
import { exportEndpoints } from './exports.ts'
import { mappingEndpoints } from './mappings.ts'
import { merchantEndpoints } from './merchants.ts'
import { midEndpoints } from './mids.ts'
import { paymentCommandEndpoints } from './payment-commands.ts'
import { paymentEndpoints } from './payments.ts'
import { savedFilterEndpoints } from './saved-filters.ts'
import { scheduleEndpoints } from './schedules.ts'
import { sessionEndpoints } from './session.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'
import { walletEndpoints } from './wallets.ts'

export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...accountEndpoints,
  ...savedFilterEndpoints,
  ...paymentEndpoints,
  ...paymentCommandEndpoints,
  ...exportEndpoints,
  ...callbackEndpoints,
  ...merchantEndpoints,
  ...mappingEndpoints,
  ...walletEndpoints,
  ...midEndpoints,
  ...brandEndpoints,
  ...scheduleEndpoints,
  ...userEndpoints,
  ...approvalEndpoints,
  ...auditEndpoints,
  ...alertEndpoints,
  ...systemEndpoints,
]
