/** A secret that is shown only once: the user must save it before closing the dialog. */
import type { JSX } from 'preact'
import { Button } from '../button.tsx'
import { Copyable } from '../copy-button.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../states.tsx'

interface SecretOnceProps {
  readonly title: string
  /** Names and secrets: `[['Password', '…']]`. */
  readonly secrets: readonly (readonly [name: string, secret: string])[]
  /** What to do with the secret; the default is to save it. */
  readonly note?: string
  /** The label of the button. */
  readonly act?: string
  readonly onClose: () => void
}

export function SecretOnce(props: SecretOnceProps): JSX.Element {
  const {
    title,
    secrets,
    onClose,
    note = 'Copy this now. It will not be shown again.',
    act = 'I have saved it',
  } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="warn">{note}</Notice>
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
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
