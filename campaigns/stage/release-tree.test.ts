import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { previousRelease } from './release-tree.ts'

test('the previous release is the newest tag of a version before this commit', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  const commit = () =>
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'one')
  git('init', '--quiet')
  commit()
  assert.equal(previousRelease(folder), null)
  git('tag', 'v0.1.0')
  commit()
  git('tag', 'try-1')
  assert.equal(previousRelease(folder), 'v0.1.0')
  commit()
  git('tag', 'v0.2.0')
  assert.equal(previousRelease(folder), 'v0.1.0', 'a release is upgraded to from the one before')
})
