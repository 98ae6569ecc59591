/** A root of Debian made by mmdebstrap or debootstrap, in which the steps of an image and of an installation are run where no container engine is at hand. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const suite = 'bookworm'
const mirror = 'http://deb.debian.org/debian'
/** A network may have a certificate authority of its own; the root then trusts what this machine trusts. */
const ownAuthorities = process.env['NODE_EXTRA_CA_CERTS']
const authorities = 'etc/ssl/certs/ca-certificates.crt'
const mostOutput = 16 * 1024 * 1024
const runFile = promisify(execFile)

/** Why no root can be made here; null if one can. */
export function debianRootFault(): string | null {
  if (process.getuid?.() !== 0) return 'Only root can make a root of Debian.'
  if (rootProgram() === null) return 'mmdebstrap is not installed (Debian: apt-get install mmdebstrap, or debootstrap).'
  return null
}

/** Both take the same arguments. On a busy machine debootstrap needs a quarter of an hour only to resolve dependencies. */
const rootProgram = (): string | null =>
  ['/usr/bin/mmdebstrap', '/usr/sbin/debootstrap'].find((program) => existsSync(program)) ?? null

/** A fresh copy. The first root is made once and stays below the folder of temporary files. */
export async function makeDebianRoot(): Promise<string> {
  const pristine = join(tmpdir(), `gatehouse-${suite}`)
  if (!existsSync(join(pristine, 'etc/debian_version'))) {
    const draft = await mkdtemp(`${pristine}-`)
    await runFile('chmod', ['755', draft])
    await runFile(rootProgram() ?? '', ['--variant=minbase', '--include=ca-certificates', suite, draft, mirror], {
      maxBuffer: mostOutput,
    })
    await runFile('mv', ['-T', draft, pristine])
  }
  const home = await mkdtemp(join(tmpdir(), 'gatehouse-root-'))
  await runFile('chmod', ['755', home])
  const copy = join(home, 'root')
  for (const name of ['root', 'changes', 'work']) await mkdir(join(home, name), { mode: 0o755 })
  const layers = `lowerdir=${pristine},upperdir=${join(home, 'changes')},workdir=${join(home, 'work')}`
  // A layer over the first root costs nothing; where the kernel has no layers, the root is copied.
  await runFile('mount', ['-t', 'overlay', 'overlay', '-o', layers, copy]).catch(() =>
    runFile('cp', ['-a', '--reflink=auto', `${pristine}/.`, copy]),
  )
  await runFile('cp', ['/etc/resolv.conf', join(copy, 'etc/resolv.conf')])
  if (ownAuthorities) await runFile('cp', ['--dereference', ownAuthorities, join(copy, authorities)])
  return copy
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  /** As `user:group`, in numbers. */
  readonly user?: string
  /** Nothing but these folders can be written then, as in a container with a read-only root. */
  readonly writable?: readonly string[]
}

/** Runs a command to its end and returns what it printed. */
export async function runIn(root: string, command: readonly string[], options: RunOptions = {}): Promise<string> {
  const [program, ...args] = insideCommand(root, command, options)
  return (await runFile(program ?? '', args, { maxBuffer: mostOutput })).stdout
}

/** Starts a program; the signals it gets are ours. */
export function startIn(root: string, command: readonly string[], options: RunOptions = {}): ChildProcess {
  const [program, ...args] = insideCommand(root, command, options)
  return spawn(program ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** In mounts of its own, which end with the program. */
function insideCommand(
  root: string,
  command: readonly string[],
  { environment = {}, folder = '/', user = '0:0', writable }: RunOptions,
): readonly string[] {
  const readOnly = writable
    ? [
        ...writable.map((path) => `mount --bind "$root${path}" "$root${path}"`),
        'mount -o remount,bind,ro "$root"',
        'mount -t tmpfs tmpfs "$root/tmp"',
      ]
    : []
  const script = [
    'set -e',
    'root=$1; shift',
    'mount --bind "$root" "$root"',
    'mount -t proc proc "$root/proc"',
    'mount --rbind /dev "$root/dev"',
    ...readOnly,
    `exec chroot --userspec=${user} "$root" /usr/bin/env -i "$@"`,
  ].join('\n')
  const variables = Object.entries({
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...(ownAuthorities ? { NODE_EXTRA_CA_CERTS: `/${authorities}` } : {}),
    ...environment,
  })
  const inside = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder, ...command]
  return ['unshare', '--mount', 'sh', '-c', script, 'sh', root, ...variables.map(([k, v]) => `${k}=${v}`), ...inside]
}

export async function removeRoot(root: string): Promise<void> {
  // Fails if the root is a copy.
  await runFile('umount', [root]).catch(() => undefined)
  await rm(dirname(root), { recursive: true, force: true })
}

/** Puts the Node of this process and its npm where the image of Node has them. */
export async function installNode(root: string, npmFolder: string): Promise<void> {
  await mkdir(join(root, 'usr/local/lib/node_modules'), { recursive: true })
  await runFile('cp', [process.execPath, join(root, 'usr/local/bin/node')])
  await runFile('cp', ['-a', npmFolder, join(root, 'usr/local/lib/node_modules/npm')])
  await runFile('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')])
}
