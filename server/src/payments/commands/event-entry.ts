/** Whether an acquirer's event was entered, or has to be tried again. */

export type EventEntry =
  | { readonly kind: 'entered' }
  /** Our own record is not that far yet. */
  | { readonly kind: 'later'; readonly reason: string }

export const eventEntered: EventEntry = { kind: 'entered' }

export const tryLater = (reason: string): EventEntry => ({ kind: 'later', reason })
