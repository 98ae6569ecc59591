/** The stored credentials of a MID. They may have been entered for an earlier release of its connector. */
import type { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import { readValue } from '#server/contracts/value-faults.ts'
import type { MidRow } from '#server/store/configuration/mids.ts'
import { PLATFORM_SCOPE } from '#server/vault/port.ts'
import { CommandError } from './command-error.ts'
import type { Instance } from './instance.ts'

interface StoredCredentials<T> {
  readonly entered: unknown
  readonly credentials: T
}

/** As they were entered, and as the schema reads them. */
export async function openCredentials<T>(
  { vault }: Pick<Instance, 'vault'>,
  { name, credentialsSealed }: Pick<MidRow, 'name' | 'credentialsSealed'>,
  schema: z.ZodType<T>,
): Promise<StoredCredentials<T>> {
  const opened = await vault.open(PLATFORM_SCOPE, 'credentials', credentialsSealed)
  const entered = parseJson(opened.reveal())
  const reading = readValue(schema, entered)
  if (reading.ok) return { entered, credentials: reading.value }
  const faults = reading.faults.map(({ path, text }) => `${path || 'credentials'}: ${text}`).join(' ')
  throw new CommandError(
    `The stored credentials of the MID ${name} do not fit its connector: ${faults}`,
    `Enter them again with "gatehouse mid update ${name} --credentials". Nothing was changed.`,
  )
}
