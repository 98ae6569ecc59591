/** Every campaign, in the order in which they run. */
import { authz } from './authz.ts'
import { callbacks } from './callbacks.ts'
import type { Campaign } from './campaign.ts'
import { chaos } from './chaos.ts'
import { crashLoad } from './crash-load.ts'
import { crashPoints } from './crash-points.ts'
import { fuzz } from './fuzz.ts'
import { idempotency } from './idempotency.ts'
import { ledger } from './ledger.ts'
import { limits } from './limits.ts'
import { lostReply } from './lost-reply.ts'
import { model } from './model.ts'
import { money } from './money.ts'
import { overload } from './overload.ts'
import { page } from './page.ts'
import { panCanary } from './pan-canary.ts'
import { races } from './races.ts'
import { restore } from './restore.ts'
import { routingLearning } from './routing-learning.ts'
import { scheduleClock } from './schedule-clock.ts'
import { slowQueue } from './slow-queue.ts'
import { soak } from './soak.ts'
import { ssrf } from './ssrf.ts'
import { upgrade } from './upgrade.ts'
import { walletFuzz } from './wallet-fuzz.ts'
import { walletNegative } from './wallet-negative.ts'
import { walletVectors } from './wallet-vectors.ts'

export const campaigns: readonly Campaign[] = [
  crashPoints,
  crashLoad,
  callbacks,
  chaos,
  scheduleClock,
  races,
  limits,
  lostReply,
  overload,
  slowQueue,
  soak,
  idempotency,
  ledger,
  money,
  panCanary,
  restore,
  authz,
  model,
  fuzz,
  page,
  ssrf,
  routingLearning,
  upgrade,
  walletNegative,
  walletVectors,
  walletFuzz,
]
