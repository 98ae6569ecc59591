import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { originOf } from './origin.ts'

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
