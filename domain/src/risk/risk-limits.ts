/** How far risk lists and velocity look back. No chapter gives these numbers. */
const dayMinutes = 24 * 60

export const riskLimits = {
  /** The longest window of a velocity. */
  windowMinutes: 30 * dayMinutes,
  /** The most payments that are counted for one card, address or device. */
  countedPayments: 1000,
  /** Longer than the longest window, so that none counts a payment that is already removed. */
  velocityKeptMs: 31 * dayMinutes * 60_000,
}
