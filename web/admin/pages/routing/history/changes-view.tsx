/** The differences between two lists of rules, in sentences. */
import type { JSX } from 'preact'
import { Badge } from '../../../kit/badge.tsx'
import type { Tone } from '../../../kit/states.tsx'
import type { DraftRule } from '../rule/draft-rule.ts'
import { type RuleChange, ruleChanges } from './rule-changes.ts'

const tones: Readonly<Record<RuleChange['what'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  moved: 'info',
}

interface ChangesViewProps {
  readonly before: readonly DraftRule[]
  readonly after: readonly DraftRule[]
}

export function ChangesView({ before, after }: ChangesViewProps): JSX.Element {
  const changes = ruleChanges(before, after)
  if (changes.length === 0) return <p class="faint">No differences.</p>
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={`${change.what} ${change.name}`}>
          <p class="change-head">
            <Badge tone={tones[change.what]}>{change.what}</Badge>
            <strong>{change.name}</strong>
          </p>
          {change.before !== null && (
            <p>
              <del>{change.before}</del>
            </p>
          )}
          {change.after !== null && (
            <p>
              <ins>{change.after}</ins>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
