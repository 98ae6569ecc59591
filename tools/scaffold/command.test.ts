/** What `npm run new:command` writes is judged by the tools that judge the rest of the command line: its types, its format and its help. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './project-copy.ts'

const parts = ['package.json', 'biome.json', 'tsconfig.json', 'domain/src', 'server', 'sandbox', 'cli', 'tools']

test('a new command has its types, its format and its help as it was created', async (t) => {
  const root = await copyOfProject(t, parts)
  const made = await newCommand(root, 'merchant', 'settlement', 'list')
  assert.equal(made.code, 0, made.output)

  const formatted = await run(
    'node_modules/@biomejs/biome/bin/biome',
    ['check', 'cli/commands/merchant', 'cli/dispatch.ts'],
    root,
  )
  assert.equal(formatted.code, 0, formatted.output)
  const files = ['cli/dispatch.ts', 'cli/commands/merchant/settlement.test.ts']
  await writeFile(join(root, 'tsconfig.one.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }))
  const typed = await run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.one.json'], root)
  assert.equal(typed.code, 0, typed.output)
  const helped = await run('cli/main.ts', ['settlement', 'list', '--help'], root)
  assert.match(helped.output, /^Usage: gatehouse settlement list/)
})

test('an unknown folder, a wrong word and an existing noun are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['cli'])
  const before = await readFile(join(root, 'cli/dispatch.ts'), 'utf8')
  // biome-ignore format: a table is read in columns.
  const refused = [
    [['settlement', 'list'],              /^Usage: npm run new:command/],
    [['money', 'settlement', 'list'],     /There is no folder cli\/commands\/money/],
    [['merchant', 'Settlement', 'list'],  /"Settlement" is not a word of a command/],
    [['merchant', 'merchant', 'list'],    /merchant\.ts exists: add the command to its list/],
  ] as const
  for (const [names, said] of refused) {
    const { code, output } = await newCommand(root, ...names)
    assert.deepEqual([code, said.test(output)], [1, true], output)
  }
  assert.equal(await readFile(join(root, 'cli/dispatch.ts'), 'utf8'), before)
})

const newCommand = (root: string, ...names: readonly string[]): Promise<Run> =>
  run(join(project, 'tools/scaffold/command.ts'), ['--root', root, ...names], project)
