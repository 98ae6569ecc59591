/** Whether an acquirer's event was entered, or has to be tried again. */

export type EventEntry =
  | { readonly kind: 'entered' }
  /** Our own record is not that far yet. */
  | {
      readonly kind: 'later'
      readonly reason: string
      /** An operator is alerted if it never comes that far. */
      readonly isFault: boolean
    }

export const eventEntered: EventEntry = { kind: 'entered' }

export const tryLater = (reason: string, { isFault } = { isFault: true }): EventEntry => ({
  kind: 'later',
  reason,
  isFault,
})
