/** Announcements for screen readers. Chapter 30 §7.9. */
import { signal } from '@preact/signals'

export const announcement = signal('')

/** The region is emptied first, so that the same text is announced again. */
export function announce(text: string): void {
  announcement.value = ''
  setTimeout(() => {
    announcement.value = text
  }, 50)
}
