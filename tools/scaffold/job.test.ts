import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './project-copy.ts'

const parts = ['package.json', 'biome.json', 'tsconfig.json', 'domain/src', 'server/src']

test('a new job has its types and its format as it was created, and a worker starts it', async (t) => {
  const root = await copyOfProject(t, parts)
  const made = await newJob(root, 'old-reports')
  assert.equal(made.code, 0, made.output)
  assert.match(await readFile(join(root, 'server/src/wiring.ts'), 'utf8'), /^ {4}runOldReports\(deps, /m)

  const paths = ['server/src/due', 'server/src/wiring.ts']
  const formatted = await run('node_modules/@biomejs/biome/bin/biome', ['check', ...paths], root)
  assert.equal(formatted.code, 0, formatted.output)
  const files = ['server/src/wiring.ts']
  await writeFile(join(root, 'tsconfig.one.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }))
  const typed = await run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.one.json'], root)
  assert.equal(typed.code, 0, typed.output)
})

test('a wrong name and an existing job are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['server/src/due', 'server/src/wiring.ts'])
  const before = await readFile(join(root, 'server/src/wiring.ts'), 'utf8')
  // biome-ignore format: a table is read in columns.
  const refused = [
    [[],               /^Usage: npm run new:job/],
    [['Old'],          /"Old" is not a valid name of a job/],
    [['watches'],      /watches\.ts already exists/],
  ] as const
  for (const [names, said] of refused) {
    const { code, output } = await newJob(root, ...names)
    assert.deepEqual([code, said.test(output)], [1, true], output)
  }
  assert.equal(await readFile(join(root, 'server/src/wiring.ts'), 'utf8'), before)
})

const newJob = (root: string, ...names: readonly string[]): Promise<Run> =>
  run(join(project, 'tools/scaffold/job.ts'), ['--root', root, ...names], project)
