/** Placeholders for content that is loading, missing or empty. */
import type { ComponentChildren, JSX } from 'preact'
import type { Read } from '../api/use-reading.ts'
import { FaultView } from './fault-view.tsx'

/** There is nothing here, and what the user can do about it. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  )
}

/** Lines in place of content that is still loading. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton-line" />
      ))}
    </div>
  )
}

interface ReadResultProps<T> {
  readonly read: Read<T>
  readonly lines?: number
  readonly children: (value: T) => ComponentChildren
}

/** Shows the value once it is loaded; until then a skeleton, and the fault if loading fails. */
export function ReadResult<T>({ read, lines = 4, children }: ReadResultProps<T>): JSX.Element {
  const { value, fault, reload } = read
  return (
    <>
      {fault !== null && <FaultView fault={fault} onRetry={reload} />}
      {value === null ? fault === null && <Skeleton lines={lines} /> : children(value)}
    </>
  )
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain'

/** A remark that the user should read before going on. */
export function Notice(props: { readonly tone?: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <div class={`notice ${props.tone ?? 'info'}`}>{props.children}</div>
}
