/** The panel's icons, drawn with one line on 24 by 24. They only accompany words, so they are hidden from screen readers. */
import type { JSX } from 'preact'
import { type IconName, iconLines } from './icon-lines.ts'

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconLines[name]} />
    </svg>
  )
}
