import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runGatehouse } from '../test/gatehouse.ts'
import { cleanArchive } from './archive-cleaning.ts'
import { deleteOlder } from './backup-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-clean-'))
})
after(() => rm(folder, { recursive: true }))

const system = '7000000000000000001'
const segment = (timeline: number, number: number): string =>
  [timeline, 0, number].map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('')

/** An archive of both timelines, and base backups by their name and first segment; null is one without a note. */
async function furnish(bases: Readonly<Record<string, string | null>>, { of = system, archived = system } = {}) {
  const place = await mkdtemp(join(folder, 'place-'))
  const [archive, backups] = [join(place, 'wal'), join(place, 'bases')]
  await Promise.all([mkdir(archive), mkdir(backups)])
  await writeFile(join(archive, 'system'), `${archived}\n`)
  const names = [
    ...[1, 2, 3, 4, 5].map((number) => segment(1, number)),
    `${segment(1, 2)}.00000028.backup`,
    `${segment(1, 5)}.partial`,
    '00000002.history',
    ...[5, 6, 7].map((number) => segment(2, number)),
  ]
  for (const name of names)
    for (const ending of ['age', 'sha256']) await writeFile(join(archive, `${name}.${ending}`), '')
  for (const [day, first] of Object.entries(bases)) {
    await writeFile(join(backups, `gatehouse-202611${day}T023000Z.base.age`), '')
    if (first !== null)
      await writeFile(
        join(backups, `gatehouse-202611${day}T023000Z.base.start`),
        JSON.stringify({ segment: first, system: of }),
      )
  }
  const left = async () => (await readdir(archive)).filter((name) => name.endsWith('.age')).toSorted()
  return { archive, backups, left }
}

test('a segment that a kept base backup needs is never deleted, on any timeline, and histories stay', async () => {
  const { archive, backups, left } = await furnish({ '16': segment(1, 4), '17': segment(2, 6) })
  const { oldest, segments } = await cleanArchive({ archive, bases: backups, isDryRun: false })
  assert.equal(oldest, segment(1, 4))
  assert.deepEqual(
    segments,
    [1, 2, 3].map((number) => segment(1, number)),
  )
  assert.deepEqual(
    await left(),
    [
      segment(1, 4),
      segment(1, 5),
      `${segment(1, 5)}.partial`,
      '00000002.history',
      ...[5, 6, 7].map((number) => segment(2, number)),
    ]
      .map((name) => `${name}.age`)
      .toSorted(),
  )
  const fingerprints = (await readdir(archive)).filter((name) => name.endsWith('.sha256'))
  assert.equal(fingerprints.length, 7, 'a fingerprint goes with its segment')
})

test('the first base backup cleans the archive although its own segment is archived after it', async () => {
  const { archive, backups, left } = await furnish({ '16': segment(1, 6) })
  const wish = { archive, bases: backups, isDryRun: false }
  await assert.rejects(cleanArchive(wish), /does not have 000000010000000000000006/)
  const cleaned = cleanArchive({ ...wish, archivedWithinMs: 10_000 })
  await writeFile(join(archive, `${segment(1, 6)}.age`), '')
  assert.equal((await cleaned).oldest, segment(1, 6))
  assert.ok(!(await left()).includes(`${segment(1, 5)}.age`))
})

test('the lowest start counts and not the oldest backup: a restored server begins behind its earlier backups', async () => {
  const { archive, backups } = await furnish({ '16': segment(1, 5), '17': segment(2, 5), '18': segment(1, 3) })
  const { oldest, segments } = await cleanArchive({ archive, bases: backups, isDryRun: false })
  assert.deepEqual([oldest, segments], [segment(1, 3), [segment(1, 1), segment(1, 2)]])
})

test('segments of the former timeline go once no kept base backup is older than the fail-over', async () => {
  const { archive, backups, left } = await furnish({ '17': segment(2, 6) })
  await cleanArchive({ archive, bases: backups, isDryRun: false })
  assert.deepEqual(
    await left(),
    ['00000002.history', segment(2, 6), segment(2, 7)].map((name) => `${name}.age`),
  )
})

test('a dry run lists what would be deleted, and deletes nothing', async () => {
  const { archive, backups, left } = await furnish({ '16': segment(1, 3) })
  const earlier = await left()
  const { code, out, err } = await runGatehouse(['backup', 'wal-clean', archive, '--bases', backups, '--dry-run'])
  assert.equal(code, 0, err)
  assert.deepEqual(out.split('\n'), [segment(1, 1), segment(1, 2)])
  assert.match(err, /Would delete 2 segments before 000000010000000000000003/)
  assert.deepEqual(await left(), earlier)
})

// biome-ignore format: a table is read in columns.
const doubts: readonly (readonly [string, Parameters<typeof furnish>, RegExp])[] = [
  ['there is no base backup',                       [{}],                                                         /has no base backup/],
  ['a kept base backup has no note of its start',   [{ '15': null, '16': segment(1, 4) }],                        /gatehouse-20261115T023000Z\.base\.age has no note/],
  ['a base backup is of another server',            [{ '16': segment(1, 4) }, { of: '7000000000000000002' }],     /backup of another server \(7000000000000000002\)/],
  ['the start of the oldest base backup is absent', [{ '16': segment(1, 9), '17': segment(2, 9) }],               /does not have 000000010000000000000009/],
  ['a note is damaged',                             [{ '16': 'no segment' }],                                     /has no note/],
]
for (const [when, wish, text] of doubts)
  test(`nothing is deleted if ${when}`, async () => {
    const { archive, backups, left } = await furnish(...wish)
    const earlier = await left()
    await assert.rejects(cleanArchive({ archive, bases: backups, isDryRun: false }), text)
    assert.deepEqual(await left(), earlier)
  })

test('nothing is deleted from a folder that is no archive', async () => {
  const { archive, backups, left } = await furnish({ '16': segment(1, 4) })
  await rm(join(archive, 'system'))
  const earlier = await left()
  const { code, err } = await runGatehouse(['backup', 'wal-clean', archive, '--bases', backups])
  assert.equal(code, 1)
  assert.match(err, /does not say of which server it is the archive[\s\S]*Nothing was deleted/)
  assert.deepEqual(await left(), earlier)
})

test('an outdated base backup goes with its note, and then no longer keeps segments', async () => {
  const { archive, backups } = await furnish({ '15': segment(1, 2), '17': segment(1, 4) })
  await deleteOlder(backups, 'base', new Date('2026-11-16T00:00:00Z'))
  assert.deepEqual((await readdir(backups)).toSorted(), [
    'gatehouse-20261117T023000Z.base.age',
    'gatehouse-20261117T023000Z.base.start',
  ])
  assert.equal((await cleanArchive({ archive, bases: backups, isDryRun: true })).oldest, segment(1, 4))
})
