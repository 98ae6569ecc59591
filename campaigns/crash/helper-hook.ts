/**
 * Loaded into a gateway process by `node --import`, kills the helper process of the family `prism` at one exact step of a payment. It observes from
 * outside: what goes through the pipes of the helper, and the diagnostics channels of the HTTP client. The campaign sends one command at a time.
 */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { type HelperOrder, type HelperPoint, helperOrderSchema, orderFile, recordFile } from './helper-order.ts'

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.'
const createdSchema = z.object({ process: z.custom<ChildProcess>() })
const callSchema = z.object({ task: z.enum(['build', 'read']) })

let helper: ChildProcess | null = null
/** What the helper was told last. */
let task: 'build' | 'read' | null = null
let lastObeyed = ''

subscribe('child_process', (message) => {
  const { process: child } = createdSchema.parse(message)
  // The process and its pipes are made after the message.
  setImmediate(() => {
    if (child.spawnargs.some((text) => text.endsWith('transformer/program.ts'))) watch(child)
  })
})
subscribe('undici:request:bodySent', () => killAt('sent'))
subscribe('undici:request:headers', () => killAt('answered'))

function watch(child: ChildProcess): void {
  helper = child
  record(`start ${child.pid}`)
  const { stdin, stdio } = child
  if (!stdin) return
  const write = stdin.write.bind(stdin)
  stdin.write = (line: unknown) => {
    task = callSchema.safeParse(JSON.parse(String(line))).data?.task ?? null
    if (task === 'build') killAt('asked')
    const point = task === 'build' ? 'building' : 'reading'
    // Stopped first, so that it cannot answer before the signal reaches it.
    if (isOrdered(point)) child.kill('SIGSTOP')
    const result = write(line)
    killAt(point)
    return result
  }
  stdio[3]?.on('data', () => {
    if (task !== null) killAt(task === 'build' ? 'built' : 'read')
  })
}

function killAt(point: HelperPoint): void {
  if (!isOrdered(point)) return
  lastObeyed = readOrder()?.id ?? ''
  record(`kill ${helper?.pid}`)
  helper?.kill('SIGKILL')
}

function isOrdered(point: HelperPoint): boolean {
  const order = readOrder()
  return order?.point === point && (order.times === 'always' || lastObeyed !== order.id)
}

function readOrder(): HelperOrder | null {
  const file = orderFile(folder)
  return existsSync(file) ? helperOrderSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}

function record(line: string): void {
  appendFileSync(recordFile(folder), `${line}\n`)
}
