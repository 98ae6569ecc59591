/** Asks a second person to publish the draft; what changes with it is seen before. Chapter 50 §8. */
import type { JSX } from 'preact'
import { call } from '../../../api/call.ts'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { rulesFrom } from '../rule/draft-rule.ts'
import type { ShownSet } from '../use-draft.ts'
import { ChangesView } from './changes-view.tsx'

export interface PublishDialogProps {
  readonly set: ShownSet
  readonly onAsked: () => void
  readonly onClose: () => void
}

export function PublishDialog({ set, onAsked, onClose }: PublishDialogProps): JSX.Element {
  const { ruleSet, published, draft } = set
  return (
    <ConfirmDialog
      title="Publish these rules?"
      act="Ask a second person"
      reason="required"
      onConfirm={async (reason) => {
        const asked = { params: { ruleSet }, body: { revision: draft?.revision ?? 1, reason } }
        const result = await call('POST /routing/sets/:ruleSet/publish', asked)
        if (!result.ok) return result
        toast('Asked. Somebody else has to approve it.')
        onAsked()
        return result
      }}
      onClose={onClose}
    >
      <p>
        Somebody else has to agree. From then on every payment follows revision {draft?.revision} of the draft; a
        revision that is saved later has to be asked for anew.
      </p>
      <ChangesView before={rulesFrom(published?.rules ?? [])} after={rulesFrom(draft?.rules ?? [])} />
    </ConfirmDialog>
  )
}
