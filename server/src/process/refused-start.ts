/** Ends a start that was refused. */
import { StartupError } from './startup-error.ts'

interface RefusedStart {
  /** Stops everything that was started; never fails. */
  readonly stop: () => Promise<void>
  readonly write: (text: string) => void
}

/** Stopping may log connections that end with it, so the explanation comes last, where the operator sees it. */
export async function endRefusedStart(error: unknown, { stop, write }: RefusedStart): Promise<void> {
  await stop()
  write(explainError(error))
}

function explainError(error: unknown): string {
  if (error instanceof StartupError) return `\n  ${error.message}\n  ${error.remedy}\n\n`
  return `\n  Gatehouse could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n`
}
