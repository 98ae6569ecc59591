/**
 * No answer came from the acquirer, or none that can be read.
 *
 * `sent` is false only when it is certain that no byte of the request left us: the connection was refused, the name did
 * not resolve, the time ran out before a connection was free, or the request could not even be written. In every other case the
 * acquirer may have executed it.
 */
export class WireFault extends Error {
  override readonly name = 'WireFault'
  readonly sent: boolean
  /** The connector failed to write or sign the request: a bug of ours and no outage. */
  readonly isBug: boolean

  constructor(message: string, { sent, isBug = false, cause }: WireFaultDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.sent = sent
    this.isBug = isBug
  }
}

interface WireFaultDetails {
  readonly sent: boolean
  readonly isBug?: boolean
  readonly cause?: unknown
}
