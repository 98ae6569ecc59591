/** Runs the client programs of PostgreSQL on the database of an address. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { errorCode } from '#domain/error-code.ts'
import { CommandError } from '../kit/command-error.ts'
import { processEnvironment } from '../kit/instance.ts'
import { trustedAuthorities } from './trusted-authorities.ts'

interface Started {
  readonly child: ChildProcess
  readonly stdin: Writable
  readonly stdout: Readable
  /** Rejects with what the program said about its failure. */
  readonly ended: Promise<void>
}

/** `{database}` in the arguments stands for the address, without its password: every user of a machine can see arguments. */
export function startTool(program: string, args: readonly string[], databaseUrl: string): Started {
  const { address, password } = splitPassword(databaseUrl)
  const authorities = trustedAuthorities(address)
  const child = spawn(
    program,
    args.map((word) => word.replace('{database}', () => address)),
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: processEnvironment()['PATH'],
        LC_ALL: 'C',
        ...authorities.environment,
        ...(password === null ? {} : { PGPASSWORD: password }),
      },
    },
  )
  const ended = awaitEnd(program, child, child.stderr).finally(() => authorities.remove())
  return { child, stdin: child.stdin, stdout: child.stdout, ended }
}

async function awaitEnd(program: string, child: ChildProcess, stderr: Readable): Promise<void> {
  const printed: string[] = []
  stderr.on('data', (data) => printed.push(String(data)))
  try {
    await once(child, 'close')
  } catch (error) {
    const isAbsent = errorCode(error) === 'ENOENT'
    throw new CommandError(
      isAbsent ? `${program} was not found.` : `${program} could not be started.`,
      "Install PostgreSQL's client programs of the server's version (Debian: postgresql-client).",
    )
  }
  if (child.exitCode === 0) return
  throw new CommandError(`${program} failed.`, printed.join('').trim())
}

/** libpq reads the same addresses as the driver. */
export function splitPassword(url: string): { readonly address: string; readonly password: string | null } {
  if (/[?&]password=/.test(url))
    throw new CommandError(
      'DATABASE_URL has its password behind the question mark.',
      'Write it as postgres://USER:PASSWORD@HOST/DATABASE.',
    )
  const [, before = '', password = '', after = ''] = /^(postgres(?:ql)?:\/\/[^:@/?]*):([^@/?]*)(@.*)$/.exec(url) ?? []
  return before === ''
    ? { address: url, password: null }
    : { address: `${before}${after}`, password: decodeURIComponent(password) }
}
