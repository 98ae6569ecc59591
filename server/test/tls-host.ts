/** A host with a certificate of the sample authority, for tests over TLS. */

import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { extension, issue, pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { encode, sequence } from '#server/wallets/tokens/testing/der.ts'
import { labelledKey } from '#server/wallets/tokens/testing/keys.ts'

const subjectAltName = '2.5.29.17'

/** The trust anchor for the host's certificate. */
export const hostAuthority = pem(root.der)

export async function startTlsHost(name: string, serve: RequestListener, options: ServerOptions = {}) {
  const key = labelledKey(`host ${name}`)
  const host = issue({
    ...root.plan,
    subject: name,
    key,
    serial: 77n,
    extensions: [extension(subjectAltName, sequence(encode(0x82, Buffer.from(name))))],
  })
  const privateKey = key.privateKey.export({ format: 'pem', type: 'pkcs8' })
  const server = createServer({ key: privateKey, cert: pem(host.der), ...options }, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The host has no port.')
  return {
    port: address.port,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
