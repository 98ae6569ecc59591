/** Runs npm, with the copy that started this program if there is one. */
import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { promisify } from 'node:util'

const mostOutput = 64 * 1024 * 1024

/** Returns what it printed. */
export async function runNpm(folder: string, args: readonly string[]): Promise<string> {
  const cli = process.env['npm_execpath'] ?? ''
  const [program, first] = basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []]
  const options = { cwd: folder, maxBuffer: mostOutput }
  return (await promisify(execFile)(program, [...first, ...args, '--loglevel=error'], options)).stdout
}
