/** A state in one word. The word carries the meaning; the colour only helps to find it. */
import type { ComponentChildren, JSX } from 'preact'
import type { Tone } from './states.tsx'

export function Badge(props: { readonly tone?: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${props.tone ?? 'plain'}`}>{props.children}</span>
}

// biome-ignore format: a table is read in columns.
const tones: Readonly<Record<string, Tone>> = {
  // payments
  PREPARE: 'plain', '3DS': 'info', REDIRECT: 'info', PENDING: 'warn', SETTLED: 'good', REVERSAL: 'plain',
  REFUND: 'plain', VOID: 'plain', CHARGEBACK: 'bad', DECLINED: 'bad',
  // transactions
  sent: 'info', success: 'good', fail: 'bad', waiting: 'info', undefined: 'warn',
  // everything else that has a state
  active: 'good', enabled: 'good', verified: 'good', delivered: 'good', entered: 'good', done: 'good', approved: 'good', closed: 'good',
  new: 'info', 'file ready': 'info', failing: 'bad', suspended: 'bad', current: 'good', next: 'info', retiring: 'warn', 'in review': 'warn', ignored: 'plain', lapsed: 'bad',
  published: 'good', running: 'info', ready: 'info', draft: 'info', pending: 'warn', due: 'info', paused: 'warn',
  'half-open': 'warn', expiring: 'warn', blocked: 'bad', disabled: 'plain', failed: 'bad', refused: 'bad', open: 'bad',
  expired: 'bad', cancelled: 'plain', withdrawn: 'plain', ended: 'plain', retired: 'plain',
}

/** A status or state as the interface spells it. */
export function Status({ of }: { readonly of: string }): JSX.Element {
  return <Badge tone={tones[of] ?? 'plain'}>{of}</Badge>
}
