/** Messages on a stream: each is preceded by its length. */

export interface Framing {
  /** How many bytes the length has. */
  readonly lengthBytes: number
  readonly lengthFormat: 'binary' | 'ascii' | 'bcd'
  /** Whether the length counts its own bytes. */
  readonly countsItself: boolean
}

/** The stream is not what the framing says: nothing after this place can be read. */
export class FramingError extends Error {
  override readonly name = 'FramingError'
}

/** No message of a card host is longer: a larger length means that the stream is out of step. */
const longestMessage = 8_192

export function frame(framing: Framing, message: Buffer): Buffer {
  const { lengthBytes, lengthFormat, countsItself } = framing
  const length = message.length + (countsItself ? lengthBytes : 0)
  const digits = { binary: length.toString(16), ascii: String(length), bcd: String(length) }[lengthFormat]
  const width = lengthFormat === 'ascii' ? lengthBytes : lengthBytes * 2
  if (digits.length > width) throw new FramingError('The message is too long for the length in front of it.')
  const padded = digits.padStart(width, '0')
  return Buffer.concat([Buffer.from(padded, lengthFormat === 'ascii' ? 'ascii' : 'hex'), message])
}

/** Puts the messages together again, however the network has cut them. */
export class FrameReader {
  readonly #framing: Framing
  #held: Buffer = Buffer.alloc(0)

  constructor(framing: Framing) {
    this.#framing = framing
  }

  /** The messages that are whole now. Throws `FramingError`. */
  push(chunk: Buffer): readonly Buffer[] {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const { lengthBytes } = this.#framing
    const messages: Buffer[] = []
    while (this.#held.length >= lengthBytes) {
      const end = lengthBytes + readLength(this.#framing, this.#held.subarray(0, lengthBytes))
      if (this.#held.length < end) break
      messages.push(Buffer.from(this.#held.subarray(lengthBytes, end)))
      this.#held = this.#held.subarray(end)
    }
    return messages
  }
}

function readLength({ lengthBytes, lengthFormat, countsItself }: Framing, bytes: Buffer): number {
  const text = bytes.toString(lengthFormat === 'ascii' ? 'ascii' : 'hex')
  if (lengthFormat !== 'binary' && !/^[0-9]+$/.test(text)) throw new FramingError('The length is not a number.')
  const length = Number.parseInt(text, lengthFormat === 'binary' ? 16 : 10) - (countsItself ? lengthBytes : 0)
  // A length of zero is a keep-alive of some hosts.
  if (length < 0 || length > longestMessage) throw new FramingError('The length is out of range.')
  return length
}
