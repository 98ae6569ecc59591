/**
 * Starts a role: `all` (the default), `api` or `worker`; as one process, as the supervisor of several, or as a member among them. `all` in
 * sandbox mode also starts the embedded database, the sandbox acquirer and creates the demo merchants. On SIGTERM and SIGINT the process drains:
 * running work is finished, then everything started here is stopped.
 */
import { endRefusedStart } from './process/refused-start.ts'
import { readOptions, type StartArguments, startArguments, startUsage } from './process/start-arguments.ts'
import { announceInstance } from './start/announce.ts'
import { stopAll, stopLater } from './start/ending.ts'
import { prepareInstance, say } from './start/instance.ts'
import { listen } from './start/listen.ts'
import { endBeforeMemoryLimit } from './start/memory.ts'

const reading = readOptions(process.argv.slice(2))
if (reading.kind === 'help') {
  process.stdout.write(startUsage)
  process.exit(0)
}
if (reading.kind === 'misused') {
  process.stderr.write(`${reading.sentence}\n\n${startUsage}`)
  process.exit(2)
}

try {
  await start(startArguments(reading))
} catch (error) {
  await endRefusedStart(error, { stop: stopAll, write: (text) => void process.stderr.write(text) })
  process.exit(1)
}

async function start(wanted: StartArguments): Promise<void> {
  switch (wanted.part) {
    case 'alone':
      return await startAlone(wanted)
    case 'supervisor': {
      const { supervise } = await import('./start/processes/supervise.ts')
      return await supervise(wanted)
    }
    case 'member': {
      const { startMember } = await import('./start/processes/member.ts')
      return await startMember(wanted.role)
    }
  }
}

async function startAlone(wanted: StartArguments): Promise<void> {
  // An import that fails is awaited below.
  const whileWaiting = (): void => void import('./wiring.ts').catch(() => undefined)
  const instance = await prepareInstance(wanted, null, { whileWaiting })
  const { base, draining, sandboxUrl } = instance
  const { wireService } = await import('./wiring.ts')
  const service = await wireService(base, sandboxUrl)
  stopLater(() => service.stop())
  draining.follow(service.app)
  endBeforeMemoryLimit({ log: base.log, draining, processes: null })
  const listening = await listen(base.config, service)
  if (wanted.role !== 'worker') {
    // Creates the first signing key for session tokens, so that no payer waits for it.
    service.warmUp().catch((error: unknown) => {
      // A process that is stopped meanwhile leaves the key to the next one.
      if (!service.app.draining.value)
        base.log.error({ err: error }, 'The signing key for session tokens could not be created.')
    })
  }
  await announceInstance(instance, listening, say)
}
