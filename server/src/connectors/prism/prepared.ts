/** What was fetched before a charge, and how long an access token is kept. */

export interface Prepared {
  readonly accessToken?: { readonly value: string; readonly type: string }
  readonly sessionToken?: string
  readonly orderId?: string
  readonly customerId?: string
  readonly cardToken?: string
}

/** The access token of a MID while it is valid. */
export class HeldAccessToken {
  #token: { readonly value: string; readonly type: string } | null = null
  #until = 0

  get(): { readonly value: string; readonly type: string } | null {
    return performance.now() < this.#until ? this.#token : null
  }

  hold(value: string, type: string, seconds: number): void {
    this.#token = { value, type }
    // Renewed before it ends: the request takes time, and clocks differ.
    this.#until = performance.now() + Math.max(0, seconds - 60) * 1000
  }

  drop(): void {
    this.#until = 0
  }
}
