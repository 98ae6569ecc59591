import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** Without a configured public address the service is reached where it listens; a worker names the default address of its api. */
export function listeningAt(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const address = app.server.address()
  const at = typeof address === 'object' && address !== null ? address : { address: host, port }
  const name = at.address === '0.0.0.0' || at.address === '::' ? '127.0.0.1' : at.address
  return `http://${name.includes(':') ? `[${name}]` : name}:${at.port}`
}
