/** The accounts at the sandbox acquirer, under the acquirer's own names, which our MIDs have among their credentials. */
import { z } from 'zod'
import { midStore } from '#server/store/configuration/mids.ts'
import { CommandError } from './command-error.ts'
import type { Instance } from './instance.ts'
import { suggestion } from './nearest.ts'
import { openCredentials } from './stored-credentials.ts'

const ownName = z.object({ mid: z.string() })

export async function listSandboxMids(instance: Instance): Promise<readonly string[]> {
  const mids = (await midStore(instance.pool).list()).filter(({ connector }) => connector === 'sandbox')
  const names = await Promise.all(
    mids.map(async (mid) => (await openCredentials(instance, mid, ownName)).credentials.mid),
  )
  return [...new Set(names)].toSorted()
}

/** The acquirer accepts any name, so a scenario for a mistyped MID would silently never apply. */
export function refuseUnknown(named: readonly string[], known: readonly string[]): void {
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new CommandError(
    `The sandbox acquirer has no MID "${unknown}".${suggestion(unknown, known)}`,
    known.length === 0
      ? 'This instance has no MID at the sandbox acquirer: create one with "gatehouse mid create".'
      : `Choose one of: all, ${known.join(', ')}. Nothing was changed.`,
  )
}
