/** Repeats every check that was made when the wallet settings were entered. Chapter 40 §4.2. */
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import type { WalletSetupContext } from '#server/wallets/setup/context.ts'
import { checkWallet } from '#server/wallets/setup/wallet-check.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'wallets'
const remedy =
  '"gatehouse wallet settings show MERCHANT" shows the settings, "gatehouse wallet check" checks them again.'

export async function checkWallets(setup: WalletSetupContext): Promise<readonly Finding[]> {
  const names = new Map((await merchantStore(setup.pool).list()).map(({ id, name }) => [id, name]))
  // Disabled wallets need no attention.
  const places = (await walletSettingsStore(setup.pool).list()).filter(({ enabled }) => enabled)
  const findings: Finding[] = []
  for (const recordKey of places) {
    const who = `${recordKey.wallet} of ${names.get(recordKey.merchantId) ?? 'the platform'} (${recordKey.mode})`
    for (const { level, text } of await checkWallet(setup, recordKey))
      findings.push((level === 'problem' ? problem : warning)(subject, `${who}: ${text}`, remedy))
  }
  if (findings.length > 0 || places.length === 0) return findings
  return [ok(subject, `${places.length} have no problems.`)]
}
