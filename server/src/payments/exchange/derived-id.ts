import { hash } from 'node:crypto'

/** A UUID of version 8 derived from a text. The same text gives the same id, so that a repeated write finds the existing row. */
export function derivedId(text: string): string {
  const hex = hash('sha256', text, 'hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}
