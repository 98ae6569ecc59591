/**
 * The file by which the provider of wallet A verifies a domain that shows its button: the bytes uploaded for the requested host,
 * without redirect, cookie or login. Chapter 40 §8.
 */
import type { FastifyPluginCallback } from 'fastify'
import type { WalletFiles } from '../../contracts/ports.ts'
import { noteRequest } from '../../observe/requests.ts'

/** The wallet provider's path. */
const associationPath = '/.well-known/apple-developer-merchantid-domain-association'

export function walletDomain(files: WalletFiles): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get(associationPath, async (request, reply) => {
      noteRequest(request, { protocol: 'service' })
      const file = await files.findOfHost(hostOf(request.headers.host))
      if (file === null) return reply.code(404).type('text/plain').send('')
      return reply.type('text/plain').header('x-content-type-options', 'nosniff').send(file)
    })
    done()
  }
}

/** Without the port, in the spelling that the store uses. */
const hostOf = (header: string | undefined): string =>
  (header ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
