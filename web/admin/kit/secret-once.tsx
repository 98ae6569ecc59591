/** A secret that is shown this once: it has to be taken along before the dialog is closed. */
import type { JSX } from 'preact'
import { Button } from './button.tsx'
import { Copyable } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './states.tsx'

export interface SecretOnceProps {
  readonly title: string
  /** Names and secrets: `[['Password', '…']]`. */
  readonly secrets: readonly (readonly [name: string, secret: string])[]
  readonly onClose: () => void
}

export function SecretOnce({ title, secrets, onClose }: SecretOnceProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="warn">Keep this now. It is not shown again.</Notice>
      <dl class="secrets">
        {secrets.map(([name, secret]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Copyable text={secret} label={`Copy: ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="form-actions">
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  )
}
