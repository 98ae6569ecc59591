/** The page while its session is read: blocks of the size of a card form, so that nothing moves when the content arrives. Chapter 30 §7.2. */
import type { JSX } from 'preact'

/** What the document says about the session before the session itself is read. */
export interface Outline {
  readonly test: boolean
  /** The number of wallet buttons. */
  readonly wallets: number
}

export function Skeleton({ test, wallets }: Outline): JSX.Element {
  return (
    <div class="skeleton" aria-hidden="true">
      {test && <div class="test block" />}
      <div class="columns">
        <div class="summary">
          <div class="block summary-block" />
        </div>
        <div class="work">
          {Array.from({ length: wallets }, (_, at) => (
            <div key={at} class="block" />
          ))}
          {['heading', 'labelled', 'labelled', 'labelled'].map((kind, at) => (
            <div key={at} class={kind}>
              <div class="block" />
            </div>
          ))}
          <div class="block" />
        </div>
      </div>
    </div>
  )
}
