/** The alert rules, as Prometheus evaluates them. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../tidy/source-files.ts'

const absent = spawnSync('promtool', ['--version']).error
  ? 'promtool is not installed (Debian: apt-get install prometheus).'
  : false

test('each alert fires on its fault, and none on an instance that works', { skip: absent }, async () => {
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'rules.test.yaml'], {
    cwd: join(root, 'deploy/prometheus'),
  })
  assert.match(stdout, /SUCCESS/)
})
