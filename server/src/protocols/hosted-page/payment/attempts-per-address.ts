/** Limits the attempts per hour from one IP address, over all sessions and processes. */
export interface AttemptsPerAddress {
  /** The seconds to wait; null if the attempt is allowed. */
  take(address: string): Promise<number | null>
}
