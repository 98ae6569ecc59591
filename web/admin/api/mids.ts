/** The MIDs by name, for filters and links; empty for users who may not see MIDs. */
import type { Choice } from '../kit/form/fields.tsx'
import { may } from '../session/session.ts'
import { useReading } from './use-reading.ts'

interface MidChoices {
  readonly choices: readonly Choice[]
  readonly connectors: readonly Choice[]
}

export function useMidChoices(): MidChoices {
  const read = useReading('GET /mids', { when: may('mids.read') })
  const mids = read.value?.mids ?? []
  const connectors = [...new Set(mids.map(({ connector }) => connector))].toSorted()
  return {
    choices: mids.map(({ id, name }) => ({ value: id, text: name })),
    connectors: connectors.map((name) => ({ value: name, text: name })),
  }
}
