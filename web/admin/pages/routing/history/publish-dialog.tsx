/** Requests the publication of the draft from a second person, after showing what it changes. Chapter 50 §8. */
import type { JSX } from 'preact'
import { call } from '../../../api/call.ts'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { rulesFrom } from '../rule/draft-rule.ts'
import type { ShownSet } from '../use-draft.ts'
import { ChangesView } from './changes-view.tsx'

interface PublishDialogProps {
  readonly set: ShownSet
  readonly onAsked: () => void
  readonly onClose: () => void
}

export function PublishDialog({ set, onAsked, onClose }: PublishDialogProps): JSX.Element {
  const { ruleSet, published, draft } = set
  return (
    <ConfirmDialog
      title="Publish these rules?"
      act="Request approval"
      reason="required"
      onConfirm={async (reason) => {
        const request = { params: { ruleSet }, body: { revision: draft?.revision ?? 1, reason } }
        const result = await call('POST /routing/sets/:ruleSet/publish', request)
        if (!result.ok) return result
        toast('Request sent. A second person must approve it.')
        onAsked()
        return result
      }}
      onClose={onClose}
    >
      <p>
        A second person must approve this. After approval, every payment follows revision {draft?.revision} of the
        draft. Later revisions need a new request.
      </p>
      <ChangesView before={rulesFrom(published?.rules ?? [])} after={rulesFrom(draft?.rules ?? [])} />
    </ConfirmDialog>
  )
}
