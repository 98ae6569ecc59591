/** `created.full.test.ts` judges what is created. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './project-copy.ts'

test('a wrong name and an existing job are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['server/src/due', 'server/src/assembly/payment-workers.ts'])
  const before = await readFile(join(root, 'server/src/assembly/payment-workers.ts'), 'utf8')
  // biome-ignore format: a table is read in columns.
  const refused = [
    [['Old'],          /"Old" is not a valid name of a job/],
    [['watches'],      /watches\.ts already exists/],
  ] as const
  for (const [names, said] of refused) {
    const { code, output } = await newJob(root, ...names)
    assert.deepEqual([code, said.test(output)], [1, true], output)
  }
  assert.equal(await readFile(join(root, 'server/src/assembly/payment-workers.ts'), 'utf8'), before)
})

const newJob = (root: string, ...names: readonly string[]): Promise<Run> =>
  run(join(project, 'tools/scaffold/job.ts'), ['--root', root, ...names], project)
