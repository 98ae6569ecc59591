/**
 * What the generators create is judged by the tools that judge the rest of the project: types, format and help. All of it in one copy,
 * because the type checker reads the whole gateway each time.
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, run } from './project-copy.ts'

const parts = [
  'package.json',
  'biome.json',
  'tsconfig.json',
  'domain/src',
  'server',
  'sandbox',
  'cli',
  'client/typescript',
  'tools',
  'web',
]

// biome-ignore format: a table is read in columns.
const generators = [
  ['scaffold/command.ts', ['merchant', 'settlement', 'list']],
  ['scaffold/job.ts',     ['old-reports']],
  ['scaffold/page.ts',    ['settlement-files', 'payments.read', 'Payments']],
  ['new-connector.ts',    ['demo-bank']],
] as const

const formatted = [
  'cli/commands/merchant',
  'cli/dispatch.ts',
  'server/src/due',
  'server/src/assembly/payment-workers.ts',
  'server/src/connectors/demo-bank',
  'server/src/connectors/registry.ts',
  'web/admin/pages',
]

const typed = [
  'cli/dispatch.ts',
  'cli/commands/merchant/settlement.test.ts',
  'server/src/assembly/payment-workers.ts',
  'server/src/connectors/registry.ts',
]

test('a new command, job, page and connector have their types and their format as they were created', async (t) => {
  const root = await copyOfProject(t, parts)
  const passes = async (program: string, ...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(program, args, root)
    assert.equal(code, 0, output)
    return output
  }
  for (const [generator, names] of generators) await passes(join(project, 'tools', generator), '--root', root, ...names)

  assert.match(
    await readFile(join(root, 'server/src/assembly/payment-workers.ts'), 'utf8'),
    /^ {4}runOldReports\(deps, /m,
  )
  await passes('node_modules/@biomejs/biome/bin/biome', 'check', ...formatted)
  const only = { extends: './tsconfig.json', include: [], files: typed }
  await writeFile(join(root, 'tsconfig.one.json'), JSON.stringify(only))
  await passes('node_modules/typescript/bin/tsc', '-p', 'tsconfig.one.json')
  await passes('node_modules/typescript/bin/tsc', '-p', 'web')
  assert.match(await passes('cli/main.ts', 'settlement', 'list', '--help'), /^Usage: gatehouse settlement list/)
})
