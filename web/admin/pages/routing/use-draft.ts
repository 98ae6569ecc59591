/**
 * The rules of a set while they are edited: begun from the draft or from the published version, and saved over the revision that was read.
 * If another user saved first, nothing is lost: both versions stay, and the user decides.
 */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Answer, call, type Fault, type Result } from '../../api/call.ts'
import { toast } from '../../kit/toasts.tsx'
import { guardLeaving } from '../../router/current-address.ts'
import { type DraftRule, isSame, rulesFrom } from './rule/draft-rule.ts'

export type ShownSet = Answer<'GET /routing/sets/:ruleSet'>

/** A rule with a stable key within this page, because rules are moved and renamed. */
export interface Entry {
  readonly key: number
  readonly rule: DraftRule
}

export interface Draft {
  readonly set: ShownSet
  readonly entries: readonly Entry[]
  readonly rules: readonly DraftRule[]
  readonly note: string
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly fault: Fault | null
  /** What another user saved meanwhile. */
  readonly theirs: ShownSet | null
  readonly change: (entries: readonly Entry[]) => void
  readonly entryOf: (rule: DraftRule) => Entry
  readonly setNote: (note: string) => void
  /** Saves over the revision that was read, or over the one of another user. */
  readonly save: (over?: ShownSet) => Promise<void>
  /** Returns to the saved draft. */
  readonly discard: () => void
  /** Returns to the published rules. */
  readonly deleteDraft: () => Promise<Result<unknown>>
  /** Takes over the current state of the set; the rules only if there is no unsaved work. */
  readonly adopt: (set: ShownSet) => void
  readonly takeTheirs: () => void
}

export function useDraft(initial: ShownSet): Draft {
  const lastKey = useRef(0)
  const entryOf = (rule: DraftRule): Entry => {
    lastKey.current += 1
    return { key: lastKey.current, rule }
  }
  const set = useSignal(initial)
  const entries = useSignal<readonly Entry[]>(useMemo(() => rulesIn(initial).map(entryOf), []))
  const note = useSignal(initial.draft?.note ?? '')
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const theirs = useSignal<ShownSet | null>(null)

  const rules = rulesOf(entries.value)
  const differs = (): boolean =>
    !isSame(rulesOf(entries.peek()), rulesIn(set.peek())) || note.peek().trim() !== (set.peek().draft?.note ?? '')
  useEffect(() => guardLeaving(differs), [])

  const begin = (from: ShownSet): void => {
    set.value = from
    entries.value = rulesIn(from).map(entryOf)
    note.value = from.draft?.note ?? ''
    fault.value = null
    theirs.value = null
  }

  const save = async (over: ShownSet = set.value): Promise<void> => {
    if (busy.value) return
    busy.value = true
    const { result, current } = await saveDraft(over, rules, note.value.trim())
    busy.value = false
    fault.value = result.ok ? null : result.fault
    theirs.value = current
    if (!result.ok) return
    set.value = { ...over, draft: result.value }
    // The service may have normalised the rules; edits made since then are kept.
    if (isSame(rulesOf(entries.value), rules)) entries.value = withRules(entries.value, rulesIn(set.value))
    toast(`Draft saved as revision ${result.value.revision}.`)
  }

  const deleteDraft = async (): Promise<Result<unknown>> => {
    const { ruleSet, draft } = set.value
    const request = { params: { ruleSet }, query: { revision: draft?.revision ?? 1 } }
    const result = await call('DELETE /routing/sets/:ruleSet/draft', request)
    if (!result.ok) return result
    begin({ ...set.value, draft: null })
    toast('Draft deleted.')
    return result
  }

  return {
    set: set.value,
    entries: entries.value,
    rules,
    note: note.value,
    isDirty: differs(),
    isBusy: busy.value,
    fault: fault.value,
    theirs: theirs.value,
    entryOf,
    save,
    deleteDraft,
    change: (next) => {
      entries.value = next
      fault.value = null
    },
    setNote: (text) => {
      note.value = text
    },
    discard: () => begin(set.value),
    adopt: (next) => {
      if (differs()) set.value = { ...set.value, published: next.published }
      else begin(next)
    },
    takeTheirs: () => theirs.value && begin(theirs.value),
  }
}

const rulesOf = (entries: readonly Entry[]): readonly DraftRule[] => entries.map(({ rule }) => rule)

const withRules = (entries: readonly Entry[], rules: readonly DraftRule[]): readonly Entry[] =>
  entries.map((entry, index) => ({ ...entry, rule: rules[index] ?? entry.rule }))

/** The rules to edit: the draft, or the published version if there is no draft. */
export const rulesIn = ({ draft, published }: ShownSet): readonly DraftRule[] =>
  rulesFrom((draft ?? published)?.rules ?? [])

interface SavedDraft {
  readonly result: Result<NonNullable<ShownSet['draft']>>
  /** Read again if another user saved first. */
  readonly current: ShownSet | null
}

async function saveDraft(over: ShownSet, rules: readonly DraftRule[], note: string): Promise<SavedDraft> {
  const params = { ruleSet: over.ruleSet }
  const body = { rules, note, revision: over.draft?.revision ?? 0 }
  const result = await call('PUT /routing/sets/:ruleSet/draft', { params, body })
  if (result.ok || result.fault.code !== 'conflict') return { result, current: null }
  const current = await call('GET /routing/sets/:ruleSet', { params })
  return { result, current: current.ok ? current.value : null }
}
