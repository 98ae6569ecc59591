/** Runs work shared with the panel and reports the panel's refusals in the same words. */
import { AdminRefused } from '#server/panel/admin-refused.ts'
import { CommandError } from './command-error.ts'

export async function withPanelRefusals<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error
    const lines = error.fields.map(({ field, text }) => `${field}: ${text}`)
    throw new CommandError(lines.length > 0 ? lines.join('\n') : error.message, 'Nothing was changed.')
  }
}
