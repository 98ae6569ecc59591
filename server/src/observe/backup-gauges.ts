/** Gauges about backups: whether the archive of the database's log grows, and how old the newest backup of each kind is. */
import { Gauge, type Registry } from 'prom-client'
import type { LastKnown } from './last-known.ts'
import { gauge } from './number-gauge.ts'

export interface BackupSample {
  /** Null if the server does not archive its log. */
  readonly archive: { readonly failures: number; readonly secondsSince: number } | null
  /** The age of the newest backup of each kind; the age of a live instance that lacks one, null of a kind that it need not have and never had. */
  readonly newestAgeSeconds: Readonly<Record<'dump' | 'base', number | null>>
}

export function backupGauges(registry: Registry, figure: LastKnown<BackupSample>): void {
  const part = (pick: (sample: BackupSample) => number | null | undefined) => ({
    read: async () => {
      const sample = await figure.read()
      return sample === null ? null : (pick(sample) ?? null)
    },
  })
  gauge(
    registry,
    'gatehouse_archive_failures',
    'Failed attempts of the database server to archive its log; left out if it does not archive.',
    part(({ archive }) => archive?.failures),
  )
  gauge(
    registry,
    'gatehouse_archive_age_seconds',
    'Time since the database server archived a segment of its log; left out if it does not archive.',
    part(({ archive }) => archive?.secondsSince),
  )
  new Gauge({
    name: 'gatehouse_backup_age_seconds',
    help: 'Age of the newest backup of a kind that "gatehouse backup" made; of the instance, if a live one lacks it; left out of a sandbox without one.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      const ages = (await figure.read())?.newestAgeSeconds
      for (const kind of ['dump', 'base'] as const) {
        const age = ages?.[kind] ?? null
        if (age !== null) this.set({ kind }, age)
      }
    },
  })
}
