/** The rules that are worked on: their list, and what becomes of the draft. */
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

export interface DraftSectionProps {
  readonly draft: Draft
  readonly names: Names
  /** Somebody was asked to publish. */
  readonly onAsked: () => void
}

type Opened = 'new' | 'publish' | 'give-up' | null

export function DraftSection({ draft, names, onAsked }: DraftSectionProps): JSX.Element {
  const mayChange = may('routing.write')
  const open = useSignal<Opened>(null)
  const show = (what: Opened) => () => {
    open.value = what
  }
  return (
    <Section
      title={draft.set.draft === null && !draft.isDirty ? 'Rules' : 'Rules of the draft'}
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
        {mayChange && <DraftBar draft={draft} onPublish={show('publish')} onGiveUp={show('give-up')} />}
      </div>
      {open.value === 'new' && <NewRuleDrawer draft={draft} names={names} onClose={show(null)} />}
      {open.value === 'publish' && <PublishDialog set={draft.set} onAsked={onAsked} onClose={show(null)} />}
      {open.value === 'give-up' && (
        <ConfirmDialog title="Give the draft up?" act="Give it up" danger onConfirm={draft.giveUp} onClose={show(null)}>
          <p>The draft is deleted. The published rules stay as they are.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface DraftBarProps {
  readonly draft: Draft
  readonly onPublish: () => void
  readonly onGiveUp: () => void
}

function DraftBar({ draft, onPublish, onGiveUp }: DraftBarProps): JSX.Element | null {
  const isSaved = draft.set.draft !== null
  if (!isSaved && !draft.isDirty) return null
  return (
    <div class="draft-bar">
      <TextField
        label="Note"
        optional
        hint="What this draft is for; it stays with the version."
        maxLength={500}
        at={{ id: 'draft-note', value: draft.note, error: null, set: draft.setNote }}
      />
      <div class="form-actions">
        <Button kind="primary" busy={draft.isBusy} disabled={!draft.isDirty} onClick={() => void draft.save()}>
          Save the draft
        </Button>
        <Button disabled={!isSaved || draft.isDirty} onClick={onPublish}>
          Publish
        </Button>
        <Menu label="More" icon="more">
          <button type="button" disabled={!draft.isDirty} onClick={draft.discard}>
            Discard unsaved changes
          </button>
          <button type="button" disabled={!isSaved} onClick={onGiveUp}>
            Give the draft up
          </button>
        </Menu>
      </div>
      <p class="faint" role="status">
        {draft.isDirty ? 'There are unsaved changes.' : 'Saved. It changes no payment until it is published.'}
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
    <Empty title="No rules here.">
      <p>
        Without rules a payment goes to the MID with the smallest priority among those that can take it. Rules change
        that order, keep MIDs out, decline payments, and decide about 3-D Secure and the methods of the hosted page.
      </p>
      <p>For example: “{ruleSentence(example)}”</p>
      {may('routing.write') && (
        <div class="form-actions">
          <Button kind="primary" onClick={onNew}>
            Write a rule
          </Button>
          <Button onClick={() => draft.change([draft.entryOf(example)])}>Insert the example</Button>
        </div>
      )}
    </Empty>
  )
}
