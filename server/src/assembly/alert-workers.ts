/** Starts the workers that send alerts to their channels, and announce waiting approvals and deadlines of disputes by mail. */

import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import type { Alerts } from '../contracts/ports.ts'
import { runAlertAnnouncements } from '../due/alerts/announce-alerts.ts'
import { runAlertDelivery } from '../due/alerts/deliver-alerts.ts'
import { runMidCertificates } from '../due/alerts/mid-certificates.ts'
import { runInstanceWatch } from '../due/alerts/watch-instance.ts'
import { runDisputeDeadlines } from '../due/dispute-deadlines.ts'
import { type DueWork, runDueWork } from '../due/due-work.ts'
import { countVanishedStandbys } from '../health/vanished-standbys.ts'
import { listAddresses } from '../panel/access/recipients.ts'
import { announceApproval, listUnannouncedApprovals } from '../panel/approvals/approval-mail.ts'
import { machineTime } from '../process/clock.ts'
import { dueChannelStore, unannouncedAlerts } from '../store/alerts/alert-messages.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { disputeStore } from '../store/finance/disputes/disputes.ts'
import { findUnraisedTexts } from '../store/instance/alerts.ts'
import { readStandbyState } from '../store/instance/replication.ts'
import { PLATFORM_SCOPE, type Vault } from '../vault/port.ts'
import { openAlertSender } from './alert-sender.ts'
import type { ProcessContext } from './process-context.ts'

const approvalPollMs = 10_000

interface AlertParts {
  readonly holder: number
  readonly alerts: Alerts
  readonly configuration: Pick<LoadedConfiguration, 'mids' | 'midRow'>
  readonly panelUrl: () => string
}

export function startAlertWorkers(
  base: ProcessContext,
  { holder, alerts, configuration, panelUrl }: AlertParts,
): readonly DueWork[] {
  const { config, pool, vault, clock, ids, log } = base
  const sender = openAlertSender(base)
  return [
    runAlertAnnouncements({ alerts: unannouncedAlerts(pool), clock, ids, log }),
    runAlertDelivery({ channels: dueChannelStore(pool, { vault, ids, holder }), sender, panelUrl, clock, ids, log }),
    runInstanceWatch({
      readStandbys: countVanishedStandbys(() => readStandbyState(pool)),
      readDisk: () => readDisk(config.dataDir),
      machine: hostname(),
      alerts,
      ids,
      log,
    }),
    runMidCertificates({
      listMids: () => listClientCertificates(vault, configuration),
      findUnraised: (kind, texts) => findUnraisedTexts(pool, kind, texts),
      alerts,
      clock,
      ids,
      log,
    }),
    runDisputeDeadlines({
      deadlines: disputeStore(pool),
      alerts,
      listAnswerers: async (id) => (config.mail === null ? [] : listAddresses(base, 'payments.dispute', id)),
      panelUrl,
      clock,
      ids,
      log,
    }),
    ...(config.mail === null ? [] : [announceApprovals(base, panelUrl)]),
  ]
}

const certified = z.object({ client_certificate: z.string() })

/** Reads the client certificates of all enabled MIDs whose credentials have one, whatever their connector. */
async function listClientCertificates(vault: Vault, { mids, midRow }: AlertParts['configuration']) {
  return await Promise.all(
    mids().flatMap(({ id, name, enabled }) => {
      const row = enabled ? midRow(id) : null
      return row === null ? [] : [openCertificate(vault, name, row.credentialsSealed)]
    }),
  )
}

async function openCertificate(vault: Vault, name: string, sealed: Uint8Array) {
  const text = await vault.open(PLATFORM_SCOPE, 'credentials', sealed)
  const { data } = certified.safeParse(JSON.parse(text.reveal()))
  return { name, certificate: data?.client_certificate ?? null }
}

/** A process without a data folder of its own has nothing to watch. */
async function readDisk(folder: string): Promise<{ readonly free: number; readonly total: number }> {
  try {
    const { bavail, blocks } = await statfs(folder)
    return { free: bavail, total: blocks }
  } catch {
    return { free: 0, total: 0 }
  }
}

/** No lease: if two workers find the same request, only one of them marks it, and with it queues the mails. */
const announceApprovals = (base: ProcessContext, panelUrl: () => string): DueWork =>
  runDueWork({
    name: 'approval announcements',
    claim: (limit) => listUnannouncedApprovals(base, limit),
    run: (approval) => announceApproval({ ...base, machine: machineTime(base.clock) }, approval, panelUrl()),
    concurrency: 2,
    pollMs: approvalPollMs,
    ids: base.ids,
    log: base.log,
  })
