/** The result of one attempt to deliver a callback, with the reason if the merchant answered and did not acknowledge. */

interface AttemptResult {
  readonly acknowledged: boolean
  readonly httpStatus: number | null
  readonly fault: string | null
}

/** Chapter 10 §11.1: a status of 200 to 299 acknowledges, on the S2S protocols only with a body that begins with OK. */
export function attemptText({ acknowledged, httpStatus, fault }: AttemptResult): string {
  if (fault !== null) return fault
  const status = `HTTP ${httpStatus}`
  if (acknowledged) return status
  const isSuccess = httpStatus !== null && httpStatus >= 200 && httpStatus < 300
  return isSuccess ? `${status}, but the body must begin with OK` : `${status}, but 200 is expected`
}
