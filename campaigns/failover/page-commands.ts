/** The commands of `docs/operations/high-availability.md`, so that what is documented is what is tested. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const page = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/operations/high-availability.md')

/** The block of shell commands below a numbered step of a section. */
export function commandsOfPage(heading: string, step: number): string {
  const [, section = ''] = new RegExp(`^#+ ${heading}$([\\s\\S]*?)^##`, 'm').exec(readFileSync(page, 'utf8')) ?? []
  const [, block] = new RegExp(`^${step}\\. [\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'm').exec(section) ?? []
  if (block === undefined) throw new Error(`${page} has no commands at step ${step} of "${heading}".`)
  return block
}

/** The page's examples replaced by what they stand for here. */
export const withValues = (block: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => {
    const line = new RegExp(`^( *${name}=).*$`, 'm')
    if (!line.test(text)) throw new Error(`${page} does not set ${name}.`)
    return text.replace(line, `$1'${value}'`)
  }, block)
