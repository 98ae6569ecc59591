/** Two users edited one draft, and the other saved first. Nothing of either is lost until the user decides. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { ChangesView } from './history/changes-view.tsx'
import { type Draft, rulesIn, type ShownSet } from './use-draft.ts'

interface TheirsNoticeProps {
  readonly draft: Draft
  readonly theirs: ShownSet
}

export function TheirsNotice({ draft, theirs }: TheirsNoticeProps): JSX.Element {
  const open = useSignal<'compare' | 'take' | null>(null)
  const close = (): void => {
    open.value = null
  }
  return (
    <Notice tone="warn">
      <div role="alert">
        <p>{describeChange(theirs)} Your changes are not saved yet.</p>
        <div class="form-actions">
          <Button
            onClick={() => {
              open.value = 'compare'
            }}
          >
            Compare
          </Button>
          <Button busy={draft.isBusy} onClick={() => void draft.save(theirs)}>
            Overwrite with mine
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              open.value = 'take'
            }}
          >
            Use theirs
          </Button>
        </div>
      </div>
      {open.value === 'compare' && (
        <Dialog title="Differences between theirs and yours" shape="wide" onClose={close}>
          <ChangesView before={rulesIn(theirs)} after={draft.rules} />
        </Dialog>
      )}
      {open.value === 'take' && (
        <ConfirmDialog
          title="Use their version?"
          act="Use theirs"
          danger
          onConfirm={async () => {
            draft.takeTheirs()
            return { ok: true, value: null }
          }}
          onClose={close}
        >
          <p>Your unsaved changes are lost.</p>
        </ConfirmDialog>
      )}
    </Notice>
  )
}

function describeChange({ draft, published }: ShownSet): JSX.Element {
  if (draft)
    return (
      <>
        {draft.changedBy} saved the draft as revision {draft.revision} on <DateTime at={draft.changedAt} />.
      </>
    )
  return <>The draft was published or deleted in the meantime. Version {published?.version ?? 0} is current.</>
}
