/** A program that is not ours on the port at which a command expects the sandbox: it answers every request with a page. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { portOf } from '../../server/test/hosts/port-of.ts'

interface OtherProgram extends AsyncDisposable {
  readonly url: string
}

export async function openOtherProgram(): Promise<OtherProgram> {
  const server = createServer((_request, response) => response.end('<!doctype html><title>Welcome</title>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
