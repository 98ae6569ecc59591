/** Every campaign, in the order in which they run. */
import { authz } from './authz/authz.ts'
import { callbacks } from './callbacks/callbacks.ts'
import { lostReply } from './callbacks/lost-reply.ts'
import type { Campaign } from './campaign.ts'
import { panCanary } from './canary/pan-canary.ts'
import { acquirers } from './crash/acquirers.ts'
import { chaos } from './crash/chaos.ts'
import { crashLoad } from './crash/crash-load.ts'
import { crashPoints } from './crash/crash-points.ts'
import { helperCrashes } from './crash/helper-points.ts'
import { memoryLimit } from './crash/memory-limit.ts'
import { failover } from './failover/failover.ts'
import { fuzz } from './input/fuzz.ts'
import { page } from './input/page.ts'
import { ssrf } from './input/ssrf.ts'
import { notifications } from './load/notifications.ts'
import { overload } from './load/overload.ts'
import { slowQueue } from './load/slow-queue.ts'
import { soak } from './load/soak.ts'
import { ledger } from './money/ledger.ts'
import { limits } from './money/limits.ts'
import { model } from './money/model.ts'
import { money } from './money/money.ts'
import { routingLearning } from './money/routing-learning.ts'
import { idempotency } from './races/idempotency.ts'
import { races } from './races/races.ts'
import { clusterRestore, pointInTime } from './releases/point-in-time.ts'
import { restore } from './releases/restore.ts'
import { upgrade } from './releases/upgrade.ts'
import { scheduleClock } from './schedules/schedule-clock.ts'
import { walletFuzz } from './wallets/wallet-fuzz.ts'
import { walletNegative } from './wallets/wallet-negative.ts'
import { walletVectors } from './wallets/wallet-vectors.ts'

export const campaigns: readonly Campaign[] = [
  crashPoints,
  helperCrashes,
  crashLoad,
  acquirers,
  callbacks,
  chaos,
  memoryLimit,
  failover,
  scheduleClock,
  races,
  limits,
  lostReply,
  overload,
  notifications,
  slowQueue,
  soak,
  idempotency,
  ledger,
  money,
  panCanary,
  restore,
  pointInTime,
  clusterRestore,
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
