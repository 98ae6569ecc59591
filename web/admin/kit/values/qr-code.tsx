/** A QR code: dark on white in every theme, because cameras need it so. */
import type { JSX } from 'preact'
import { qrPath } from '#domain/qr/qr.ts'

export function QrCode({ text, label }: { readonly text: string; readonly label: string }): JSX.Element | null {
  const code = qrPath(text)
  if (code === null) return null
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  )
}
