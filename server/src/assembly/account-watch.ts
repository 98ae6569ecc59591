/** Starts the worker that disables unused panel accounts. */
import { type DueWork, runDueWork } from '../due/due-work.ts'
import { dueAccounts, endUnused } from '../panel/access/unused-accounts.ts'
import { machineTime } from '../panel/desk.ts'
import type { Foundation } from './foundation.ts'

const pollMs = 60 * 60_000

/** No lease: if two workers find the same account, the first one disables it. */
export function startAccountWatch(base: Foundation): DueWork {
  const desk = { ...base, machine: machineTime(base.clock), rules: base.config.signIn }
  return runDueWork({
    name: 'account watch',
    claim: (limit) => dueAccounts(desk, limit),
    run: (id) => endUnused(desk, id),
    concurrency: 1,
    pollMs,
    ids: base.ids,
    log: base.log,
  })
}
