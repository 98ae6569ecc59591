/** Whether the stored credentials of a MID fit its connector. */
import type { Mid } from '#domain/mid.ts'
import { connectorById, unavailableBecause } from '../../connectors/registry.ts'
import type { PanelContext } from '../panel-context.ts'

/** Why the stored credentials of a MID cannot be used; null if they fit its connector, or this release does not have the connector. */
export async function findCredentialsFault(
  { acquirers, configuration, dataDir }: Pick<PanelContext, 'acquirers' | 'configuration' | 'dataDir'>,
  { id, connector }: Pick<Mid, 'id' | 'connector'>,
): Promise<{ readonly field: string | null; readonly text: string } | null> {
  const known = connectorById(connector)
  if (!known || configuration.mid(id) === null) return null
  const missing = unavailableBecause(known, dataDir)
  if (missing !== null) return { field: null, text: missing }
  const fault = (await acquirers.find(id)).unusableBecause
  return fault && { field: fault.path === '' ? null : fault.path, text: fault.text }
}
