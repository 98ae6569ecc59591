/** Every number of scheduled exports, all of them ours; `limits.ts` has those of the rest. */
import { dayMs, secondMs } from '../time.ts'

const mebibyte = 1024 * 1024

// biome-ignore format: a table is read in columns.
export const exportLimits = {
  settleMs:      300 * secondMs, // After the end of a period, until its last payments are stored and replicated.
  waitMs:        60 * secondMs,  // For the answer of a receiver.
  fileBytes:     50 * mebibyte,  // A file is in memory while it is sent.
  attachedBytes: 10 * mebibyte,  // What mail servers usually accept; a larger file is fetched from the panel.
  addresses:     10,
  schedules:     50,            // Per owner.
  keptMs:        7 * dayMs,       // How long a file can be fetched.
  historyMs:     400 * dayMs,
} as const
