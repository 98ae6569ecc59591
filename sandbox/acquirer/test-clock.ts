/** The acquirer's clock: the machine's, moved by an offset that tests set. The only place that reads the machine's time. */
export class TestClock {
  #offsetMs = 0

  get offsetMs(): number {
    return this.#offsetMs
  }

  set offsetMs(offsetMs: number) {
    this.#offsetMs = offsetMs
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }
}
