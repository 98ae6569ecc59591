/** The chart, rendered by the template engine and the functions that Helm uses. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { root } from '../tidy/source-files.ts'

const run = promisify(execFile)
const chart = join(root, 'deploy/helm/gatehouse')
const sources = '/usr/share/gocode'
const absent = existsSync(`${sources}/src/github.com/Masterminds/sprig`)
  ? false
  : 'Go with sprig is not installed (Debian: apt-get install golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev).'

test('the templates of the chart render to deploy/helm/gatehouse/rendered.yaml', { skip: absent }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chart-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'render-chart')
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GO111MODULE: 'off',
    GOPATH: sources,
    GOCACHE: join(folder, 'cache'),
  }
  await run('go', ['build', '-o', program, join(root, 'tools/package/testing/render-chart/main.go')], { env })
  const { stdout } = await run(program, [chart, 'shop', join(chart, 'values-test.yaml')])
  const objects = (text: string) => parseAllDocuments(text).map((document) => document.toJS())
  assert.deepEqual(objects(stdout), objects(await readFile(join(chart, 'rendered.yaml'), 'utf8')))
})
