/** The selected mode, live or test; every page that lists payments starts with it. */
import { signal } from '@preact/signals'
import { storedChoice } from '../kit/stored-choice.ts'

export type Mode = 'live' | 'test'

/** Browsers store the choice under this older name: another one would lose it. */
const store = storedChoice<Mode>('side', ['live', 'test'], 'live')

export const mode = signal<Mode>(store.read())

export function chooseMode(next: Mode): void {
  mode.value = next
  store.write(next)
}
