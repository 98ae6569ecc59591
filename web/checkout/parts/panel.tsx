/** A state without a form: a sign, a heading that takes the focus, and what follows from it. */
import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export const resultId = 'result'

interface PanelProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

export const Panel = ({ icon, title, children }: PanelProps): JSX.Element => (
  <section class="result" aria-labelledby={resultId}>
    <Icon name={icon} />
    <h2 id={resultId} tabIndex={-1}>
      {title}
    </h2>
    {children}
  </section>
)
