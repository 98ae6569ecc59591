/** What `npm run new:page` writes is judged by the tools that judge the rest of the panel: its types, and its format. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOfProject, project, run } from './project-copy.ts'

const parts = ['package.json', 'biome.json', 'tsconfig.json', 'domain/src', 'web']

test('a new page has its types and its format as it was written', async (t) => {
  const root = await copyOfProject(t, parts)
  const made = await newPage(root, 'settlement-files', 'payments.read', 'Payments')
  assert.equal(made.code, 0, made.output)

  const checked = await run('node_modules/@biomejs/biome/bin/biome', ['check', 'web/admin/pages'], root)
  assert.equal(checked.code, 0, checked.output)
  const typed = await run('node_modules/typescript/bin/tsc', ['-p', 'web'], root)
  assert.equal(typed.code, 0, typed.output)
})

test('an unknown permission, an unknown group, a wrong name and an existing page are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, ['web/admin/pages'])
  // biome-ignore format: a table is read in columns.
  const refused = [
    [['limits'],                                  /^Usage: npm run new:page/],
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
