/** What a screen reader is told beside what stands on the page. Chapter 30 §7.9. */
import { signal } from '@preact/signals'

export const spoken = signal('')

/** The same words twice are news twice, so the region is emptied in between. */
export function announce(text: string): void {
  spoken.value = ''
  setTimeout(() => {
    spoken.value = text
  }, 50)
}
