/** The browser's own dialog: it traps the focus, restores it, and closes on Escape. It is open as long as it is rendered. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** `drawer`: at the edge of the window, for long content. */
  readonly shape?: 'box' | 'wide' | 'drawer'
}

export function Dialog({ title, onClose, children, shape = 'box' }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${shape}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file chooser inside the dialog that is cancelled says so, too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}

/** What an action in a dialog brought, in place of its form: there is nothing more to do than to read and close it. */
export function DialogResult(props: Pick<DialogProps, 'onClose' | 'children'>): JSX.Element {
  return (
    <div class="form">
      {props.children}
      <div class="form-actions">
        <Button kind="primary" focused onClick={props.onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

export const Drawer = (props: Omit<DialogProps, 'shape'>): JSX.Element => <Dialog {...props} shape="drawer" />
