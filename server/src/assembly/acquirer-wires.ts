/** The wires to all acquirers, with the helper process of the family `prism`. */
import { openHelper } from '../connectors/prism/installation.ts'
import { createWires, type Wires } from '../connectors/wire.ts'
import type { guardedAcquirers } from '../live-guard/acquirers.ts'
import { traceNumberStore } from '../store/acquirers/trace-numbers.ts'
import type { ProcessContext } from './process-context.ts'

export const openWires = (
  { config, pool, clock }: Pick<ProcessContext, 'config' | 'pool' | 'clock'>,
  { wires }: Pick<ReturnType<typeof guardedAcquirers>, 'wires'>,
): Wires => createWires({ ...wires, clock, traceNumbers: traceNumberStore(pool), prism: openHelper(config) })
