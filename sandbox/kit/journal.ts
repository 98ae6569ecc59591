/**
 * The durable record: an append-only file of JSON lines.
 *
 * A request is answered only after its line is on disk. Lines that wait at the same moment share one `fdatasync`, so the disk's latency is
 * paid once per batch and not once per request.
 *
 * After a crash the last line may be incomplete. It was never synced, so its request was never answered, and it is cut off.
 */
import { type FileHandle, open } from 'node:fs/promises'

export class Journal<Entry> {
  readonly #file: FileHandle
  #gathering = new Batch()
  #writing: Batch | undefined
  #fault: unknown

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open<Entry>(path: string, replay: (entry: Entry) => void): Promise<Journal<Entry>> {
    const file = await open(path, 'a+', 0o600)
    const end = await replayLines(file, replay)
    await file.truncate(end)
    await file.datasync()
    return new Journal<Entry>(file)
  }

  append(entry: Entry): void {
    this.#gathering.lines.push(JSON.stringify(entry))
    // The first line of a batch waits for the rest of this event-loop turn, so that requests read together share the batch.
    if (this.#gathering.lines.length === 1 && !this.#writing) setImmediate(() => void this.#write())
  }

  /** Resolves when everything appended so far is on disk; rejects if it cannot be written. */
  sync(): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    if (this.#gathering.lines.length > 0) return this.#gathering.done
    return this.#writing?.done ?? Promise.resolve()
  }

  async close(): Promise<void> {
    await this.sync().finally(() => this.#file.close())
  }

  async #write(): Promise<void> {
    while (this.#gathering.lines.length > 0) {
      const batch = this.#gathering
      this.#gathering = new Batch()
      this.#writing = batch
      try {
        await this.#file.appendFile(`${batch.lines.join('\n')}\n`)
        await this.#file.datasync()
        batch.resolve()
      } catch (fault) {
        this.#fault = fault
        batch.reject(fault)
        this.#gathering.reject(fault)
        return
      }
    }
    this.#writing = undefined
  }
}

class Batch {
  readonly lines: string[] = []
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (fault: unknown) => void

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    this.resolve = resolve
    this.reject = reject
    // Callers that wait for the batch get the error; a batch without waiting callers must not end the process.
    promise.catch(() => undefined)
  }
}

/** Returns the end of the last complete line. */
async function replayLines<Entry>(file: FileHandle, replay: (entry: Entry) => void): Promise<number> {
  let rest: Buffer = Buffer.alloc(0)
  let end = 0
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1_048_576 })) {
    const bytes: Buffer = Buffer.concat([rest, chunk])
    const newline = bytes.lastIndexOf(10)
    rest = bytes.subarray(newline + 1)
    if (newline === -1) continue
    for (const line of bytes.toString('utf8', 0, newline).split('\n')) replay(readLine<Entry>(line))
    end += newline + 1
  }
  return end
}

function readLine<Entry>(line: string): Entry {
  // Only this program writes the file, and the line is complete, so it has the shape that was written.
  return JSON.parse(line) as Entry
}
