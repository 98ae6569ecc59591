import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { complaintsAboutCommit, recentCommits } from './commits.ts'

const skip = spawnSync('git', ['--version']).status === 0 ? false : 'git is not installed'

const complaints = (subject: string, parents = 1): number =>
  complaintsAboutCommit({ id: 'abc', parents, subject }).length

test('a subject names an area and what it now does, within 72 characters', () => {
  assert.equal(complaints('store: payments are found by their BIN'), 0)
  assert.equal(complaints('cli, docs: doctor names its port'), 0)
  assert.equal(complaints(`store: ${'a '.repeat(32)}b`), 0)
  assert.equal(complaints(`store: ${'a '.repeat(33)}b`), 1)
  for (const bad of ['wip', 'fix', 'Store: payments are found', 'store: fixes', 'store payments are found', 'a: b c.'])
    assert.equal(complaints(bad), 1, bad)
  assert.equal(complaints('store: two lines meet', 2), 1)
})

test('the commits since the last release are read, newest first; without a release all of them', { skip }, (t) => {
  const { folder, git, commit } = repository(t)
  commit('tools: one thing')
  commit('tools: another thing')
  const subjects = () => recentCommits(folder)?.map(({ subject, parents }) => [subject, parents])
  assert.deepEqual(subjects(), [
    ['tools: another thing', 1],
    ['tools: one thing', 0],
  ])
  git('tag', 'v1.0.0')
  assert.deepEqual(subjects(), [])
  commit('tools: a third\tthing')
  git('tag', 'unrelated')
  assert.deepEqual(subjects(), [['tools: a third\tthing', 1]])
})

test('a shallow clone is read as far as it goes, and an archive inside another repository has no history', {
  skip,
}, (t) => {
  const { folder, commit } = repository(t)
  commit('tools: one thing')
  commit('tools: another thing')
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${folder}`, clone])
  assert.deepEqual(
    recentCommits(clone)?.map(({ subject, parents }) => [subject, parents]),
    [['tools: another thing', 0]],
  )
  const archive = join(folder, 'archive')
  mkdirSync(archive)
  assert.equal(recentCommits(archive), null)
})

function repository(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-commits-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...args: readonly string[]): void => {
    const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'ignore' })
  }
  git('init', '-q')
  return { folder, git, commit: (subject: string) => git('commit', '-q', '--allow-empty', '-m', subject) }
}
