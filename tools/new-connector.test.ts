import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './scaffold/project-copy.ts'

const generate = (root: string, ...names: string[]): Promise<Run> =>
  run(join(project, 'tools/new-connector.ts'), ['--root', root, ...names], project)

/** The part of the project that connectors need; `scaffold/created.full.test.ts` judges types and format. */
const parts = ['package.json', 'domain/src', 'server/src']

test('a new connector passes the contract as it was created', async (t) => {
  const root = await copyOfProject(t, parts)
  const result = await generate(root, 'demo-bank')
  assert.equal(result.code, 0, result.output)
  assert.match(result.output, /Next:/)

  const registry = await readFile(join(root, 'server/src/connectors/registry.ts'), 'utf8')
  assert.match(registry, /^import \{ demoBank \} from '\.\/demo-bank\/index\.ts'$/m)
  assert.match(registry, /^ {2}demoBank,\n\]$/m)

  const contract = ['--test', '--test-name-pattern=connector demo-bank', 'server/src/connectors/contract.test.ts']
  const tested = await run('--test-reporter=tap', contract, root)
  assert.equal(tested.code, 0, tested.output)
  const passed = Number(/^# pass (\d+)$/m.exec(tested.output)?.[1])
  assert.ok(passed > 40, `${passed} tests ran`)
})

test('a second connector is registered beside the first', async (t) => {
  const root = await copyOfProject(t, parts)
  await generate(root, 'zebra')
  await generate(root, 'alpha')
  const registry = await readFile(join(root, 'server/src/connectors/registry.ts'), 'utf8')
  assert.match(registry, /^ {2}zebra,\n {2}alpha,\n\]$/m)
  assert.match(registry, /alpha\/index\.ts'\n(?:.*\n)*.*sandbox\/index\.ts'\n(?:.*\n)*.*zebra\/index\.ts'/)
})

test('invalid and used names are refused and change nothing', async (t) => {
  const root = await copyOfProject(t, parts)
  const registry = join(root, 'server/src/connectors/registry.ts')
  const before = await readFile(registry, 'utf8')
  const refused = [['sandbox'], ['Acme'], ['acme_pay'], ['../acme'], ['1st'], ['acme-'], ['class'], ['connectors']]
  for (const names of refused) {
    const { code, output } = await generate(root, ...names)
    assert.equal(code, 1, names.join(' '))
    assert.match(output, /^.+\n$/, 'one line that says why')
  }
  assert.equal(await readFile(registry, 'utf8'), before)
})
