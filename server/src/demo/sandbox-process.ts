/** Runs the sandbox (acquirer, issuer, wallets and shop) as a separate program. It stores its own records below the data folder. */
import { join } from 'node:path'
import { programFile } from '../process/programs/program-file.ts'
import { StartupError } from '../process/startup-error.ts'
import { startChild } from './child-program.ts'

export interface SandboxProcess {
  readonly url: string
  stop(): Promise<void>
}

interface SandboxOptions {
  /** The folder of a wallet authority that several sandboxes share, because creating one takes a while. */
  readonly authority?: string
  /** This machine's address in the local network, if the shop is to be reached there; the rest of the sandbox never is. */
  readonly network?: string | null
}

/** It has its records here from the first start on. */
export const sandboxFolder = (dataDir: string): string => join(dataDir, 'sandbox')

export async function startSandbox(
  dataDir: string,
  { authority, network = null }: SandboxOptions = {},
): Promise<SandboxProcess> {
  const folder = sandboxFolder(dataDir)
  const environment = (port: number) => ({
    SANDBOX_PORT: String(port),
    SANDBOX_DATA: folder,
    SANDBOX_AUTHORITY: authority,
    ...(network === null ? {} : { SANDBOX_SHOP_HOST: network }),
  })
  const child = await startChild({ program: programFile('sandbox'), folder, environment })
  if (!child) {
    throw new StartupError(
      'The sandbox did not start.',
      `See the log in ${folder}. To reset the sandbox, remove that folder.`,
    )
  }
  return { url: child.ready.url, stop: () => child.stop() }
}
