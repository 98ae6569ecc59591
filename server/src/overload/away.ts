/** Calls to other parties take no slot at the gate: a slow acquirer must not block requests for another. */
import type { Acquirers } from '../contracts/ports.ts'
import type { Mpi, Mpis } from '../three-ds/mpi.ts'
import type { Gate } from './gate.ts'

type Away = Pick<Gate, 'away'>

export const awayAcquirers = (acquirers: Acquirers, gate: Away): Acquirers => ({
  ...acquirers,
  of: async (midId) => {
    const acquirer = await acquirers.of(midId)
    return {
      ...acquirer,
      exchange: (operation, call) => gate.away(() => acquirer.exchange(operation, call)),
    }
  },
})

export const awayMpis = ({ sandbox, external }: Mpis, gate: Away): Mpis => ({
  sandbox: sandbox && awayMpi(sandbox, gate),
  external: external && awayMpi(external, gate),
})

const awayMpi = (mpi: Mpi, gate: Away): Mpi => ({
  authenticate: (request) => gate.away(() => mpi.authenticate(request)),
  result: (about) => gate.away(() => mpi.result(about)),
})
