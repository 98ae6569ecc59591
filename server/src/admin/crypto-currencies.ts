/** The operator's table of crypto currencies at the panel. Chapter 20 §2. */
import { changeCryptoCurrency } from '../administration/crypto-currencies.ts'
import { readBrandTerms } from '../store/brand-terms.ts'
import { AdminRefused } from './admin-refused.ts'
import type { AuditNote } from './audit.ts'
import type { Panel } from './panel.ts'

export interface CryptoCurrency {
  readonly code: string
  readonly decimals: number
}

export async function cryptoCurrencies({ pool }: Panel): Promise<readonly CryptoCurrency[]> {
  const { crypto } = await readBrandTerms(pool)
  return [...crypto]
    .map(([code, decimals]) => ({ code, decimals }))
    .toSorted((one, other) => one.code.localeCompare(other.code))
}

/** Null takes it out of the table. */
export async function setCryptoCurrency(
  panel: Panel,
  code: string,
  decimals: number | null,
): Promise<{ readonly currencies: readonly CryptoCurrency[]; readonly audit: AuditNote }> {
  const before = (await cryptoCurrencies(panel)).find((one) => one.code === code)?.decimals ?? null
  const change = await changeCryptoCurrency(panel, code, decimals)
  if ('faults' in change)
    throw new AdminRefused('invalid', { fields: change.faults.map((text) => ({ field: 'decimals', text })) })
  await panel.configuration.refresh()
  const audit = { action: 'crypto-currency.change', subject: `currency ${code}`, merchantId: null }
  return {
    currencies: await cryptoCurrencies(panel),
    audit: { ...audit, before: { decimals: before }, after: { decimals } },
  }
}
