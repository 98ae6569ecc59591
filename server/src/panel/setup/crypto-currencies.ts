/** The operator's table of crypto currencies at the panel. Chapter 20 §2. */

import type { SetupContext } from '../../setup/context.ts'
import { changeCryptoCurrency } from '../../setup/crypto-currencies.ts'
import { readBrandTerms } from '../../store/configuration/brand-terms.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

interface CryptoCurrency {
  readonly code: string
  readonly decimals: number
}

export async function listCryptoCurrencies({ pool }: Pick<SetupContext, 'pool'>): Promise<readonly CryptoCurrency[]> {
  const { crypto } = await readBrandTerms(pool)
  return [...crypto]
    .map(([code, decimals]) => ({ code, decimals }))
    .toSorted((one, other) => one.code.localeCompare(other.code))
}

export async function changeCrypto(context: PanelContext, code: string, decimals: number | null) {
  const changed = await saveCryptoCurrency(context, code, decimals)
  await context.configuration.refresh()
  return changed
}

/** Null removes it from the table. */
export async function saveCryptoCurrency(
  context: Pick<SetupContext, 'pool' | 'clock'>,
  code: string,
  decimals: number | null,
): Promise<{ readonly currencies: readonly CryptoCurrency[]; readonly audit: AuditNote }> {
  const before = (await listCryptoCurrencies(context)).find((one) => one.code === code)?.decimals ?? null
  const change = await changeCryptoCurrency(context, code, decimals)
  if (!change.ok)
    throw new AdminRefused('invalid', { fields: change.faults.map((text) => ({ field: 'decimals', text })) })
  const audit = { action: 'crypto-currency.change', subject: `currency ${code}`, merchantId: null }
  return {
    currencies: await listCryptoCurrencies(context),
    audit: { ...audit, before: { decimals: before }, after: { decimals } },
  }
}
