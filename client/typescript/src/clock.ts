/** The time of the merchant's machine: timestamps of callbacks are compared with it. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
