/** A button that lets a file be chosen, and does something with it at once. */
import type { ComponentChildren, JSX } from 'preact'

export interface FileButtonProps {
  readonly children: ComponentChildren
  readonly onChosen: (file: File) => void
  /** Kinds of files as the browser filters them: `.zip,image/png`. */
  readonly accept?: string
  readonly small?: boolean
}

export function FileButton({ children, onChosen, accept, small = false }: FileButtonProps): JSX.Element {
  return (
    <label class={small ? 'button plain small file' : 'button plain file'}>
      {children}
      <input
        class="unseen"
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Emptied, so that the same file can be chosen once more after it was put right.
          currentTarget.value = ''
          if (file) onChosen(file)
        }}
      />
    </label>
  )
}
