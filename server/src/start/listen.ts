/** Opens the ports of a process. */

import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { errorCode } from '#domain/error-code.ts'
import { accept, type ListenAddress } from '../process/acceptors.ts'
import type { Config } from '../process/config.ts'
import { StartupError } from '../process/startup-error.ts'
import type { Service } from '../wiring.ts'

export interface ListenUrls {
  readonly payments: string
  /** The panel's address; null if this process does not serve it. */
  readonly panel: string | null
}

/** Descriptors of sockets that a supervisor opened for this process. */
interface InheritedSockets {
  readonly payments: readonly number[]
  /** Of the panel, or of the health and metrics of a worker. */
  readonly panel: readonly number[]
}

export async function listen(
  config: Config,
  { app, adminApp }: Service,
  inherited: InheritedSockets = { payments: [], panel: [] },
): Promise<ListenUrls> {
  const { role, host, port, admin, workerListener } = config
  const listenAt = (one: FastifyInstance, place: ListenAddress, setting: PortSetting): Promise<string> =>
    openPort(() => listenWith(one, place, { setting, inherited }), place, setting)
  if (role === 'worker') {
    if (adminApp && workerListener) await listenAt(adminApp, workerListener, 'WORKER_PORT')
    return { payments: '', panel: null }
  }
  const payments = await listenAt(app, { host, port }, 'PORT')
  if (admin.shared) return { payments, panel: payments }
  const panel = adminApp && admin.listener && (await listenAt(adminApp, admin.listener, 'ADMIN_PORT'))
  return { payments, panel }
}

export type PortSetting = 'PORT' | 'ADMIN_PORT' | 'WORKER_PORT'

interface Listening {
  readonly setting: PortSetting
  readonly inherited: InheritedSockets
}

async function listenWith(app: FastifyInstance, place: ListenAddress, how: Listening): Promise<string> {
  const { host, port } = place
  const { setting, inherited } = how
  const [panel] = inherited.panel
  if (setting === 'PORT') app.acceptors.value = await accept(app, place, { inherited: inherited.payments })
  else if (panel === undefined) await app.listen(place)
  else {
    await app.ready()
    await once(app.server.listen({ fd: panel }), 'listening')
  }
  const address = app.server.address()
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${typeof address === 'object' && address ? address.port : port}`
}

/** Explains why a port cannot be opened. */
export async function openPort<T>(open: () => Promise<T>, place: ListenAddress, setting: PortSetting): Promise<T> {
  const { host, port } = place
  try {
    return await open()
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      const none = setting === 'ADMIN_PORT' ? ', or to "none" to run without the panel' : ''
      throw new StartupError(
        `Port ${port} is in use on ${host}.`,
        `Stop the program that uses it, or set ${setting} to another number${none}.`,
      )
    }
    if (errorCode(error) === 'EACCES') {
      throw new StartupError(`This user may not listen on port ${port}.`, `Set ${setting} to a number above 1023.`)
    }
    throw error
  }
}
