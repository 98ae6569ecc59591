/** Starts the worker that disables unused panel accounts. */
import { type DueWork, runDueWork } from '../due/due-work.ts'
import { endUnused, findDueAccounts } from '../panel/access/unused-accounts.ts'
import { machineTime } from '../process/clock.ts'
import type { ProcessContext } from './process-context.ts'

const pollMs = 60 * 60_000

/** No lease: if two workers find the same account, the first one disables it. */
export function startAccountWatch(base: ProcessContext): DueWork {
  const context = { ...base, machine: machineTime(base.clock), rules: base.config.signIn }
  return runDueWork({
    name: 'account watch',
    claim: (limit) => findDueAccounts(context, limit),
    run: (id) => endUnused(context, id),
    concurrency: 1,
    pollMs,
    ids: base.ids,
    log: base.log,
  })
}
