/**
 * Limits how many connections a process opens at the same time. After a fail-over every process has lost all its connections and needs them
 * again at once; a new leader that has to start hundreds of sessions serves none of them.
 */
import { Client } from 'pg'

type Connected = (error: Error) => void

const openingsMax = 4

let opening = 0
const waiting: (() => void)[] = []

function begin(open: () => void): void {
  if (opening === openingsMax) {
    waiting.push(open)
    return
  }
  opening += 1
  open()
}

function end(): void {
  const next = waiting.shift()
  if (next) next()
  else opening -= 1
}

/** A client whose `connect` waits for its place; the pool's time limit for connecting includes the wait. */
export class QueuedClient extends Client {
  override connect(): Promise<this>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = new Promise<this>((resolve, reject) => {
      begin(() =>
        super.connect((error: Error | null) => {
          end()
          if (error) reject(error)
          else resolve(this)
        }),
      )
    })
    if (!callback) return connected
    // The driver passes no error where its types promise one.
    connected.then(() => (callback as () => void)(), callback)
    return undefined
  }
}
