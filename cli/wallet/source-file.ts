/** Reads a file that the operator names: complete, or one member of a JSON file, as `tokens.json#ecv2.valid`. */
import { CommandError } from '../kit/command-error.ts'
import type { CommandContext } from '../kit/context.ts'
import { readBytes } from '../kit/text-source.ts'

/** A text member is returned as it is, any other as JSON. */
export async function readSourceText(source: string, context: CommandContext): Promise<string> {
  const [file = '', path] = source.split('#', 2)
  const content = (await readBytes(file, context)).toString('utf8')
  if (path === undefined) return content
  const found = memberAt(parseJsonFile(content, file), path)
  if (found === undefined)
    throw new CommandError(`${file} has no member ${path}.`, 'Give its path, such as keys.current.')
  return typeof found === 'string' ? found : JSON.stringify(found)
}

function parseJsonFile(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new CommandError(`${file} is not JSON.`, '# selects a member of a JSON file.')
  }
}

function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((parent, name) => {
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return undefined
    return Object.entries(parent).find(([own]) => own === name)?.[1]
  }, value)
}
