/** The operator's table of crypto currencies at the panel. Chapter 20 §2. */
import { changeCryptoCurrency } from '../../setup/crypto-currencies.ts'
import type { Office } from '../../setup/merchants.ts'
import { readBrandTerms } from '../../store/configuration/brand-terms.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Panel } from '../panel.ts'

interface CryptoCurrency {
  readonly code: string
  readonly decimals: number
}

export async function cryptoCurrencies({ pool }: Pick<Office, 'pool'>): Promise<readonly CryptoCurrency[]> {
  const { crypto } = await readBrandTerms(pool)
  return [...crypto]
    .map(([code, decimals]) => ({ code, decimals }))
    .toSorted((one, other) => one.code.localeCompare(other.code))
}

export async function changeCrypto(panel: Panel, code: string, decimals: number | null) {
  const changed = await setCryptoCurrency(panel, code, decimals)
  await panel.configuration.refresh()
  return changed
}

/** Null removes it from the table. */
export async function setCryptoCurrency(
  desk: Pick<Office, 'pool' | 'clock'>,
  code: string,
  decimals: number | null,
): Promise<{ readonly currencies: readonly CryptoCurrency[]; readonly audit: AuditNote }> {
  const before = (await cryptoCurrencies(desk)).find((one) => one.code === code)?.decimals ?? null
  const change = await changeCryptoCurrency(desk, code, decimals)
  if ('faults' in change)
    throw new AdminRefused('invalid', { fields: change.faults.map((text) => ({ field: 'decimals', text })) })
  const audit = { action: 'crypto-currency.change', subject: `currency ${code}`, merchantId: null }
  return {
    currencies: await cryptoCurrencies(desk),
    audit: { ...audit, before: { decimals: before }, after: { decimals } },
  }
}
