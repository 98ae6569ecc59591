/** The rules of a set in order, each as a sentence. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import type { Names } from '../names.ts'
import type { Draft, Entry } from '../use-draft.ts'
import { type DraftRule, moveItem, nameFor } from './draft-rule.ts'
import { actionKinds, conditionKinds, freshPart } from './kinds.ts'
import { type RuleAct, RuleCard } from './rule-card.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import { faultsBelow, useFaults } from './use-faults.ts'

interface RuleListProps {
  readonly draft: Draft
  readonly names: Names
  readonly mayChange: boolean
}

export function RuleList({ draft, names, mayChange }: RuleListProps): JSX.Element {
  const id = useId()
  const faults = useFaults(draft.rules)
  const open = useSignal<{ readonly act: 'edit' | 'remove'; readonly entry: Entry } | null>(null)
  const announcement = useSignal('')
  const { entries, change } = draft
  const close = (): void => {
    open.value = null
  }
  const act = (entry: Entry, index: number, wanted: RuleAct): void => {
    const { rule } = entry
    switch (wanted) {
      case 'edit':
      case 'remove':
        open.value = { act: wanted, entry }
        return
      case 'duplicate':
        change(entries.toSpliced(index + 1, 0, draft.entryOf({ ...rule, name: nameFor(rule.name, draft.rules) })))
        return
      case 'switch':
        change(entries.toSpliced(index, 1, { ...entry, rule: { ...rule, enabled: !rule.enabled } }))
        return
      case 'up':
      case 'down': {
        const to = wanted === 'up' ? index - 1 : index + 1
        change(moveItem(entries, index, to))
        announcement.value = `${rule.name} is now number ${to + 1} of ${entries.length}.`
        followFocus(`${id}-${entry.key}`, wanted)
      }
    }
  }
  return (
    <>
      <ol class="rules">
        {entries.map((entry, index) => (
          <RuleCard
            key={entry.key}
            id={`${id}-${entry.key}`}
            rule={entry.rule}
            index={index}
            count={entries.length}
            faults={faultsBelow(faults, String(index))}
            onAct={mayChange ? (wanted) => act(entry, index, wanted) : null}
          />
        ))}
      </ol>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      {open.value?.act === 'edit' && (
        <EditDrawer draft={draft} names={names} entry={open.value.entry} onClose={close} />
      )}
      {open.value?.act === 'remove' && <RemoveDialog draft={draft} entry={open.value.entry} onClose={close} />}
    </>
  )
}

/** The focus stays with the rule that was moved, on a button that is still enabled. */
function followFocus(id: string, wanted: 'up' | 'down'): void {
  requestAnimationFrame(() => {
    const buttons = document.getElementById(id)?.querySelectorAll<HTMLButtonElement>('button') ?? []
    const [up, down] = buttons
    const pressed = wanted === 'up' ? up : down
    const other = wanted === 'up' ? down : up
    if (pressed?.disabled) other?.focus()
    else pressed?.focus()
  })
}

interface EntryProps {
  readonly draft: Draft
  readonly entry: Entry
  readonly onClose: () => void
}

function EditDrawer({ draft, entry, names, onClose }: EntryProps & { readonly names: Names }): JSX.Element {
  const index = draft.entries.findIndex(({ key }) => key === entry.key)
  return (
    <RuleDrawer
      title={entry.rule.name || 'Rule'}
      act="Apply to draft"
      rule={entry.rule}
      among={(rule) => ({ rules: draft.rules.toSpliced(index, 1, rule), index })}
      names={names}
      onDone={(rule) => {
        draft.change(draft.entries.toSpliced(index, 1, { ...entry, rule }))
        onClose()
      }}
      onClose={onClose}
    />
  )
}

interface NewRuleDrawerProps {
  readonly draft: Draft
  readonly names: Names
  readonly onClose: () => void
}

export function NewRuleDrawer({ draft, names, onClose }: NewRuleDrawerProps): JSX.Element {
  return (
    <RuleDrawer
      title="New rule"
      act="Add to draft"
      rule={newRule}
      among={(rule) => ({ rules: [...draft.rules, rule], index: draft.rules.length })}
      names={names}
      onDone={(rule) => {
        draft.change([...draft.entries, draft.entryOf(rule)])
        onClose()
      }}
      onClose={onClose}
    />
  )
}

const newRule: DraftRule = {
  name: '',
  enabled: true,
  conditions: [freshPart(conditionKinds, 'currency')],
  action: freshPart(actionKinds, 'use'),
  maximumAttempts: null,
  final: false,
}

const RemoveDialog = ({ draft, entry, onClose }: EntryProps): JSX.Element => (
  <ConfirmDialog
    title={`Remove ${entry.rule.name || 'this rule'}?`}
    act="Remove"
    danger
    onConfirm={async () => {
      draft.change(draft.entries.filter(({ key }) => key !== entry.key))
      return { ok: true, value: null }
    }}
    onClose={onClose}
  >
    <p>
      The rule is removed when the draft is saved. Payments follow the published rules until the draft is published.
    </p>
  </ConfirmDialog>
)
