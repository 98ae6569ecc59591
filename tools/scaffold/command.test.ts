/** `created.full.test.ts` judges what is created. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './project-copy.ts'

test('an unknown folder, a wrong word and an existing noun are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['cli'])
  const before = await readFile(join(root, 'cli/dispatch.ts'), 'utf8')
  // biome-ignore format: a table is read in columns.
  const refused = [
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
