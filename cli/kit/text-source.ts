import { readFile } from 'node:fs/promises'
import { CommandError } from './command-error.ts'
import type { CommandContext } from './context.ts'

/** The text itself, or `@file` for the content of a file, or `@-` for standard input. So secrets stay out of the shell's history. */
export async function readText(source: string, context: CommandContext): Promise<string> {
  if (!source.startsWith('@')) return source
  return (await readBytes(source.slice(1), context)).toString('utf8').trim()
}

/** The bytes of a file, or of standard input for `-` and for null. */
export async function readBytes(file: string | null, { input }: CommandContext): Promise<Buffer> {
  if (file === null || file === '-') return input()
  try {
    return await readFile(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${file} cannot be read: ${reason}`, 'Give a readable file, or - for standard input.')
  }
}
