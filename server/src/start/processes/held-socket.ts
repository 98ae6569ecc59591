/**
 * A listening socket that the supervisor holds for its processes and never accepts from. They inherit it, so that a caller who waits to be
 * accepted is served by any of them, also if the one that would have been next ends.
 *
 * Node accepts as soon as a socket listens. The socket is therefore opened by a thread that then waits for ever.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { ListenAddress } from '../../process/acceptors.ts'

export interface HeldSocket {
  readonly descriptor: number
  readonly port: number
}

const backlog = 4096

const program = `
const { createServer } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer()
server.once('error', ({ code, message }) => parentPort.postMessage({ code: code ?? '', message }))
server.listen(workerData, () => {
  parentPort.postMessage({ descriptor: server._handle.fd, port: server.address().port })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

const opened = z.object({ descriptor: z.number().int().min(0), port: z.number() })
const refused = z.object({ code: z.string(), message: z.string() })

export async function holdSocket({ host, port }: ListenAddress): Promise<HeldSocket> {
  const thread = new Worker(program, { eval: true, workerData: { host, port, backlog } })
  thread.unref()
  const [answer]: unknown[] = await once(thread, 'message')
  const socket = opened.safeParse(answer)
  if (socket.success) return socket.data
  const { code, message } = refused.parse(answer)
  throw Object.assign(new Error(message), { code })
}
