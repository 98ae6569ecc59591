/** Gathers the metrics of all processes for the one that was asked. */
import { mergeMetrics, type ProcessMetrics } from '../../observe/merged-metrics.ts'
import type { ManagedProcess } from './managed-process.ts'
import type { ToSupervisor } from './messages.ts'

/** A process that does not answer in time is left out, and its series end. */
const answerWithinMs = 2_000

interface Gathering {
  readonly answers: Map<string, string>
  readonly complete: () => void
}

export function measurements(
  group: () => readonly ManagedProcess[],
): (message: ToSupervisor, from: ManagedProcess) => void {
  let last = 0
  const running = new Map<number, Gathering>()

  const gather = async (asker: ManagedProcess, request: number): Promise<void> => {
    last += 1
    const id = last
    const members = group().filter(({ serving }) => serving)
    const answers = new Map<string, string>()
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, answerWithinMs)
      const complete = (): void => {
        if (answers.size < members.length) return
        clearTimeout(late)
        resolve()
      }
      running.set(id, { answers, complete })
      for (const managed of members) managed.send({ kind: 'measure', id })
    })
    running.delete(id)
    const all: ProcessMetrics[] = [...answers].map(([process, text]) => ({ process, text }))
    asker.send({ kind: 'measured', id: request, text: mergeMetrics(all) + groupMetrics(group()) })
  }

  return (message, from) => {
    if (message.kind === 'measure all') void gather(from, message.id)
    if (message.kind !== 'measured') return
    const gathering = running.get(message.id)
    gathering?.answers.set(from.name, message.text)
    gathering?.complete()
  }
}

const groupMetrics = (group: readonly ManagedProcess[]): string =>
  [
    '# HELP gatehouse_processes Processes of this supervisor; state serving or starting.',
    '# TYPE gatehouse_processes gauge',
    `gatehouse_processes{state="serving"} ${group.filter(({ serving }) => serving).length}`,
    `gatehouse_processes{state="starting"} ${group.filter(({ serving }) => !serving).length}`,
    '# HELP gatehouse_process_restarts_total Processes that ended without being asked and were started again.',
    '# TYPE gatehouse_process_restarts_total counter',
    ...group.map(({ name, restarts }) => `gatehouse_process_restarts_total{process="${name}"} ${restarts}`),
    '',
  ].join('\n')
