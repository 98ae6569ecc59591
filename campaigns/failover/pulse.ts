/** How long something that should happen all the time did not happen. */
export class Pulse {
  #last = performance.now()
  #longestMs = 0

  beat(): void {
    const now = performance.now()
    this.#longestMs = Math.max(this.#longestMs, now - this.#last)
    this.#last = now
  }

  /** The longest gap in seconds since the last call. */
  takeLongest(): number {
    this.beat()
    const seconds = this.#longestMs / 1000
    this.#longestMs = 0
    return seconds
  }
}
