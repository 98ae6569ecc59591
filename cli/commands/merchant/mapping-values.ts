/** Reads `option=value` from the command line as JSON, as a comma-separated list or as plain text, whichever the option accepts. */
import { parseMappingOptions } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { Json, JsonObject } from '#server/contracts/records.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'

export function chosenOptions(protocol: Protocol, choices: readonly string[]): JsonObject {
  const readings = choices.map((choice) => readChoice(protocol, choice))
  const faults = readings.flatMap((reading) => reading.faults)
  if (faults.length > 0) {
    throw new CommandError(
      faults.length === 1
        ? String(faults[0])
        : `${faults.length} errors:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      'Nothing was changed. "gatehouse mapping options" shows what is allowed.',
    )
  }
  return Object.fromEntries(readings.map(({ name, value }) => [name, value]))
}

interface Reading {
  readonly name: string
  readonly value: Json
  readonly faults: readonly string[]
}

/** Returns the first reading that the option accepts; if it accepts none, the faults of the plain text. */
function readChoice(protocol: Protocol, choice: string): Reading {
  const equals = choice.indexOf('=')
  if (equals < 1) throw new UsageError(`"${choice}" is not option=value.`, 'Write for example digest=sha256.')
  const name = choice.slice(0, equals)
  const text = choice.slice(equals + 1)
  const readings = [...jsonOf(text), listOf(text), text].map((value) => ({
    name,
    value,
    faults: parseMappingOptions({ merchantId: '', protocol, options: { [name]: value } }).faults,
  }))
  return readings.find(({ faults }) => faults.length === 0) ?? { name, value: text, faults: readings[0]?.faults ?? [] }
}

const listOf = (text: string): readonly Json[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part))

function jsonOf(text: string): readonly Json[] {
  try {
    const parsed: Json = JSON.parse(text)
    return [parsed]
  } catch {
    return []
  }
}
