/** Packages of others that are measured beside the gateway. Each folder names their exact versions, and they are installed on demand. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#server/process/startup-error.ts'

/** Once per list of packages, without their own scripts. */
export async function installPackages(folder: string): Promise<void> {
  const marker = join(folder, 'node_modules/.gatehouse-packages')
  const wanted = readFileSync(join(folder, 'package.json'), 'utf8')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  process.stderr.write('Installing the packages to measure against (once, about a minute)…\n')
  const npm = spawn(
    'npm',
    ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const status = await new Promise<number | null>((resolve) =>
    npm.once('error', () => resolve(null)).once('close', resolve),
  )
  if (status !== 0)
    throw new StartupError(
      `The packages to measure against could not be installed in ${folder}.`,
      'Check that npm is installed and reaches its registry.',
    )
  writeFileSync(marker, wanted)
}
