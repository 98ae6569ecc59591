/** A software authenticator: creates passkeys and signs with them, as a phone or a security key would (WebAuthn, level 2). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

export class Authenticator {
  readonly #origin: string
  readonly #host: string
  readonly id = randomBytes(16)
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#host = new URL(origin).hostname
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  /** The answer to a registration. */
  make({ challenge }: { readonly challenge: string }): object {
    const credential = Buffer.concat([Buffer.alloc(16), u16(this.id.length), this.id, this.#coseKey()])
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(this.#authenticatorData(0x45, credential))],
    ])
    const clientDataJSON = this.#clientData('webauthn.create', challenge)
    return this.#answer({
      clientDataJSON,
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer to a sign-in; `verified` false omits user verification. */
  prove({ challenge }: { readonly challenge: string }, { verified = true } = {}): object {
    this.#counter += 1
    const clientDataJSON = this.#clientData('webauthn.get', challenge)
    const data = this.#authenticatorData(verified ? 0x05 : 0x01)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const signature = sign('sha256', signed, this.#privateKey).toString('base64url')
    return this.#answer({ clientDataJSON, authenticatorData: data.toString('base64url'), signature })
  }

  #answer(response: object): object {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin })).toString('base64url')
  }

  #authenticatorData(flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([sha256(this.#host), Buffer.from([flags]), counter, credential])
  }

  /** RFC 9053: kty EC2, alg ES256, crv P-256, x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return map([
      [Buffer.from([0x01]), Buffer.from([0x02])],
      [Buffer.from([0x03]), Buffer.from([0x26])],
      [Buffer.from([0x20]), Buffer.from([0x01])],
      [Buffer.from([0x21]), bytes(Buffer.from(x, 'base64url'))],
      [Buffer.from([0x22]), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

/** The part of CBOR that an attestation needs. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), u16(length)])
}
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
