/** Runs the sandbox (acquirer, issuer, wallets and shop) as a separate program. It stores its own records below the data folder. */
import { join } from 'node:path'
import type { Log } from '../contracts/ports.ts'
import { programFile } from '../process/programs/program-file.ts'
import { StartupError } from '../process/startup-error.ts'
import { startChild } from './child-program.ts'

export interface SandboxProcess {
  readonly url: string
  stop(): Promise<void>
}

export interface SandboxOptions {
  /** The folder of a wallet authority that several sandboxes share, because creating one takes a while. */
  readonly authority?: string
  /** This machine's address in the local network, if the shop is to be reached there; the rest of the sandbox never is. */
  readonly network?: string | null
  /** Says when it ends unasked and serves again. */
  readonly log?: Pick<Log, 'error' | 'info'>
}

/** It has its records here from the first start on. */
export const sandboxFolder = (dataDir: string): string => join(dataDir, 'sandbox')

export async function startSandbox(
  dataDir: string,
  { authority, network = null, log }: SandboxOptions = {},
): Promise<SandboxProcess> {
  const folder = sandboxFolder(dataDir)
  const environment = (port: number) => ({
    SANDBOX_PORT: String(port),
    SANDBOX_DATA: folder,
    SANDBOX_AUTHORITY: authority,
    ...(network === null ? {} : { SANDBOX_SHOP_HOST: network }),
  })
  const child = await startChild({ name: 'The sandbox', program: programFile('sandbox'), folder, environment, log })
  if (!child) {
    throw new StartupError(
      'The sandbox did not start.',
      `See the log in ${folder}. To reset the sandbox, remove that folder.`,
    )
  }
  return { url: child.ready.url, stop: () => child.stop() }
}
