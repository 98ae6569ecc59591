/** The acquirer of one MID without the rest of the service, for a command that asks it something. */
import { acquirers } from '../connectors/acquirers.ts'
import type { Acquirer } from '../contracts/ports.ts'
import { guardedAcquirers } from '../live-guard/acquirers.ts'
import type { MidRow } from '../store/configuration/mids.ts'
import { openWires } from './acquirer-wires.ts'
import type { ProcessContext } from './process-context.ts'

interface OpenAcquirer extends AsyncDisposable {
  readonly acquirer: Acquirer
}

type Parts = Pick<ProcessContext, 'config' | 'pool' | 'vault' | 'clock' | 'log'>

/** Under the same rules as the service: a live instance reaches only addresses that may receive card numbers. */
export async function openAcquirer({ config, pool, vault, clock, log }: Parts, mid: MidRow): Promise<OpenAcquirer> {
  const guarded = guardedAcquirers(config, null)
  if (!guarded.mayUse(mid)) throw new Error(`A live instance does not use the MID ${mid.name}.`)
  const wires = openWires({ config, pool, clock }, guarded)
  const known = acquirers({ mid: () => mid, vault, wires, log, observe: () => undefined, dataDir: config.dataDir })
  const acquirer = await known.find(mid.id)
  return {
    acquirer,
    [Symbol.asyncDispose]: async () => {
      acquirer.account.close?.()
      await wires.close()
    },
  }
}
