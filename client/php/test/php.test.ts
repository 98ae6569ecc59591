/** The PHP library, run by PHP itself; skipped where PHP is not installed (Debian: `apt-get install php-cli php-curl`). */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { hasPhp, runPhp } from '../../testing/php.ts'

const skip = hasPhp() ? false : 'PHP 8 is not installed.'

test('the PHP client agrees with every vector', { skip }, async () => {
  const { agreed, differences } = JSON.parse(await runPhp('vectors.php'))
  assert.deepEqual(differences, [])
  assert.ok(agreed >= 140, String(agreed))
})

test('the PHP client repeats a command with the same key and bytes, and tells refused, busy and unknown apart', {
  skip,
}, async () => {
  assert.deepEqual(JSON.parse(await runPhp('transport.php')), {
    'lost twice': ['SUCCESS', 3, 1],
    'look-up': ['SUCCESS', 2, 1],
    'busy twice': ['SUCCESS', 3, 1, [7, 7]],
    'always busy': ['busy', 3, 1],
    'lost, then busy': ['unknown', 3, 1],
    'still running': ['SUCCESS', 3, 1],
    'repeated by a proxy': ['SUCCESS', 2, 1],
    refused: ['refused 400 100000 hash: Hash is not valid. r1', 1, 1],
  })
})

test('the PHP client is as small as its README says', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const [, files, kilobytes] =
    /([0-9]+) files, at most ([0-9.]+) kB/.exec(readFileSync(`${folder}README.md`, 'utf8')) ?? []
  const sources = globSync('src/*.php', { cwd: folder }).toSorted()
  assert.equal(sources.length, Number(files))
  const bytes = gzipSync(Buffer.concat(sources.map((path) => readFileSync(`${folder}${path}`)))).length
  assert.ok(bytes <= Number(kilobytes) * 1000, `${bytes} bytes`)
})
