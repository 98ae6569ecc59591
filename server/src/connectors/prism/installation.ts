/** The package of the family: which version, where it is installed, and whether it is there. Chapter 60 §1.2. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { keepHelper } from './transformer/keeper.ts'
import { planLaunch } from './transformer/launch.ts'
import { HelperFault, type Transformer } from './transformer/transformer.ts'

export const prismPackage = {
  name: 'hyperswitch-prism',
  version: '0.4.0',
  glibc: '2.38',
  /** As the registry published it. */
  integrity: 'sha512-9vcIKppuc1XwbJAQ8iEhvpXxDH64FO9mKoJJn0/Ba8TQvLVRISQTtpPLt/XJsr8qqSUqEoFj8/BW/xA2o41BHw==',
} as const

/** What the family needs to know of the instance. */
interface PrismPlace {
  readonly dataDir: string
  /** PRISM_LOADER: the dynamic loader of a newer glibc. */
  readonly prismLoader: string | null
}

/** In the data folder, not in the project: the operator's choice, and 150 MB. */
export const prismFolder = ({ dataDir }: Pick<PrismPlace, 'dataDir'>): string => join(dataDir, 'connectors', 'prism')

const descriptionSchema = z.object({ version: z.string() })

/** Null if the package is not there. */
export function installedVersion(place: Pick<PrismPlace, 'dataDir'>): string | null {
  const file = join(prismFolder(place), 'node_modules', prismPackage.name, 'package.json')
  if (!existsSync(file)) return null
  return descriptionSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.version ?? null
}

/** Why its acquirers cannot be used; null if they can. */
export function installationFault(place: Pick<PrismPlace, 'dataDir'>): string | null {
  const version = installedVersion(place)
  if (version === prismPackage.version) return null
  if (version === null)
    return 'This acquirer needs the package of its family. Install it with "gatehouse connectors add prism".'
  return `The installed package is version ${version}, this release needs ${prismPackage.version}. Run "gatehouse connectors add prism".`
}

/** The helper process of this gateway process. An installation that is added later is found by the next payment. */
export function openHelper(place: PrismPlace): Transformer {
  return keepHelper(async () => {
    const fault = installationFault(place)
    if (fault !== null) throw new HelperFault(fault)
    return planLaunch({ folder: prismFolder(place), loader: place.prismLoader })
  })
}
