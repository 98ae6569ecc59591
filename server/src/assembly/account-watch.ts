/** The engine that ends accounts of the panel which are not used. */
import { type DueWork, runDueWork } from '../due/due-work.ts'
import { dueAccounts, endUnused } from '../panel/access/unused-accounts.ts'
import { machineTime } from '../panel/desk.ts'
import type { Foundation } from './foundation.ts'

const pollMs = 60 * 60_000

/** Without a lease: an account that two workers look at is ended by the first of them. */
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
