/** Checks the machine: data folder, disk space, port. */

import { access, constants, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { errorCode } from '#domain/error-code.ts'
import { isObject } from '#domain/json.ts'
import { callerRoom, descriptorLimit, neededDescriptors } from '#server/health/descriptors.ts'
import type { Config } from '#server/process/config.ts'
import { memoryLimit } from '#server/process/memory-guard.ts'
import { findGatewayUrl } from '../kit/gateway.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const gibibyte = 1024 ** 3
const scarceBytes = 2 * gibibyte
const tooLittleBytes = gibibyte / 4

export async function checkFolder({ dataDir }: Config): Promise<readonly Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT'
    if (missing) return [warning('data folder', `${dataDir} does not exist yet.`, 'The first "npm start" creates it.')]
    return [
      problem(
        'data folder',
        `This user cannot write to ${dataDir}.`,
        'Give the folder to the user of the service, or set DATA_DIR.',
      ),
    ]
  }
  return [ok('data folder', `${dataDir} is writable.`), await checkDiskSpace(dataDir)]
}

async function checkDiskSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${(free / gibibyte).toFixed(1)} GiB free for ${dataDir}.`
  if (free < tooLittleBytes) return problem('disk', text, 'Free disk space: without it the database and payments stop.')
  return free < scarceBytes ? warning('disk', text, 'Free disk space soon.') : ok('disk', text)
}

const leastProcessBytes = 256 * 2 ** 20
const usualProcessBytes = 400 * 2 ** 20

/** The limit of the container or unit in which this command runs, usually that of the service. See decisions/processes#memory-limits. */
export function checkMemory(limit = memoryLimit()): Finding {
  if (limit === null) return ok('memory', 'There is no limit below the memory of the machine.')
  const text = `The limit is ${Math.round(limit / 2 ** 20)} MB.`
  const advice = 'Give each process at least 400 MB.'
  if (limit < leastProcessBytes) return problem('memory', `${text} It cannot hold a process.`, advice)
  return limit < usualProcessBytes
    ? warning('memory', `${text} It is small for a busy process.`, advice)
    : ok('memory', text)
}

/** The limit of this command, usually that of the service. */
export function checkDescriptors(config: Config, limit = descriptorLimit()): Finding {
  const subject = 'descriptors'
  if (limit === null) return ok(subject, 'The system states no limit.')
  const needed = neededDescriptors(config)
  const text = `A process may open ${limit} files and connections.`
  if (limit >= needed) return ok(subject, text)
  const { payments } = callerRoom(config, limit)
  return warning(
    subject,
    `${text} It serves ${payments} connections of callers at a time; MAX_CONNECTIONS is ${config.overload.connections}.`,
    `Raise LimitNOFILE of the unit, or "ulimit -n", to at least ${needed}, or lower MAX_CONNECTIONS.`,
  )
}

/** The service may have been started with another PORT than this command; then its own port is the one that matters. */
export async function checkPort(config: Config): Promise<Finding> {
  const service = listenerOf(await findGatewayUrl(config))
  const version = service && service.port !== config.port ? await readRunningVersion(service) : null
  if (service === null || version === null) return examinePort(config, 'port', 'PORT')
  return ok('port', `Gatehouse ${version} is running on ${service.port}; PORT is ${config.port} for this command.`)
}

interface Listener {
  readonly host: string
  readonly port: number
}

/** Null for a public address, which leads to a proxy. */
function listenerOf(url: string): Listener | null {
  const { protocol, hostname, port } = new URL(url)
  return protocol === 'http:' && port !== '' ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) } : null
}

/** A port is fine if this very service already uses it. */
export async function examinePort(
  listener: Listener,
  subject: string,
  setting: 'PORT' | 'ADMIN_PORT',
): Promise<Finding> {
  const { host, port } = listener
  if (port === 0) return ok(subject, 'Any free port is used.')
  const fault = await listenFault(host, port)
  if (fault === null) return ok(subject, `${setting} ${port} is free on ${host}.`)
  if (fault === 'EACCES')
    return problem(subject, `This user may not listen on ${port}.`, `Set ${setting} to a number above 1023.`)
  if (fault !== 'EADDRINUSE') {
    const hostSetting = setting === 'PORT' ? 'HOST' : 'ADMIN_HOST'
    return problem(
      subject,
      `${host}:${port} cannot be used (${fault}).`,
      `Set ${hostSetting} to an address of this machine.`,
    )
  }
  const version = await askVersion(listener)
  if (version === 'no answer')
    return problem(
      subject,
      `The program on ${setting} ${port} does not answer within ${versionWithinMs / 1000} s.`,
      'If Gatehouse is just starting, run the doctor again. Otherwise restart it, or stop the other program.',
    )
  if (version !== null) return ok(subject, `Gatehouse ${version.number} is running on ${port}.`)
  return problem(
    subject,
    `${setting} ${port} is used by another program.`,
    `Stop that program, or set ${setting} to another number, for the service and for this command.`,
  )
}

function listenFault(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen(port, host, () => server.close(() => resolve(null)))
  return promise
}

const versionWithinMs = 2000

/** Null if no Gatehouse answers there. */
export async function readRunningVersion(listener: Listener): Promise<string | null> {
  const version = await askVersion(listener)
  return version === 'no answer' || version === null ? null : version.number
}

/** Null if another program answers. */
async function askVersion({ host, port }: Listener): Promise<{ readonly number: string } | 'no answer' | null> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  try {
    const reply = await fetch(`http://${name.includes(':') ? `[${name}]` : name}:${port}/service/version`, {
      signal: AbortSignal.timeout(versionWithinMs),
    })
    const answer: unknown = await reply.json()
    return isObject(answer) && typeof answer['version'] === 'string' ? { number: answer['version'] } : null
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : null
  }
}
