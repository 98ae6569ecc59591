/** The panel's few icons: drawn on 24 by 24, by one line. They only accompany words, so that nobody has to be told what they show. */
import type { JSX } from 'preact'
import { type IconName, iconLines } from './icon-lines.ts'

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconLines[name]} />
    </svg>
  )
}
