/** An acquirer's event as JSON: instants as ISO texts, amounts as digits. */

import { writeJson } from '#domain/json.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { JsonObject } from '../../contracts/records.ts'

const instants: ReadonlySet<string> = new Set(['at', 'evidenceDueAt'])
const amounts: ReadonlySet<string> = new Set(['amountMinor'])

export const encodeEvent = (event: AcquirerEvent): string => writeJson(event)

/** Reads an event that `encodeEvent` wrote. */
export function decodeEvent(stored: JsonObject): AcquirerEvent {
  const entries = Object.entries(stored).map(([name, value]) => [name, decodeMember(name, value)] as const)
  // Only `encodeEvent` writes this column.
  return Object.fromEntries(entries) as unknown as AcquirerEvent
}

function decodeMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (instants.has(name)) return new Date(value)
  return amounts.has(name) ? BigInt(value) : value
}
