/** Where the panel's reports come from, in words. */
import type { DataSource, ReplicaFault } from '../../store/instance/read-source.ts'
import type { PanelContext } from '../panel-context.ts'

interface ReportSource {
  readonly source: 'primary' | 'replica'
  readonly secondsBehind: number | null
  /** Null if there is nothing to say: no replica is configured. */
  readonly sentence: string | null
}

export async function readReportSource({ reports }: PanelContext): Promise<ReportSource> {
  const state = await reports.readState()
  return state.source === 'replica'
    ? { source: 'replica', secondsBehind: state.secondsBehind, sentence: ageOf(state) }
    : { source: 'primary', secondsBehind: null, sentence: state.fault && sentenceOf(state.fault) }
}

function ageOf({ secondsBehind }: Extract<DataSource, { readonly source: 'replica' }>): string {
  const seconds = Math.ceil(secondsBehind)
  return seconds === 0
    ? 'These data come from the read replica and are current.'
    : `These data come from the read replica and are up to ${seconds} ${seconds === 1 ? 'second' : 'seconds'} old.`
}

const reasons: Readonly<Record<ReplicaFault, string>> = {
  unreachable: 'The read replica does not answer.',
  behind: 'The read replica is more than a minute behind.',
  'other database': 'DATABASE_READ_URL leads to another database.',
  'no standby': 'DATABASE_READ_URL leads to a server that is not a standby.',
}

const sentenceOf = (fault: ReplicaFault): string =>
  `${reasons[fault]} These data come from the primary database and are current.`
