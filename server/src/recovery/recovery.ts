/** Whether the instance is in recovery. The answer is held in memory and read again when the row of the instance changes. */
import type { Recovery } from '../contracts/ports.ts'
import type { Pool } from '../store/database/pool.ts'
import { type RecoveryRecord, recoveryStore } from '../store/instance/recovery.ts'

export interface KnownRecovery extends Recovery {
  refresh(): Promise<void>
  /** Called when it begins or ends. */
  watch(changed: () => void): void
}

export async function readRecovery(pool: Pool): Promise<KnownRecovery> {
  let record: RecoveryRecord = await recoveryStore(pool).read()
  let noteChange = (): void => undefined
  return {
    get active() {
      return record.since !== null
    },
    get recoveredAt() {
      return record.recoveredAt
    },
    refresh: async () => {
      const before = record
      record = await recoveryStore(pool).read()
      if ((before.since === null) !== (record.since === null)) noteChange()
    },
    watch: (listener) => {
      noteChange = listener
    },
  }
}
