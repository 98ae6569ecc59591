/** Short messages about what was just done. Screen readers announce them; they disappear by themselves, except errors. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Fault } from '../api/call.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
}

const visibleToasts = signal<readonly Toast[]>([])
const staysMs = 6000
let lastId = 0

export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1
  const id = lastId
  visibleToasts.value = [...visibleToasts.value.slice(-3), { id, text, tone }]
  if (tone === 'good') setTimeout(() => drop(id), staysMs)
}

export const toastFault = ({ text, fields }: Fault): void =>
  toast([text, ...fields.map((one) => one.text)].join(' '), 'bad')

function drop(id: number): void {
  visibleToasts.value = visibleToasts.value.filter((one) => one.id !== id)
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {visibleToasts.value.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <p>{text}</p>
          <Button kind="quiet" icon="close" label="Close" small onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}
