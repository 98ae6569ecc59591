/**
 * The chart with the values of `values-test.yaml`, rendered by the template engine and the functions that Helm uses. `rendered.yaml` holds
 * the result, so that the manifests are tested where no Go is installed; its first line holds the fingerprint of what it was rendered from.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../tidy/source-files.ts'

const run = promisify(execFile)
const chart = join(root, 'deploy/helm/gatehouse')
const goPackages = '/usr/share/gocode'

export const renderedChart = join(chart, 'rendered.yaml')

/** Why the chart cannot be rendered here; null if it can. */
export const missingForChart = existsSync(`${goPackages}/src/github.com/Masterminds/sprig`)
  ? null
  : 'Go with sprig is not installed (Debian: apt-get install golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev).'

/** Of every file from which the chart is rendered, with its path: a file that is renamed or added changes it, too. */
function chartFingerprint(): string {
  const hash = createHash('sha256')
  const paths = globSync(['Chart.yaml', 'values.yaml', 'values-test.yaml', 'templates/*', 'files/*'], { cwd: chart })
  for (const path of paths.toSorted()) {
    const bytes = readFileSync(join(chart, path))
    hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

export const fingerprintLine = (): string =>
  `# Written by "npm run chart" from sources with SHA-256 ${chartFingerprint()}.\n`

export async function renderChart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chart-'))
  try {
    const program = join(folder, 'render-chart')
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      GO111MODULE: 'off',
      GOPATH: goPackages,
      GOCACHE: join(folder, 'cache'),
    }
    await run('go', ['build', '-o', program, join(root, 'tools/package/testing/render-chart/main.go')], { env })
    const { stdout } = await run(program, [chart, 'shop', join(chart, 'values-test.yaml')])
    return stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
