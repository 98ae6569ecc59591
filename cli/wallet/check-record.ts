/** The record of a token's checks in words (Chapter 40 §15). It contains nothing of the card but its type and network. */
import type { CheckRecord } from '#server/wallets/tokens/opened-token.ts'
import { type CellValue, record, table } from '../kit/table.ts'

export function formatRecord(found: CheckRecord, more: readonly (readonly [string, CellValue])[] = []): string {
  const { wallet, version, flow, flowReason, trust, panType, numberKind, network, checks } = found
  const { source, environment, rootFingerprint } = trust
  const trusted = [source, ...(environment ? [environment] : []), `root ${rootFingerprint ?? 'unknown'}`].join(', ')
  const opened =
    panType === null ? [] : ([['number', [panType, numberKind, network].filter(isText).join(', ')]] as const)
  return [
    record([
      ...more,
      ['wallet', version === null ? wallet : `${wallet} ${version}`],
      ['flow', `${flow} (${flowReason})`],
      ['trust', trusted],
      ...opened,
    ]),
    table(
      ['check', 'name', 'result', 'detail'],
      checks.map(({ id, name, result, detail }) => [id, name, result, detail]),
    ),
  ].join('\n\n')
}

/** The check that decided, in short form for lists: `A11 time`. */
export function decidingCheck({ checks }: CheckRecord): string | null {
  const failed = checks.find(({ result }) => result === 'failed')
  return failed ? `${failed.id} ${failed.name}` : null
}

const isText = (value: string | null): value is string => value !== null
