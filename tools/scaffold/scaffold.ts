/**
 * What the commands `npm run new:…` share. A command plans everything before it writes: new files, and lines in the lists that name them.
 * If anything does not fit, it says so and nothing is written. `--root DIR` works on another copy of the project.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions, runProgram } from '../command-line.ts'

export interface Plan {
  /** Path and content of each new file. */
  readonly files: Readonly<Record<string, string>>
  /** Path of each list, and the list with the new line; undefined if the list has another form than expected. */
  readonly lists: Readonly<Record<string, (text: string) => string | undefined>>
  readonly next: readonly string[]
}

/** `plan` answers why it cannot be done, as a sentence. */
export async function scaffold(
  usage: string,
  plan: (names: readonly string[], root: string) => Plan | string,
): Promise<void> {
  const project = fileURLToPath(new URL('../..', import.meta.url))
  process.exitCode = await runProgram(usage, () => {
    const { values, positionals } = readOptions({
      allowPositionals: true,
      options: { root: { type: 'string', default: project } },
    })
    const planned = plan(positionals, values.root)
    const refusal = typeof planned === 'string' ? planned : write(planned, values.root)
    if (refusal === undefined) return 0
    process.stderr.write(`${refusal}\n`)
    return 1
  })
}

function write({ files, lists, next }: Plan, root: string): string | undefined {
  const existing = Object.keys(files).find((path) => existsSync(join(root, path)))
  if (existing !== undefined) return `${existing} already exists.`
  const changed = Object.entries(lists).map(
    ([path, withLine]) => [path, withLine(readFileSync(join(root, path), 'utf8'))] as const,
  )
  for (const [path, text] of changed) {
    if (text === undefined) return `The place for the new line in ${path} was not found; nothing was written.`
  }

  for (const [path, text] of [...Object.entries(files), ...changed]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text ?? '')
  }
  const written = [...Object.keys(files), ...changed.map(([path]) => path)]
  process.stdout.write(
    `Written:\n${written.map((path) => `  ${path}\n`).join('')}\nNext:\n${next.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`,
  )
  return undefined
}

/** `refused-tokens`: lower-case words joined by hyphens. */
export const isName = (text: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && text.length <= 40

/** `refusedTokens` */
export const identifierOf = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())

/** `RefusedTokens` */
export const typeNameOf = (name: string): string => capital(identifierOf(name))

/** `Refused tokens` */
export const titleOf = (name: string): string => capital(name.replaceAll('-', ' '))

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The text with a line after the last line that matches; undefined if none does. */
export function afterLast(text: string, pattern: RegExp, line: string): string | undefined {
  const lines = text.split('\n')
  const index = lines.findLastIndex((one) => pattern.test(one))
  return index === -1 ? undefined : lines.toSpliced(index + 1, 0, line).join('\n')
}
