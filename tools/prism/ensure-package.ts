/** The package for `npm run test:prism`, and a newer glibc from Debian's packages where the system's is too old. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { prismPackage } from '#server/connectors/prism/installation.ts'
import { installPackage } from '../../cli/commands/mid/prism-package.ts'

type Print = (line: string) => void

const run = promisify(execFile)

export async function ensurePackage(folder: string, print: Print): Promise<void> {
  if (existsSync(join(folder, 'node_modules', prismPackage.name, 'package.json'))) return
  print(`Installing ${prismPackage.name} ${prismPackage.version} into ${folder} …`)
  const signal = AbortSignal.timeout(600_000)
  await installPackage(folder, { environment: process.env, output: { out: print, err: print }, signal })
}

const mirror = 'https://deb.debian.org/debian'
const architectures: Readonly<Record<string, readonly [debian: string, triplet: string, loader: string]>> = {
  x64: ['amd64', 'x86_64-linux-gnu', 'ld-linux-x86-64.so.2'],
  arm64: ['arm64', 'aarch64-linux-gnu', 'ld-linux-aarch64.so.1'],
}

/** Null if the system's own glibc is new enough; PRISM_LOADER goes before everything. */
export async function ensureLoader(place: string, print: Print): Promise<string | null> {
  const { PRISM_LOADER: given } = process.env
  if (given !== undefined && given !== '') return given
  const { glibcVersionRuntime } = Object(Reflect.get(process.report.getReport(), 'header'))
  if (typeof glibcVersionRuntime !== 'string' || isEnough(glibcVersionRuntime)) return null
  const [debian, triplet, name] = architectures[process.arch] ?? []
  if (debian === undefined || triplet === undefined || name === undefined)
    throw new Error(`There is no newer glibc for ${process.arch}. Set PRISM_LOADER.`)
  const loader = join(place, 'usr/lib', triplet, name)
  if (existsSync(loader)) return loader
  print(`glibc is ${glibcVersionRuntime}, the package needs ${prismPackage.glibc}: fetching a newer one from Debian …`)
  await fetchLibraries(place, debian)
  return loader
}

/** Into a folder beside it first: half of a library would look like all of it. */
async function fetchLibraries(place: string, architecture: string): Promise<void> {
  const fresh = `${place}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  const list = await fetchBytes(`${mirror}/dists/trixie/main/binary-${architecture}/Packages.gz`)
  const index = gunzipSync(list).toString('utf8')
  for (const wanted of ['libc6', 'libgcc-s1', 'libstdc++6']) await unpack(fresh, index, wanted)
  await rm(place, { recursive: true, force: true })
  await rename(fresh, place)
}

/** The list comes over TLS from the mirror, and each package must have the digest that the list states. */
async function unpack(place: string, index: string, wanted: string): Promise<void> {
  const entry = index.split('\n\n').find((one) => one.startsWith(`Package: ${wanted}\n`)) ?? ''
  const [, path = ''] = /^Filename: (.+)$/m.exec(entry) ?? []
  const [, digest = ''] = /^SHA256: (.+)$/m.exec(entry) ?? []
  const bytes = await fetchBytes(`${mirror}/${path}`)
  if (createHash('sha256').update(bytes).digest('hex') !== digest)
    throw new Error(`${path} is not what the list states.`)
  const file = join(place, `${wanted}.deb`)
  await writeFile(file, bytes)
  await run('dpkg-deb', ['-x', file, place])
  await rm(file)
}

async function fetchBytes(url: string): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`)
  return Buffer.from(await answer.arrayBuffer())
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = prismPackage.glibc.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
