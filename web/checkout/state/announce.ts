/** Announcements for screen readers. Chapter 30 §7.9. */
import { signal } from '@preact/signals'

export const announcement = signal('')

let pending: ReturnType<typeof setTimeout> | undefined

/** The region is emptied first, so that the same text is announced again. */
export function announce(text: string): void {
  silence()
  pending = setTimeout(() => {
    announcement.value = text
  }, 50)
}

/** A new state has begun: what was said about the previous one is no longer true. */
export function silence(): void {
  clearTimeout(pending)
  announcement.value = ''
}
