/** `npm run new:command FOLDER NOUN VERB`: a noun of the command line with its first command and its test, to be changed. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../command-line.ts'
import { afterLast, identifierOf, isName, type Plan, scaffold, titleOf } from './scaffold.ts'

const commands = 'cli/commands'

function commandPlan(names: readonly string[], root: string): Plan | string {
  const [folder, noun, verb] = names
  const folders = readdirSync(join(root, commands))
  if (folder === undefined || noun === undefined || verb === undefined || names.length > 3) {
    throw new UsageError('Give a folder, a noun and a verb.')
  }
  if (!folders.includes(folder)) return `There is no folder ${commands}/${folder}. Folders: ${folders.join(', ')}.`
  const wrong = [noun, verb].find((word) => !isName(word))
  if (wrong !== undefined) return `"${wrong}" is not a word of a command. Use lower-case words joined by hyphens.`
  const file = `${commands}/${folder}/${noun}`
  if (existsSync(join(root, `${file}.ts`))) return `${file}.ts exists: add the command to its list.`
  return {
    files: { [`${file}.ts`]: codeOf(noun, verb), [`${file}.test.ts`]: testOf(noun, verb) },
    lists: { 'cli/dispatch.ts': (text) => afterLast(text, /^ {2}\{ noun: /, rowOf(folder, noun)) },
    next: [
      `${file}.ts: what the command does; "changes: true" if it changes the instance or reveals a secret`,
      'cli/dispatch.ts: what the noun is about, and its place in the help',
      'cli/audit-entries.test.ts: a row, if the command changes something',
      `npm run gatehouse -- ${noun} ${verb}`,
      `npm test -- ${file}.test.ts cli/dispatch.test.ts cli/audit-entries.test.ts`,
    ],
  }
}

const rowOf = (folder: string, noun: string): string =>
  `  { noun: ${`'${noun}',`.padEnd(12)} about: '${noun.replaceAll('-', ' ')}', load: async () => (await import('./commands/${folder}/${noun}.ts')).${identifierOf(noun)}Commands },`

const codeOf = (noun: string, verb: string): string => `/** ${titleOf(noun)}: what its commands are for. */
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { type Command, command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { flag } from '../../kit/options.ts'
import { table } from '../../kit/table.ts'

export const ${identifierOf(noun)}Commands: readonly Command[] = [
  command({
    name: '${noun} ${verb}',
    summary: 'Lists the merchants.',
    args: {},
    options: { json: flag('Prints JSON.') },
    examples: ['gatehouse ${noun} ${verb}'],
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const merchants = await merchantStore(instance.pool).list()
      const rows = merchants.map(({ name, title }) => ({ name, title }))
      if (json) printJson(context.output, rows)
      else
        context.output.out(
          table(
            ['name', 'title'],
            rows.map(({ name, title }) => [name, title]),
          ),
        )
      return undefined
    },
  }),
]
`

const testOf = (noun: string, verb: string): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'

test('${noun} ${verb} shows what there is', async () => {
  await using instance = await openTestInstance()
  await instance.run(['merchant', 'create', 'acme', '--title', 'Acme'])
  const { code, json, err } = await instance.run(['${noun}', '${verb}', '--json'])
  assert.equal(code, 0, err)
  assert.deepEqual(json, [{ name: 'acme', title: 'Acme' }])
})
`

const usage = `Usage: npm run new:command FOLDER NOUN VERB, for example: npm run new:command merchant settlement list

Creates a noun of the command line with its first command and its test, to be changed.`

await scaffold(usage, commandPlan)
