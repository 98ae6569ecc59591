/** PEM: blocks of base64 between BEGIN and END lines. */
import { base64Bytes } from './text-bytes.ts'

export interface PemBlock {
  readonly label: string
  readonly bytes: Buffer
  /** Old encrypted keys state it in header lines above the base64. */
  readonly encrypted: boolean
}

/** The blocks of the text in order; null if a block is damaged or not closed. Text between blocks is ignored. */
export function pemBlocks(text: string): readonly PemBlock[] | null {
  const blocks = [...text.matchAll(block)].map(([, label = '', body = '']) => blockOf(label, body))
  const begun = text.split('-----BEGIN').length - 1
  const whole = blocks.filter((found) => found !== null)
  return begun === whole.length ? whole : null
}

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*(?:-(?!----)[^-]*)*)-----END \1-----/g

function blockOf(label: string, body: string): PemBlock | null {
  const encrypted = /^Proc-Type: *4,ENCRYPTED/m.test(body)
  const base64 = body.replace(/^[A-Za-z-]+:.*$/gm, '').replace(/\s+/g, '')
  const bytes = base64Bytes(base64)
  return bytes === null || bytes.length === 0 ? null : { label, bytes, encrypted }
}
