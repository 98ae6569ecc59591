/** Numbers of risk lists and velocity; all are ours. */
const day = 24 * 60

export const riskLimits = {
  /** The longest window of a velocity. */
  windowMinutes: 30 * day,
  /** Kept for one card, address or device. */
  countedPayments: 1000,
  /** Above the longest window. */
  velocityMs: 31 * day * 60_000,
}
