/** The running service as the command line sees it: its address, and the answers of its simulator. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import type { Config } from '#server/process/config.ts'
import { CommandError } from './command-error.ts'
import { networkReason } from './network-reason.ts'

const demoFile = z.object({ base_url: z.string() })

/** On this machine. The service writes its address into demo.json; without that file it is the configured port. */
export async function findGatewayUrl({ dataDir, port }: Config): Promise<string> {
  try {
    const demo: unknown = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
    const { base_url } = demoFile.parse(demo)
    return base_url
  } catch {
    return `http://127.0.0.1:${port}`
  }
}

const answerWithinMs = 20_000
const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Asks the simulator behind the service; a refusal is reported in the simulator's words. */
export async function askSimulator<T>(
  url: string,
  path: string,
  answer: z.ZodType<T>,
  body?: Readonly<Record<string, unknown>>,
): Promise<T> {
  const reply = await fetchSimulator(`${url}/simulator/api${path}`, body)
  const text = await reply.text()
  const answered = parseJson(text)
  const reading = answer.safeParse(answered)
  if (reply.ok && reading.success) return reading.data
  const parsedRefusal = refusal.safeParse(answered)
  if (parsedRefusal.success) throw new CommandError(`The simulator refused: ${parsedRefusal.data.error.message}`, '')
  throw new CommandError(
    `${url} answered ${reply.status}; it is not the simulator.`,
    'Only sandbox instances have a simulator (GATEHOUSE_MODE=sandbox).',
  )
}

async function fetchSimulator(address: string, body?: object): Promise<Response> {
  try {
    return await fetch(address, {
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
  } catch (error) {
    throw new CommandError(
      `The service at ${new URL(address).origin} does not answer: ${networkReason(error)}`,
      'Start it with "npm start", or give another address with --url.',
    )
  }
}
