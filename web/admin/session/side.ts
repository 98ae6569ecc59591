/** The selected mode, live or test; every page that lists payments starts with it. */
import { signal } from '@preact/signals'
import { kept } from '../kit/kept.ts'

export type Side = 'live' | 'test'

const store = kept<Side>('side', ['live', 'test'], 'live')

export const side = signal<Side>(store.read())

export function chooseSide(next: Side): void {
  side.value = next
  store.write(next)
}
