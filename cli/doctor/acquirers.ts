/** Finds MIDs whose acquirer cannot be reached. */
import { connectorById } from '#server/connectors/registry.ts'
import { readValue } from '#server/contracts/value-faults.ts'
import type { Config } from '#server/process/config.ts'
import { midHealthStore } from '#server/store/configuration/mid-health.ts'
import { type MidRow, midStore } from '#server/store/configuration/mids.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { PLATFORM_SCOPE, type Vault } from '#server/vault/port.ts'
import { VaultError } from '#server/vault/vault-error.ts'
import { isSandboxAnswering, moveSandboxClock } from '../kit/sandbox.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export async function checkAcquirers(config: Config, pool: Pool, vault: Vault): Promise<readonly Finding[]> {
  const mids = (await midStore(pool).list()).filter(({ enabled }) => enabled)
  if (mids.length === 0)
    return [
      warning(
        'mids',
        'No MID is enabled, so no payment can be processed.',
        'Use "gatehouse mid create" or "gatehouse mid enable".',
      ),
    ]

  const looks = await Promise.all(mids.map((mid) => lookAt(vault, mid)))
  const faults = looks.flatMap(({ fault }) => (fault ? [fault] : []))
  const sandboxes = [...new Set(looks.flatMap(({ sandbox }) => (sandbox ? [sandbox] : [])))]
  const reached = await Promise.all(sandboxes.map((url) => checkSandbox(url, config, pool)))
  const sound = mids.length - faults.length
  return [
    ...faults,
    ...(sound > 0 ? [ok('mids', `${sound} of ${mids.length} have valid credentials.`)] : []),
    ...(await checkBreakers(pool, mids)),
    ...reached,
  ]
}

/** An open breaker takes its MID out of routing, so the operator should know. */
async function checkBreakers(pool: Pool, mids: readonly MidRow[]): Promise<readonly Finding[]> {
  const open = new Set(
    (await midHealthStore(pool).listBreakers()).flatMap((row) => (row.breaker.state === 'open' ? row.midId : [])),
  )
  const names = mids.filter(({ id }) => open.has(id)).map(({ name }) => name)
  if (names.length === 0) return []
  const remedy = 'Payments go to other MIDs in the meantime. "gatehouse mid health" shows details.'
  return [warning('mids', `The circuit breaker is open for ${names.join(', ')}.`, remedy)]
}

interface AcquirerCheck {
  readonly fault?: Finding
  /** The address of its sandbox acquirer, if it uses one. */
  readonly sandbox?: string
}

async function lookAt(vault: Vault, mid: MidRow): Promise<AcquirerCheck> {
  const connector = connectorById(mid.connector)
  if (!connector) {
    return {
      fault: problem(
        'mids',
        `${mid.name} uses the connector "${mid.connector}", which this release does not have.`,
        'Disable the MID, or run a release with this connector.',
      ),
    }
  }
  const anew = `Enter them again with "gatehouse mid update ${mid.name} --credentials".`
  try {
    const stored = await vault.open(PLATFORM_SCOPE, 'credentials', mid.credentialsSealed)
    const reading = readValue(connector.credentials, JSON.parse(stored.reveal()))
    const address = reading.ok ? reading.value.base_url : undefined
    if (reading.ok) return connector.id === 'sandbox' && address !== undefined ? { sandbox: address } : {}
    const faults = reading.faults.map(({ path, text }) => `${path}: ${text}`).join(' ')
    return {
      fault: problem('mids', `The credentials of ${mid.name} are not valid for its connector: ${faults}`, anew),
    }
  } catch (error) {
    if (!(error instanceof VaultError || error instanceof SyntaxError)) throw error
    return { fault: problem('mids', `The credentials of ${mid.name} cannot be decrypted.`, anew) }
  }
}

async function checkSandbox(url: string, { instanceMode }: Config, pool: Pool): Promise<Finding> {
  if (!(await isSandboxAnswering(url))) {
    return warning(
      'sandbox',
      `The sandbox acquirer at ${url} does not answer.`,
      'Start the service with "npm start"; it also starts the sandbox.',
    )
  }
  const ours = instanceMode === 'sandbox' ? await instanceStore(pool).readClockOffsetMs() : 0
  const { offsetMs } = await moveSandboxClock(url)
  if (offsetMs === ours) return ok('sandbox', `The sandbox acquirer at ${url} answers and its clock agrees.`)
  return warning(
    'sandbox',
    `The sandbox acquirer at ${url} is ${(offsetMs - ours) / 1000} s ahead of the instance.`,
    'Move the clock only with "gatehouse clock advance", which moves both.',
  )
}
