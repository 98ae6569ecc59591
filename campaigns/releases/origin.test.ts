import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { originOf, previousRelease } from './origin.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-origin-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false']
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
const commit = (): string => {
  git('commit', '--quiet', '--allow-empty', '--message', 'a change')
  return git('rev-parse', 'HEAD')
}

test('the release to upgrade from is the named one, else the newest tag before this commit, else this checkout', async (t) => {
  const thisCheckout = { commit: null, title: 'this checkout, because no earlier release is tagged' }
  await t.test('a folder without git has no earlier release', () =>
    assert.deepEqual(originOf(undefined, folder), thisCheckout),
  )

  git('init', '--quiet', '--initial-branch=main')
  const first = commit()
  await t.test('without a tag it is this checkout', () => assert.deepEqual(originOf(undefined, folder), thisCheckout))

  git('tag', 'v0.9.0')
  await t.test('the tag of this commit is the release under test', () =>
    assert.deepEqual(originOf(undefined, folder), thisCheckout),
  )

  const second = commit()
  git('tag', 'v0.10.0-rc.1')
  const third = commit()
  git('tag', 'v0.10.0')
  git('tag', 'sdk-v7.0.0')
  git('switch', '--quiet', '--create', 'elsewhere')
  commit()
  git('tag', 'v8.0.0')
  git('switch', '--quiet', 'main')
  commit()
  await t.test('of the tags v* before this commit it is the highest version', () =>
    assert.deepEqual(originOf(undefined, folder), { commit: third, title: `v0.10.0 (commit ${third.slice(0, 8)})` }),
  )

  await t.test('a named tag or commit goes first', () => {
    assert.deepEqual(originOf('v0.9.0', folder), { commit: first, title: `v0.9.0 (commit ${first.slice(0, 8)})` })
    assert.deepEqual(originOf(second.slice(0, 9), folder), { commit: second, title: `commit ${second.slice(0, 8)}` })
  })

  await t.test('a name that git does not know is refused', () =>
    assert.throws(() => originOf('v0.0.7', folder), /There is no release v0\.0\.7 to upgrade from/),
  )
})

test('the previous release is the newest tag, else the commit before the newest migrations, if it can run here', async (t) => {
  const checkout = mkdtempSync(join(tmpdir(), 'gatehouse-previous-'))
  t.after(() => rmSync(checkout, { recursive: true, force: true }))
  const run = (...args: readonly string[]): string =>
    execFileSync('git', [...identity, '-C', checkout, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const needs = (pg: string): void =>
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ dependencies: { pg } }))
  const committed = (): string => {
    run('add', '--all')
    run('commit', '--quiet', '--allow-empty', '--message', 'a change')
    return run('rev-parse', 'HEAD').trim()
  }
  const withoutHistory = { missing: 'The history of this checkout has no earlier release to upgrade from.' }
  const previous = (): unknown => previousRelease(checkout)
  const release = (commit: string, name = '') => ({
    commit,
    title: name === '' ? `commit ${commit.slice(0, 8)}` : `${name} (commit ${commit.slice(0, 8)})`,
  })
  needs('8.1.0')
  await t.test('an archive has none', () => assert.deepEqual(previous(), withoutHistory))

  run('init', '--quiet', '--initial-branch=main')
  committed()
  await t.test('nor has a history without migrations', () => assert.deepEqual(previous(), withoutHistory))

  const folder = join(checkout, 'server/src/store/migrations')
  mkdirSync(folder, { recursive: true })
  const migrated = ['0001_one.sql', '0002_two.sql', '0003_three.sql', '0004_four.sql'].map((name) => {
    writeFileSync(join(folder, name), '')
    return committed()
  })
  const [first = '', second = ''] = migrated
  await t.test('without a tag it is the commit before the newest three migrations', () =>
    assert.deepEqual(previous(), release(first)),
  )

  await t.test('a shallow clone has none', () => {
    const clone = join(checkout, 'clone')
    run('clone', '--quiet', '--depth=2', `file://${checkout}`, clone)
    assert.deepEqual(previousRelease(clone), withoutHistory)
    rmSync(clone, { recursive: true })
  })

  run('tag', 'v0.1.0', second)
  await t.test('a tag goes first', () => assert.deepEqual(previous(), release(second, 'v0.1.0')))

  needs('8.9.0')
  await t.test('a newer minor version of a package changes nothing', () =>
    assert.deepEqual(previous(), release(second, 'v0.1.0')),
  )

  needs('9.0.0')
  await t.test('one that needs a package in another major version cannot run here', () =>
    assert.deepEqual(previous(), {
      missing: `v0.1.0 (commit ${second.slice(0, 8)}) runs with other packages than this checkout: pg 8.1.0.`,
    }),
  )
})
