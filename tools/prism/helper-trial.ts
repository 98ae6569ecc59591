/** The campaign `helper-points` with the real package: its helper is killed at every step of a payment. */
import { mkdir, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { prismFolder } from '#server/connectors/prism/installation.ts'
import { isAsItMust } from '../../campaigns/campaign.ts'
import { runHelperPoints } from '../../campaigns/crash/helper-points.ts'
import { Random } from '../../campaigns/stage/random.ts'

interface TrialPackage {
  readonly folder: string
  readonly loader: string | null
}

/** Prints the figures; returns those that are not as they must be. */
export async function killHelpers(
  { folder, loader }: TrialPackage,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const install = async (dataDir: string): Promise<void> => {
    const place = prismFolder({ dataDir })
    await mkdir(dirname(place), { recursive: true })
    await symlink(folder, place)
  }
  const terms = { random: new Random(1), sizes: { runs: 1 }, database: 'own' } as const
  const { figures, faults } = await runHelperPoints(terms, { install, loader })
  for (const { name, value } of figures) print(`helper killed: ${name.padEnd(37)} ${value}`)
  return [
    ...figures.filter((one) => !isAsItMust(one)).map(({ name, value }) => `helper killed: ${name} ${value}`),
    ...faults,
  ]
}
