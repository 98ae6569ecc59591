/** References for an acquirer that takes twelve characters, of which the first four are digits. The same for the same transaction. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../contracts/json.ts'

/** Our references are the only texts of this form. */
const wholeReference = /^[0-9a-f]{32}$/

export const withShortReferences = (message: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(message).map(([name, value]) =>
      typeof value === 'string' && wholeReference.test(value) ? [name, shortReference(value)] : [name, value],
    ),
  )

/** Ten thousand times 36^8: among a million payments of one account, two have the same with a chance below one in fifty thousand. */
function shortReference(reference: string): string {
  const number = BigInt(`0x${createHash('sha256').update(reference).digest('hex').slice(0, 32)}`)
  const digits = String(number % 10_000n).padStart(4, '0')
  const suffix = ((number / 10_000n) % 36n ** 8n).toString(36).padStart(8, '0').toUpperCase()
  return digits + suffix
}
