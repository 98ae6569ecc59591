/** What the operator reads if a command fails. */
import { StartupError } from '#server/process/startup-error.ts'
import { CommandError } from './kit/command-error.ts'
import { isUnreadable } from './kit/unreadable.ts'

export function explainError(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartupError)
    return `${error.message}\n${error.remedy}`.trimEnd()
  if (isUnreadable(error))
    return [
      'The command failed: an answer or a stored value does not have the expected form.',
      'Check that no other program uses an address of this instance; "gatehouse doctor" also checks stored values.',
    ].join('\n')
  return `The command failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
