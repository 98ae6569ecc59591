/** The only error that the readers of this folder throw: the bytes are invalid. The message contains none of them. */
export class Asn1Error extends Error {
  override readonly name = 'Asn1Error'
}
