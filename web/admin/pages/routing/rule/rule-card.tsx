/** A rule in the list: its sentence, its faults, and the actions on it. */
import type { JSX } from 'preact'
import type { FieldFault } from '../../../api/call.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { Menu } from '../../../kit/menu.tsx'
import type { DraftRule } from './draft-rule.ts'
import { ruleSentence } from './rule-sentence.ts'

export type RuleAct = 'edit' | 'up' | 'down' | 'duplicate' | 'switch' | 'remove'

interface RuleCardProps {
  readonly id: string
  readonly rule: DraftRule
  readonly index: number
  readonly count: number
  readonly faults: readonly FieldFault[]
  /** Null for users who may only read. */
  readonly onAct: ((act: RuleAct) => void) | null
}

export function RuleCard({ id, rule, index, count, faults, onAct }: RuleCardProps): JSX.Element {
  return (
    <li class={rule.enabled ? 'rule' : 'rule off'} aria-label={`Rule ${index + 1}: ${rule.name}`}>
      <div class="rule-head">
        <span class="rule-place">{index + 1}</span>
        <h3>{rule.name || 'Unnamed rule'}</h3>
        {!rule.enabled && <Badge>off</Badge>}
        {rule.final && <Badge tone="info">final</Badge>}
        {faults.length > 0 && <Badge tone="bad">{faults.length === 1 ? '1 error' : `${faults.length} errors`}</Badge>}
        {onAct && <RuleActs id={id} rule={rule} isFirst={index === 0} isLast={index === count - 1} onAct={onAct} />}
      </div>
      <p class="rule-text">{ruleSentence(rule)}</p>
      {faults.length > 0 && (
        <ul class="faults error">
          {faults.map(({ field, text }) => (
            <li key={field + text}>
              {field !== '' && <span class="mono">{field}</span>} {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

interface RuleActsProps {
  readonly id: string
  readonly rule: DraftRule
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onAct: (act: RuleAct) => void
}

function RuleActs({ id, rule, isFirst, isLast, onAct }: RuleActsProps): JSX.Element {
  const { name, enabled } = rule
  return (
    <div class="rule-acts" id={id}>
      <Button small kind="quiet" icon="up" label={`Move ${name} up`} disabled={isFirst} onClick={() => onAct('up')} />
      <Button
        small
        kind="quiet"
        icon="down"
        label={`Move ${name} down`}
        disabled={isLast}
        onClick={() => onAct('down')}
      />
      <Button small onClick={() => onAct('edit')}>
        Edit
      </Button>
      <Menu label={`More for ${name}`} icon="more" iconOnly>
        <button type="button" onClick={() => onAct('switch')}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" onClick={() => onAct('duplicate')}>
          Duplicate
        </button>
        <button type="button" onClick={() => onAct('remove')}>
          Remove
        </button>
      </Menu>
    </div>
  )
}
