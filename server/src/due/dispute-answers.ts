/** Sends answers to disputes to the acquirers that take them. Chapter 60 §5. */
import type { DisputeAnswers } from '../contracts/dispute-ports.ts'
import { sendAnswer } from '../payments/commands/answer-dispute.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

/** Above the duration of a question and of the uploads of twenty files, so that a lease expires only if its process is dead. */
const leaseSeconds = 900
const pollMs = 1000

export function runDisputeAnswers(deps: Deps, answers: DisputeAnswers): DueWork {
  return runDueWork({
    name: 'dispute-answers',
    claim: (limit) => answers.claim(deps.clock.now(), limit, leaseSeconds),
    run: (due) => sendAnswer(deps, answers, due),
    // Each may hold some files in memory.
    concurrency: 2,
    pollMs,
    ids: deps.ids,
    log: deps.log,
  })
}
