/** Counts refused wallet tokens while they are logged. */
import type { RefusedTokens } from '../contracts/ports.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'

/** The log for support, and the counts by check and merchant that alert the operator. Chapter 40 §15. */
export const countRefusals = (
  log: RefusedTokens,
  metrics: Metrics,
  configuration: LoadedConfiguration,
): RefusedTokens => ({
  add: async (refused) => {
    const { wallet, checks } = refused.record
    const check = checks.find(({ result }) => result === 'failed')?.id ?? 'none'
    metrics.refusedToken({ wallet, check, merchant: configuration.merchant(refused.merchantId)?.name ?? 'none' })
    await log.add(refused)
  },
})
