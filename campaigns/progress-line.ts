/** Shows how far a long campaign has come, once a minute. */
import type { Progress } from './campaign.ts'

const everyMs = 60_000

export function progressLine(line: (text: string) => void, now = (): number => performance.now()): Progress {
  let shownAt = now()
  return (done, of) => {
    if (done === of || now() - shownAt < everyMs) return
    shownAt = now()
    line(`… ${done} of ${of}`)
  }
}
