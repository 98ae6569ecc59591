/** Checks that the panel answers at its configured address, apart from payments and from merchants' scripts. */
import type { Config } from '#server/process/config.ts'
import { guardOrigins } from '#server/process/origin-guard.ts'
import { type Finding, ok, problem, problemOf } from './finding.ts'
import { examinePort, readRunningVersion } from './machine.ts'
import type { Reach } from './reach.ts'

const subject = 'panel'

export async function checkPanel(config: Config, reach: Reach): Promise<readonly Finding[]> {
  try {
    guardOrigins(config)
  } catch (error) {
    return [problemOf(subject, error)]
  }
  const { listener, shared, url } = config.admin
  if (listener === null && !shared) return [ok(subject, 'ADMIN_PORT is "none": this process does not serve the panel.')]
  const port = listener && (await examinePort(listener, subject, 'ADMIN_PORT'))
  const found = port === null ? [] : [port]
  if (port?.level === 'problem') return found
  if (url === null) return [...found, ok(subject, placeWithoutUrl(config))]
  if ((await readRunningVersion(listener ?? config)) === null)
    return [
      ...found,
      ok(subject, `The address will be ${url}. Run the doctor while the service is running to check it.`),
    ]
  return [...found, await checkReached(url, listener ?? config, reach)]
}

function placeWithoutUrl({ admin: { listener } }: Config): string {
  if (listener === null) return 'Served on the same port as payments (sandbox without ADMIN_PORT).'
  return `Available only on ${listener.host}:${listener.port}, for example through a tunnel. Set ADMIN_URL to give it a public address.`
}

async function checkReached(
  url: string,
  { host, port }: { readonly host: string; readonly port: number },
  reach: Reach,
): Promise<Finding> {
  const remedy = `Configure the proxy of ${url} to forward requests to ${host}:${port} with their Host header, or correct ADMIN_URL.`
  const page = await reach.ask(`${url}/admin`)
  if (!page.ok) return problem(subject, `The panel cannot be reached at ${url}: ${page.fault}.`, remedy)
  const session = await reach.ask(`${url}/admin/api/session`)
  const isPanel = page.status === 200 && session.ok && session.status === 401
  if (!isPanel) return problem(subject, `A different service answers at ${url} (${page.status}).`, remedy)
  return ok(subject, `Available at ${url}.`)
}
