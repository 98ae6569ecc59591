/** Calls to other parties take no slot at the gate: a slow acquirer must not block requests for another. */
import type { Acquirers } from '../contracts/ports.ts'
import type { Mpi, Mpis } from '../three-ds/mpi.ts'
import type { Gate } from './gate.ts'

type SlotRelease = Pick<Gate, 'withoutSlot'>

export const releaseDuringExchange = (acquirers: Acquirers, gate: SlotRelease): Acquirers => ({
  ...acquirers,
  find: async (midId) => {
    const acquirer = await acquirers.find(midId)
    return {
      ...acquirer,
      exchange: (operation, call) => gate.withoutSlot(() => acquirer.exchange(operation, call)),
    }
  },
})

export const releaseDuringMpi = ({ sandbox, external }: Mpis, gate: SlotRelease): Mpis => ({
  sandbox: sandbox && wrapMpi(sandbox, gate),
  external: external && wrapMpi(external, gate),
})

const wrapMpi = (mpi: Mpi, gate: SlotRelease): Mpi => ({
  authenticate: (request) => gate.withoutSlot(() => mpi.authenticate(request)),
  readResult: (about) => gate.withoutSlot(() => mpi.readResult(about)),
})
