/** Names and values that the server tells as they are; what is deeper is shown as it was written. */
import type { JSX } from 'preact'
import { entriesOf } from '../../api/call.ts'
import { type KeyValue, KeyValues } from '../../kit/key-values.tsx'

export const Pairs = ({ of }: { readonly of: unknown }): JSX.Element => (
  <KeyValues rows={entriesOf(of).map(([name, value]): KeyValue => [name, textOf(value)])} />
)

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
