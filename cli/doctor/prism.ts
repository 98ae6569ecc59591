/** Checks the package of the family `prism` and the process that runs it. Chapter 60 §1.2. */
import { installationFault, installedVersion, openHelper, prismPackage } from '#server/connectors/prism/installation.ts'
import { mayIsolate } from '#server/connectors/prism/transformer/launch.ts'
import { connectorById } from '#server/connectors/registry.ts'
import type { Config } from '#server/process/config.ts'
import { midStore } from '#server/store/configuration/mids.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

type PrismConfig = Pick<Config, 'dataDir' | 'prismLoader'>

/** A package that is not installed matters only to MIDs that need it. */
export async function checkPrism(config: PrismConfig, pool: Pool): Promise<readonly Finding[]> {
  const fault = installationFault(config)
  if (fault === null) return [await checkStart(config), await checkNetwork()]
  const mids = (await midStore(pool).list()).filter(
    ({ enabled, connector }) => enabled && connectorById(connector)?.family === 'prism',
  )
  if (installedVersion(config) === null && mids.length === 0) return []
  const names = mids.length === 0 ? '' : ` Payments over ${mids.map(({ name }) => name).join(', ')} are refused.`
  return [
    problem('prism', `${fault}${names}`, 'Run "gatehouse connectors add prism" on every machine of the instance.'),
  ]
}

async function checkStart(config: PrismConfig): Promise<Finding> {
  const { prismLoader } = config
  const helper = openHelper(config)
  try {
    const { version, glibc, residentBytes } = await helper.greet()
    const under = glibc === null ? '' : ` under glibc ${glibc}${prismLoader === null ? '' : ' (PRISM_LOADER)'}`
    const megabytes = Math.ceil(residentBytes / 1_048_576)
    return ok('prism', `The helper process runs: version ${version}${under}, ${megabytes} MB of memory.`)
  } catch {
    return problem(
      'prism',
      `The helper process does not start${prismLoader === null ? '' : ` under ${prismLoader}`}.`,
      `It needs glibc ${prismPackage.glibc} or newer. Set PRISM_LOADER to the loader of a newer one; see docs/operations/acquirers/prism.md.`,
    )
  } finally {
    helper.close()
  }
}

async function checkNetwork(): Promise<Finding> {
  if (await mayIsolate()) return ok('prism', 'The helper process has no network.')
  return warning(
    'prism',
    'The helper process shares the network of the gateway, because this system allows no user namespaces.',
    'It does not need a network. Allow unprivileged user namespaces, or block its connections otherwise.',
  )
}
