/** One field of a form before its text is decoded: strings of one character per byte (latin1). */
export interface RawField {
  readonly name: string
  readonly value: string
}
