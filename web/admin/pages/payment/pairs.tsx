/** Names and values from the server, shown unchanged; nested values as JSON. */
import type { JSX } from 'preact'
import { entriesOf } from '../../api/call.ts'
import { type KeyValue, KeyValues } from '../../kit/values/key-values.tsx'
import { factText } from './fact-text.ts'

export const Pairs = ({ of }: { readonly of: unknown }): JSX.Element => (
  <KeyValues rows={entriesOf(of).map(([name, value]): KeyValue => [name, factText(value)])} />
)
