/** Light, dark, or the system's setting. Charts follow `isDark`. */
import { computed, effect, signal } from '@preact/signals'
import { storedChoice } from '../kit/stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

const store = storedChoice<Theme>('theme', ['system', 'light', 'dark'], 'system')
const preference = window.matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(preference.matches)

export const theme = signal<Theme>(store.read())

export const isDark = computed<boolean>(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'))

export function chooseTheme(next: Theme): void {
  theme.value = next
  store.write(next)
}

/** Called once, when the panel starts. */
export function followTheme(): void {
  preference.addEventListener('change', ({ matches }) => {
    systemIsDark.value = matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light'
  })
}
