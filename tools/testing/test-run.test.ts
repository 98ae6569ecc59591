/** Real processes with real test files, in a temporary folder. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runBatch } from './test-batch.ts'
import type { Outcome } from './test-outcome.ts'
import type { Batch } from './test-plan.ts'
import type { Verdict } from './test-report.ts'
import { judgeRun } from './test-run.ts'

const cwd = mkdtempSync(join(tmpdir(), 'gatehouse-test-run-test-'))
after(() => rmSync(cwd, { recursive: true, force: true }))

const head = `const { test } = require('node:test'); const assert = require('node:assert/strict'); const fs = require('node:fs');\n`
const sources: Readonly<Record<string, string>> = {
  'good.js': `test('holds', () => {}); test('is left out', { skip: true }, () => {})`,
  'good-too.js': `test('holds as well', () => {})`,
  'bad.js': `test('never holds', () => assert.equal(1, 2, 'One is not two.\\nNor ever was.'))`,
  'broken.js': `throw new TypeError('It cannot even be read.')`,
  'exits.js': `test('ends everything', () => process.exit(3))`,
  'opens.js': `const { after, afterEach } = require('node:test'); globalThis.open = true; after(() => { globalThis.open = false }); afterEach(() => { globalThis.touched = true }); test('has it open', () => assert.ok(globalThis.open))`,
  'comes-after.js': `globalThis.touched = false; test('finds it closed', () => assert.equal(globalThis.open, false)); test('was not touched', () => assert.equal(globalThis.touched, false))`,
  'leaves-open.js': `test('fails before it closes', () => { setInterval(() => {}, 1000); assert.fail('Too early.') })`,
  'listens-on.js': `test('closes nothing', (t, done) => { require('node:net').createServer().listen(0, '127.0.0.1', done) })`,
  'says-no.js': `test('holds, and yet', () => { process.exitCode = 7 })`,
  'throws-late.js': `test('awaits nothing', () => { setTimeout(() => { throw new RangeError('Unawaited.') }) }); test('is still running', () => new Promise((resolve) => setTimeout(resolve, 50)))`,
  'nested.js': `const { describe, before } = require('node:test'); describe('outer', () => { describe('inner', () => { let ready = false; before(() => { ready = true }); test('runs after its own hook', () => assert.ok(ready)) }) })`,
  'reads-on.js': `test('knows what stands below', () => assert.equal(below, 3)); const below = 3`,
  'hanging.js': `test('never ends', () => new Promise(() => setInterval(() => {}, 1000)))`,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [
      `unsteady-${n}.js`,
      `test('holds the second time', () => { const seen = fs.existsSync(__filename + '.seen'); fs.writeFileSync(__filename + '.seen', ''); assert.ok(seen, 'Not yet.') })`,
    ]),
  ),
}

const singleFileBatches = (...names: readonly string[]): readonly Batch[] =>
  names.map((name) => ({ files: [name], waits: false }))

async function run(batches: readonly Batch[], { strict = false, withinMs = 60_000 } = {}): Promise<Verdict & Ran> {
  for (const name of batches.flatMap(({ files }) => files)) {
    rmSync(join(cwd, `${name}.seen`), { force: true })
    writeFileSync(join(cwd, name), `${head}${sources[name]}`)
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const ran: Outcome[] = []
  const verdict = await judgeRun(batches, {
    run: async (batch) => {
      const outcome = await runBatch(batch, { cwd, env, flags: [], withinMs })
      ran.push(outcome)
      return outcome
    },
    slots: 2,
    strict,
    signal: new AbortController().signal,
  })
  const names = ran.map(({ files }) => files.map(({ file }) => file).join())
  return { ...verdict, ran: names.toSorted(), text: verdict.lines.join('\n') }
}

interface Ran {
  readonly ran: readonly string[]
  readonly text: string
}

test('a run whose files all pass passes, and counts the tests', async () => {
  const { ok, text, ran } = await run([
    { files: ['good.js', 'good-too.js'], waits: false },
    ...singleFileBatches('good.js'),
  ])
  assert.equal(ok, true)
  assert.deepEqual(ran, ['good.js', 'good.js,good-too.js'])
  assert.match(text, /ℹ files 3\nℹ tests 5\nℹ pass 3\nℹ fail 0\nℹ skipped 2\n/)
  assert.doesNotMatch(text, /Unsteady|Failed/)
})

test('a file that fails twice fails the run, and its first line of failure ends the report', async () => {
  const { ok, text, ran } = await run(singleFileBatches('bad.js', 'good.js'))
  assert.equal(ok, false)
  assert.deepEqual(ran, ['bad.js', 'bad.js', 'good.js'])
  assert.match(text, /✖ Failed:\n {2}bad\.js:2\n {4}✖ never holds \(.*ms\)\n {6}AssertionError.*: One is not two\.$/)
})

test('a file that cannot be read fails the run, and says so', async () => {
  const { ok, text } = await run(singleFileBatches('broken.js'))
  assert.equal(ok, false)
  assert.match(text, /broken\.js\n {4}✖ the file itself\n {6}TypeError: It cannot even be read\.$/)
})

test('a process ends when its files have reported, whatever a failed test left open', async () => {
  for (const files of [['leaves-open.js'], ['leaves-open.js', 'good.js']]) {
    const { ok, text, ran } = await run([{ files, waits: false }], { strict: true, withinMs: 30_000 })
    assert.equal(ok, false)
    assert.deepEqual(ran, [files.join()])
    assert.match(text, /✖ Failed:\n {2}leaves-open\.js:2\n {4}✖ fails before it closes \(.*ms\)\n {6}.*Too early\.$/)
  }
})

test('a file that never ends is ended, and fails the run', async () => {
  const { ok, text } = await run(singleFileBatches('hanging.js'), { strict: true, withinMs: 1_500 })
  assert.equal(ok, false)
  assert.match(text, /hanging\.js/)
})

describe('files that share a process', () => {
  const shared = (...files: readonly string[]): readonly Batch[] => [{ files, waits: false }]

  test('are distinguished if one fails, which alone is run again', async () => {
    const { ok, text, ran } = await run(shared('good.js', 'bad.js', 'good-too.js'))
    assert.equal(ok, false)
    assert.deepEqual(ran, ['bad.js', 'good.js,bad.js,good-too.js'])
    assert.match(text, /ℹ files 3\nℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ skipped 1\n/)
    assert.match(text, /✖ Failed:\n {2}bad\.js:2\n {4}✖ never holds \(.*ms\)\n {6}AssertionError.*: One is not two\.$/)
  })

  test('are distinguished if one cannot be read', async () => {
    const { ok, text } = await run(shared('good.js', 'broken.js', 'good-too.js'))
    assert.equal(ok, false)
    assert.match(text, /ℹ files 3\nℹ tests 4\nℹ pass 2\nℹ fail 1\n/)
    assert.match(text, /✖ Failed:\n {2}broken\.js\n {4}✖ the file itself\n {6}TypeError: It cannot even be read\.$/)
  })

  test('all run even if one of them ends the process', async () => {
    const { ok, text, ran } = await run(shared('good.js', 'exits.js', 'bad.js', 'good-too.js'), { strict: true })
    assert.equal(ok, false)
    assert.deepEqual(ran.flatMap((files) => files.split(',')).toSorted(), [
      'bad.js',
      'exits.js',
      'good-too.js',
      'good.js',
    ])
    assert.match(text, /ℹ files 4\n/)
    assert.match(text, /✖ Failed:\n {2}exits\.js\n {4}✖ the file itself\n.*\n {2}bad\.js:2\n/)
    assert.doesNotMatch(text, /Failed:.*good/s)
  })

  test('are named if they leave a server open', async () => {
    const { ok, text } = await run(shared('good.js', 'listens-on.js', 'good-too.js'))
    assert.equal(ok, true)
    assert.deepEqual(text.match(/^⚠ .*$/gm), ['⚠ listens-on.js left a server or a child process open.'])
  })

  test('all run even if one of them never ends', async () => {
    const { ok, text, ran } = await run(shared('hanging.js', 'good.js'), { strict: true, withinMs: 1_500 })
    assert.equal(ok, false)
    assert.deepEqual(ran, ['good.js', 'hanging.js'])
    assert.match(text, /✖ Failed:\n {2}hanging\.js/)
  })

  test('all fail if their process failed and none of them reports why', async () => {
    const { ok, text } = await run(shared('good.js', 'says-no.js'), { strict: true })
    assert.equal(ok, false)
    assert.match(text, /✖ Failed:\n {2}good\.js\n.*\n.*\n {2}says-no\.js\n/)
  })

  test('fail if one of them throws what no test awaits', async () => {
    const { ok, text } = await run(shared('good.js', 'throws-late.js'), { strict: true })
    assert.equal(ok, false)
    assert.match(text, /Unawaited/)
  })

  test('may nest suites with their own hooks', async () => {
    const { ok, text } = await run(shared('good.js', 'nested.js', 'good-too.js'), { strict: true })
    assert.ok(ok, text)
  })

  test('begin their tests after the file was completely read', async () => {
    const { ok, text } = await run(shared('good.js', 'reads-on.js'), { strict: true })
    assert.equal(ok, true, text)
  })

  test('are not affected by each other’s hooks, and what one opened is closed before the next begins', async () => {
    const { ok, text } = await run(shared('opens.js', 'comes-after.js'), { strict: true })
    assert.equal(ok, true, text)
  })
})

describe('a file that fails among the others and passes alone', () => {
  test('does not fail the run, and is named', async () => {
    const { ok, text } = await run(singleFileBatches('unsteady-1.js', 'good.js'))
    assert.equal(ok, true)
    assert.match(
      text,
      /⚠ Flaky: .*\n {2}unsteady-1\.js:2\n {4}✖ holds the second time .*\n {6}AssertionError.*Not yet\.$/,
    )
  })

  test('fails a strict run', async () => {
    const { ok, ran } = await run(singleFileBatches('unsteady-1.js'), { strict: true })
    assert.equal(ok, false)
    assert.deepEqual(ran, ['unsteady-1.js'])
  })

  test('fails the run when there are more than eight of its kind, which are not run again', async () => {
    const nine = Array.from({ length: 9 }, (_, index) => `unsteady-${index + 1}.js`)
    const { ok, ran } = await run(singleFileBatches(...nine))
    assert.equal(ok, false)
    assert.equal(ran.length, 9)
  })
})

test('nothing begins after the run was aborted', async () => {
  const broken = AbortSignal.abort()
  const never = () => assert.fail('It was begun.')
  await judgeRun(singleFileBatches('good.js'), { run: never, slots: 1, strict: false, signal: broken })
})
