/** The steps of the Dockerfile in a root of Debian, and an instance of the image. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { emptyTestDatabase } from '../../server/test/database.ts'
import { debianRootFault, installNode, makeDebianRoot, removeRoot, runIn } from './testing/debian-root.ts'
import { buildImage, healthCheckOf, readDockerfile } from './testing/dockerfile.ts'
import { payInRoot } from './testing/instance-in-root.ts'

const fault = debianRootFault()
/** Installing all packages takes minutes on a slow machine. */
const buildLimitMs = 3_600_000
const npmFolder = dirname(dirname(process.env['npm_execpath'] ?? ''))

test('the image takes a payment as its own user on a read-only root, and its processes end on SIGTERM', {
  skip: fault ?? false,
  timeout: buildLimitMs,
}, async (t) => {
  const roots: string[] = []
  t.after(() => Promise.all(roots.map(removeRoot)))
  const stages = await readDockerfile()
  const image = await buildImage(stages, async (base) => {
    const root = await makeDebianRoot()
    roots.push(root)
    if (base.startsWith('node:')) await installNode(root, npmFolder)
    return root
  })
  const database = await emptyTestDatabase()
  t.after(() => database.drop())
  const { answer, workerHealth, workerMetrics, exits, healthChecks } = await payInRoot(
    { ...image, writable: ['/var/lib/gatehouse'], healthCheck: healthCheckOf(stages) },
    database.url,
  )

  assert.match(answer, /"result":"SUCCESS","status":"SETTLED"/)
  assert.match(workerHealth, /"status":"healthy"/)
  assert.match(workerMetrics, /gatehouse_callbacks_total/)
  assert.deepEqual(exits, [
    { code: 0, signal: null },
    { code: 0, signal: null },
    { code: 0, signal: null },
  ])

  await t.test('its health check succeeds while the processes serve, and fails after they have stopped', () =>
    assert.deepEqual(healthChecks, { serving: [0, 0], stopped: [1, 1] }),
  )

  await t.test('it holds neither build tools nor npm, and lists what it holds', async () => {
    const program = join(image.root, 'usr/lib/gatehouse')
    for (const absent of [
      'node_modules/esbuild',
      'node_modules/typescript',
      'node_modules/.bin',
      'tools',
      'server/test',
    ])
      assert.ok(!existsSync(join(program, absent)), absent)
    const found = await runIn(image.root, ['/bin/sh', '-c', 'command -v npm gcc make python3 || true'])
    assert.equal(found, '')
    const { components } = JSON.parse(await readFile(join(program, 'sbom.cdx.json'), 'utf8'))
    const names = components.map(({ name }: { readonly name: string }) => name)
    assert.ok(names.includes('fastify') && names.includes('node'))
    assert.match(await readFile(join(program, 'licences.txt'), 'utf8'), /^fastify [0-9.]+: MIT$/m)
  })
})
