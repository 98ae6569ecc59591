/** A dialog of the browser's own: it holds the focus, gives it back, and closes by Escape. Shown as long as it is drawn. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** `drawer`: at the edge of the window, for what is long. */
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

/** A dialog at the edge of the window. */
export const Drawer = (props: Omit<DialogProps, 'shape'>): JSX.Element => <Dialog {...props} shape="drawer" />
