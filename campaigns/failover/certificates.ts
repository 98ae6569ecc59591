/** The authority of a cluster and the certificates of its servers, made by the commands of the page. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandsOfPage } from './page-commands.ts'

export interface Certificates {
  /** The file of the authority, which clients verify servers with. */
  readonly authority: string
  /** The files of the server at this address. */
  readonly of: (address: string) => { readonly certificate: string; readonly key: string }
}

const addresses = /\bin (?:[\d.]+ ?)+; do$/m

export function createCertificates(folder: string, servers: readonly string[]): Certificates {
  const commands = commandsOfPage('Setting it up', 3)
  if (!addresses.test(commands)) throw new Error('The page makes no certificates for a list of addresses.')
  mkdirSync(folder)
  const script = commands.replace(addresses, `in ${servers.join(' ')}; do`)
  execFileSync('sh', ['-euc', script], { cwd: folder, stdio: 'pipe' })
  return {
    authority: join(folder, 'authority.crt'),
    of: (address) => ({ certificate: join(folder, `${address}.crt`), key: join(folder, `${address}.key`) }),
  }
}
