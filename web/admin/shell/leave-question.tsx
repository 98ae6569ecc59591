/** Asks before a page with unsaved work is left. */
import type { JSX } from 'preact'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { heldNavigation } from '../router/current-address.ts'

export function LeaveQuestion(): JSX.Element | null {
  const leave = heldNavigation.value
  if (leave === null) return null
  const stay = (): void => {
    heldNavigation.value = null
  }
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <p>Your changes are not saved.</p>
      <div class="form-actions">
        <Button kind="primary" onClick={stay}>
          Stay here
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            stay()
            leave()
          }}
        >
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
