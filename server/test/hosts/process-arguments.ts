/** What any user of the machine can see of running processes: their arguments. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** The arguments of the process and of all that it has started, one text for each. */
export function argumentsBelow(pid: number): readonly string[] {
  const words = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  // A process that ended meanwhile has none.
  return words === '' ? [] : [words, ...childrenOf(pid).flatMap(argumentsBelow)]
}

/** Of all its threads: each may have started some. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
