/**
 * Standard output, written in batches: one system call for the lines of some milliseconds instead of one for each.
 *
 * Only debug and info lines wait. A warning or an error is written at once, with everything before it, because it may be the last line of
 * a process that is about to die. A process that ends by itself, by a signal that it handles or by an exception writes the rest; a killed
 * one loses the lines of its last milliseconds.
 */
import { type DestinationStream, pino } from 'pino'

const collectMs = 10
/** Below the 16 kB that the library writes at once; more is not collected. */
const batchBytes = 12 * 1024

/** Null for standard output. */
export function batchedOutput(file: string | null = null): DestinationStream {
  const output = pino.destination({ dest: file ?? 1, sync: true, minLength: batchBytes })
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // `flushSync` waits for the disk, up to a hundred times a second, and never ends if the reader of a pipe has gone.
    output.flush()
  }
  process.on('exit', flush)
  return {
    write(line) {
      output.write(line)
      if (!mayWait(line)) flush()
      else timer ??= setTimeout(flush, collectMs).unref()
    },
  }
}

/** The level is the first field of every line. */
const mayWait = (line: string): boolean => line.startsWith('{"level":"info"') || line.startsWith('{"level":"debug"')
