/** What a log may know of an exchange with an acquirer. */
import type { WireRequest } from './wire-request.ts'

/** One exchange as a log may show it: already scrubbed. */
export interface WireEntry {
  readonly connector: string
  /** `LINE` where the acquirer does not speak HTTP; then there is no path and no status. */
  readonly method: WireRequest['method'] | 'LINE'
  readonly path: string
  readonly request: unknown
  readonly status: number | null
  readonly answer: unknown
  readonly fault: string | null
  readonly durationMs: number
}
