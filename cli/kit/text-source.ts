import { readFile } from 'node:fs/promises'
import { fileFault } from '#server/process/file-fault.ts'
import { CommandError } from './command-error.ts'
import type { CommandContext } from './context.ts'

/** The text itself, or `@file` for the content of a file, or `@-` for standard input. So secrets stay out of the shell's history. */
export async function readText(source: string, context: CommandContext): Promise<string> {
  if (!source.startsWith('@')) return source
  return (await readBytes(source.slice(1), context)).toString('utf8').trim()
}

/** The bytes of a file, or of standard input for `-` and for null. */
export async function readBytes(file: string | null, { readInput }: CommandContext): Promise<Buffer> {
  if (file === null || file === '-') return readInput()
  try {
    return await readFile(file)
  } catch (error) {
    throw new CommandError(
      `The file ${file} cannot be read. ${fileFault(error)}`,
      'Give a readable file, or - for standard input.',
    )
  }
}
