/**
 * No answer came from the acquirer, or none that can be read.
 *
 * `sent` is false only when it is certain that no byte of the request left us: the connection was refused, the name did
 * not resolve, the time ran out before a connection was free. In every other case the acquirer may have executed it.
 */
export class WireFault extends Error {
  override readonly name = 'WireFault'
  readonly sent: boolean

  constructor(message: string, { sent, cause }: { readonly sent: boolean; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.sent = sent
  }
}
