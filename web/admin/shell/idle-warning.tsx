/** Warns a minute before an idle session ends, and offers to continue it. */
import type { JSX } from 'preact'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { secondsLeft, staySignedIn } from '../session/idle.ts'
import { session, signOut } from '../session/session.ts'

export function IdleWarning(): JSX.Element | null {
  const left = secondsLeft.value
  if (left === null || session.value === null) return null
  const stay = (): void => void staySignedIn()
  return (
    <Dialog title="Are you still there?" onClose={stay}>
      <p>
        You will be signed out in <span class="number">{left}</span> seconds because of inactivity. After signing in you
        return to this page.
      </p>
      <div class="form-actions">
        <Button kind="primary" onClick={stay}>
          Stay signed in
        </Button>
        <Button kind="quiet" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </Dialog>
  )
}
