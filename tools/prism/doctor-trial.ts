/** What `gatehouse doctor` finds about the real package: under which glibc it runs, with how much memory, and whether it has a network. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { prismFolder } from '#server/connectors/prism/installation.ts'
import { openPool } from '#server/store/database/pool.ts'
import { checkPrism } from '../../cli/doctor/prism.ts'

interface TrialPackage {
  readonly folder: string
  readonly loader: string | null
}

/** Prints what was found; returns what should not have been. */
export async function askDoctor(
  { folder, loader }: TrialPackage,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prism-doctor-'))
  const place = prismFolder({ dataDir })
  await mkdir(dirname(place), { recursive: true })
  await symlink(folder, place)
  // An installed package is judged without the database.
  const pool = openPool('postgres://127.0.0.1:1/none', { max: 1, applicationName: 'doctor' })
  try {
    const good = await checkPrism({ dataDir, prismLoader: loader }, pool)
    const wrong = await checkPrism({ dataDir, prismLoader: join(dataDir, 'no-loader') }, pool)
    for (const { level, text } of good) print(`doctor: ${level} ${text}`)
    const [start] = good
    const [noStart] = wrong
    return [
      ...(start?.level === 'ok' && /version .* MB of memory/.test(start.text) ? [] : [`doctor: ${start?.text}`]),
      ...(noStart?.level === 'problem' ? [] : [`doctor does not notice a wrong loader: ${noStart?.text}`]),
    ]
  } finally {
    await pool.end()
    await rm(dataDir, { recursive: true })
  }
}
