/** A button that opens a file and uses it at once. */
import type { ComponentChildren, JSX } from 'preact'

interface FileButtonProps {
  readonly children: ComponentChildren
  readonly onChosen: (file: File) => void
  /** File types as the browser filters them: `.zip,image/png`. */
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
          // Cleared, so that the same file can be chosen again after it was corrected.
          currentTarget.value = ''
          if (file) onChosen(file)
        }}
      />
    </label>
  )
}
