/** Runs a program of the PHP library's tests. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function hasPhp(): boolean {
  const { stdout } = spawnSync('php', ['-r', 'echo PHP_MAJOR_VERSION, extension_loaded("curl");'], { encoding: 'utf8' })
  return stdout === '81'
}

/** Not synchronous: the gateway that it calls may run in this process. */
export function runPhp(name: string, input: object = {}): Promise<string> {
  const program = fileURLToPath(new URL(`../php/test/${name}`, import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = execFile('php', [program], { encoding: 'utf8' }, (error, stdout, stderr) =>
    error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
  )
  child.stdin?.end(JSON.stringify(input))
  return promise
}
