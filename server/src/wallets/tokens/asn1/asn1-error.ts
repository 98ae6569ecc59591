/** The only thing the readers of this folder throw: the bytes are not what they should be. The message holds no content. */
export class Asn1Error extends Error {
  override readonly name = 'Asn1Error'
}
