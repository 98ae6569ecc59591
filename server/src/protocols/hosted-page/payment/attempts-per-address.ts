/** In an hour from one address, whatever the sessions and whichever process serves them. */
export interface AttemptsPerAddress {
  /** The seconds to wait; null when the attempt is granted. */
  take(address: string): Promise<number | null>
}
