/** The options of a protocol mapping as a table of the reference. */

import { mappingOptions } from '#domain/mapping.ts'
import { type Protocol, protocols } from '#domain/merchant.ts'
import type { Reading } from '#domain/reading.ts'
import { code, table } from './markdown.ts'

export function mappingOptionTable(): string {
  return table(
    ['Option', 'Title', 'Protocols', 'Default', 'Allowed'],
    Object.entries(mappingOptions).map(([name, option]) => [
      code(name),
      option.title,
      option.protocols.length === protocols.length
        ? 'all'
        : option.protocols.map((one) => one.replace('_', ' ')).join(', '),
      code(JSON.stringify(option.standard)),
      name.startsWith('addTo') ? 'a list of [report fields](report-fields.md)' : allowedIn(option),
    ]),
  )
}

/** An option whose values differ by protocol names them for each. */
function allowedIn({ read, protocols: of }: (typeof mappingOptions)[keyof typeof mappingOptions]): string {
  const allowed = of.map((protocol) => [protocol.replace('_', ' '), readAllowed(read, protocol)] as const)
  const [first] = allowed
  if (allowed.every(([, values]) => values === first?.[1])) return first?.[1] ?? ''
  return allowed.map(([protocol, values]) => `on ${protocol} ${values}`).join('; ')
}

/** A reader lists the values it accepts in the error for an invalid value; so one is passed to it. */
function readAllowed(read: (value: unknown, protocol: Protocol) => Reading<unknown>, protocol: Protocol): string {
  const reading = read(undefined, protocol)
  return reading.ok ? '' : reading.allowed
}
