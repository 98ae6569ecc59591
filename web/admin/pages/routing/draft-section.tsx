/** The rules of the draft, and the actions on it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { may } from '../../session/session.ts'
import { PublishDialog } from './history/publish-dialog.tsx'
import type { Names } from './names.ts'
import { exampleRule } from './rule/draft-rule.ts'
import { NewRuleDrawer, RuleList } from './rule/rule-list.tsx'
import { ruleSentence } from './rule/rule-sentence.ts'
import { TheirsNotice } from './theirs-notice.tsx'
import type { Draft } from './use-draft.ts'

interface DraftSectionProps {
  readonly draft: Draft
  readonly names: Names
  /** Called after a request to publish was made. */
  readonly onAsked: () => void
}

type OpenDialog = 'new' | 'publish' | 'delete' | null

export function DraftSection({ draft, names, onAsked }: DraftSectionProps): JSX.Element {
  const mayChange = may('routing.write')
  const open = useSignal<OpenDialog>(null)
  const show = (what: OpenDialog) => () => {
    open.value = what
  }
  return (
    <Section
      title={draft.set.draft === null && !draft.isDirty ? 'Rules' : 'Draft rules'}
      actions={
        mayChange && (
          <Button small icon="plus" onClick={show('new')}>
            New rule
          </Button>
        )
      }
    >
      <div class="stack">
        {draft.theirs && <TheirsNotice draft={draft} theirs={draft.theirs} />}
        {draft.entries.length === 0 && <NoRules draft={draft} names={names} onNew={show('new')} />}
        <RuleList draft={draft} names={names} mayChange={mayChange} />
        {draft.fault && draft.theirs === null && <FaultView fault={{ ...draft.fault, fields: [] }} />}
        {mayChange && <DraftBar draft={draft} onPublish={show('publish')} onDelete={show('delete')} />}
      </div>
      {open.value === 'new' && <NewRuleDrawer draft={draft} names={names} onClose={show(null)} />}
      {open.value === 'publish' && <PublishDialog set={draft.set} onAsked={onAsked} onClose={show(null)} />}
      {open.value === 'delete' && (
        <ConfirmDialog title="Delete draft?" act="Delete" danger onConfirm={draft.deleteDraft} onClose={show(null)}>
          <p>The draft is deleted. The published rules do not change.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface DraftBarProps {
  readonly draft: Draft
  readonly onPublish: () => void
  readonly onDelete: () => void
}

function DraftBar({ draft, onPublish, onDelete }: DraftBarProps): JSX.Element | null {
  const isSaved = draft.set.draft !== null
  if (!isSaved && !draft.isDirty) return null
  return (
    <div class="draft-bar">
      <TextField
        label="Note"
        optional
        hint="Purpose of this draft. Stored with the version."
        maxLength={500}
        at={{ id: 'draft-note', value: draft.note, error: null, set: draft.setNote }}
      />
      <div class="form-actions">
        <Button kind="primary" busy={draft.isBusy} disabled={!draft.isDirty} onClick={() => void draft.save()}>
          Save draft
        </Button>
        <Button disabled={!isSaved || draft.isDirty} onClick={onPublish}>
          Publish
        </Button>
        <Menu label="More" icon="more">
          <button type="button" disabled={!draft.isDirty} onClick={draft.discard}>
            Discard unsaved changes
          </button>
          <button type="button" disabled={!isSaved} onClick={onDelete}>
            Delete draft
          </button>
        </Menu>
      </div>
      <p class="faint" role="status">
        {draft.isDirty ? 'Unsaved changes.' : 'Saved. The draft has no effect until it is published.'}
      </p>
    </div>
  )
}

interface NoRulesProps {
  readonly draft: Draft
  readonly names: Names
  readonly onNew: () => void
}

function NoRules({ draft, names, onNew }: NoRulesProps): JSX.Element {
  const example = exampleRule(names.mids[0])
  return (
    <Empty title="No rules yet.">
      <p>
        Without rules, a payment uses the eligible MID with the lowest priority number. Rules change this order, exclude
        MIDs, decline payments, and control 3-D Secure and the methods of the hosted page.
      </p>
      <p>For example: “{ruleSentence(example)}”</p>
      {may('routing.write') && (
        <div class="form-actions">
          <Button kind="primary" onClick={onNew}>
            New rule
          </Button>
          <Button onClick={() => draft.change([draft.entryOf(example)])}>Insert example</Button>
        </div>
      )}
    </Empty>
  )
}
