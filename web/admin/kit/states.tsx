/** What stands where something will be, or where there is nothing. */
import type { ComponentChildren, JSX } from 'preact'
import type { Read } from '../api/use-reading.ts'
import { FaultView } from './fault-view.tsx'

/** Nothing here, and what one may do about it. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  )
}

/** Lines in the place of what is still under way. */
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

export interface LoadedProps<T> {
  readonly read: Read<T>
  readonly lines?: number
  readonly children: (value: T) => ComponentChildren
}

/** What was read, once it is there; until then its skeleton, and if it fails, why. */
export function Loaded<T>({ read, lines = 4, children }: LoadedProps<T>): JSX.Element {
  const { value, fault, reload } = read
  return (
    <>
      {fault !== null && <FaultView fault={fault} onRetry={reload} />}
      {value === null ? fault === null && <Skeleton lines={lines} /> : children(value)}
    </>
  )
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain'

/** A remark on a page: what to know before going on. */
export function Notice(props: { readonly tone?: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <div class={`notice ${props.tone ?? 'info'}`}>{props.children}</div>
}
