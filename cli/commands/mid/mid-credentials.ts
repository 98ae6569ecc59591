/** What a connector requires and supports, in words for the operator. */
import { isObject } from '#domain/json.ts'
import type { Mid } from '#domain/mid.ts'
import type { Secret } from '#domain/secret.ts'
import type { RegisteredConnector } from '#server/connectors/connector.ts'
import type { Credentials } from '#server/connectors/credentials.ts'
import { capabilitiesOf, connectorById, connectors } from '#server/connectors/registry.ts'
import { readValue } from '#server/contracts/value-faults.ts'
import { CommandError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { suggestion } from '../../kit/nearest.ts'
import { readText } from '../../kit/text-source.ts'

export function requireConnector(id: string): RegisteredConnector {
  const connector = connectorById(id)
  if (connector) return connector
  const known = connectors.map((one) => one.id)
  throw new CommandError(
    `There is no connector "${id}".${suggestion(id, known)}`,
    `Available connectors: ${known.join(', ')}.`,
  )
}

export async function readCredentials(
  connector: RegisteredConnector,
  source: string,
  context: CommandContext,
): Promise<Credentials> {
  const reading = readValue(connector.credentials, asJson(await readText(source, context)))
  if (reading.ok) return reading.value
  const faults = reading.faults.map(({ path, text }) => `  - ${path || 'credentials'}: ${text}`)
  throw new CommandError(
    `The connector "${connector.id}" does not accept these credentials:\n${faults.join('\n')}`,
    'Give a JSON object with the fields it requires.',
  )
}

/** Only the acquirer knows which of its credentials are secret, so all but the address are hidden. */
export function readableCredentials(stored: Secret<string>): string {
  const parsed: unknown = JSON.parse(stored.reveal())
  const entries = isObject(parsed) ? Object.entries(parsed) : []
  return entries.map(([name, value]) => `${name}=${name === 'base_url' ? String(value) : '***'}`).join(', ')
}

/** Settings that the connector does not support; routing skips such a MID. */
export function unsupportedSettings(mid: Mid): readonly string[] {
  const connector = connectorById(mid.connector)
  if (!connector) return [`this release has no connector "${mid.connector}".`]
  const can = capabilitiesOf(connector)
  // biome-ignore format: a table is read in columns.
  const settings: readonly (readonly [enabled: boolean, supported: boolean, what: string])[] = [
    [mid.motoEnabled,       can.moto,             'MOTO payments'],
    [mid.cardOnFileEnabled, can.cardOnFile,       'saved cards'],
    [mid.zeroAmount,        can.zeroAmount,       'zero-amount payments'],
    [mid.cardFlow,          can.cardFlow,         'wallet card numbers processed as cards'],
    [mid.acceptsDecrypted,  can.acceptsDecrypted, 'decrypted wallet data'],
  ]
  return settings
    .filter(([enabled, supported]) => enabled && !supported)
    .map(([, , what]) => `the connector "${mid.connector}" does not support ${what}.`)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the JSON parser quotes the text, which contains secrets.
    throw new CommandError(
      'The credentials are not JSON.',
      'Give an object such as \'{"base_url":"https://…"}\', or @file.',
    )
  }
}
