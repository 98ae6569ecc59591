/** The time of the stand-ins. They have no test clock: nothing in them is due later than a notification. */
export const now = (): Date => new Date(Date.now())
