/** Refuses a live start that would put money, cards or records at risk, with all reasons at once. */

import { commandName } from '../process/command-name.ts'
import { StartupError } from '../process/startup-error.ts'
import { liveChecks, liveFindings } from './checks.ts'
import type { LiveFacts } from './facts.ts'
import type { LiveFinding } from './finding.ts'

/** Returns the findings that do not prevent the start. */
export function guardStart(facts: LiveFacts): readonly LiveFinding[] {
  const refusing = liveFindings(
    facts,
    liveChecks.filter(({ enforced }) => enforced === 'start refused'),
  )
  const [first] = refusing
  if (first === undefined) return liveFindings(facts)
  if (refusing.length === 1) throw new StartupError(first.sentence, first.remedy)
  throw new StartupError(
    `This live instance is not safe to start:\n${refusing.map(({ sentence, remedy }) => `  - ${sentence}\n    ${remedy}`).join('\n')}`,
    `"${commandName} doctor" checks everything again.`,
  )
}
