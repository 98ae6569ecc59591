/** `created.full.test.ts` judges what is created. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOfProject, project, run } from './project-copy.ts'

test('an unknown permission, an unknown group, a wrong name and an existing page are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['web/admin/pages'])
  // biome-ignore format: a table is read in columns.
  const refused = [
    [['Limits', 'mids.read', 'Acquiring'],        /"Limits" is not a valid page name/],
    [['limits', 'limits.read', 'Acquiring'],      /There is no permission limits\.read/],
    [['limits', 'mids.read', 'Nowhere'],          /page-table\.ts was not found; nothing was written/],
    [['payments', 'payments.read', 'Payments'],   /pages\/payments\/page\.tsx already exists/],
  ] as const
  const before = await run('-e', [listing], root)
  for (const [names, said] of refused) {
    const { code, output } = await newPage(root, ...names)
    assert.deepEqual([code, said.test(output)], [1, true], output)
  }
  assert.equal((await run('-e', [listing], root)).output, before.output)
})

const listing = `
  const fs = require('node:fs')
  for (const path of fs.globSync('web/**/*.ts*')) console.log(path, fs.statSync(path).mtimeMs)`

const newPage = (root: string, ...names: readonly string[]) =>
  run(`${project}tools/scaffold/page.ts`, ['--root', root, ...names], project)
