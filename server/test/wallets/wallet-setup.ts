/** The context in which a test edits wallets: its own database, a settable clock, merchants, and certificates of the sample authority. */
import { createSecretKey, randomBytes } from 'node:crypto'
import type { Log } from '#server/contracts/ports.ts'
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { systemIds } from '#server/process/ids.ts'
import { createMerchant } from '#server/setup/merchants.ts'
import { alertStore } from '#server/store/instance/alerts.ts'
import { dataKeyRows } from '#server/store/instance/data-keys.ts'
import { walletAlertStore } from '#server/store/wallets/wallet-alerts.ts'
import { openVault } from '#server/vault/vault.ts'
import { noMail } from '#server/wallets/accounts/wallet-mail.ts'
import type { EntryResult, WalletSetupContext } from '#server/wallets/setup/context.ts'
import { faultText } from '#server/wallets/setup/context.ts'
import { oids } from '#server/wallets/tokens/asn1/oids.ts'
import { extension, leaf, pem, reissue } from '#server/wallets/tokens/testing/authority.ts'
import { utf8 } from '#server/wallets/tokens/testing/der.ts'
import { labelledKey, oneLineKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import { testDatabase } from '../database.ts'

export const merchantIdentifier = 'merchant.example.gatehouse'

export async function openWalletSetup(at = '2026-03-01T00:00:00Z') {
  const database = await testDatabase()
  const time = { now: new Date(at) }
  const clock = { now: () => time.now }
  // The clock stands still, and identifiers created at one moment have no order, so each gets its own tick.
  let tick = 0
  const ids = systemIds({ now: () => new Date(time.now.getTime() + tick++) })
  const ring = { current: 'k1', keys: new Map([['k1', createSecretKey(randomBytes(32))]]) }
  const vault = await openVault({ ring, keys: dataKeyRows(database.pool), clock })
  const context: WalletSetupContext = {
    pool: database.pool,
    vault,
    clock,
    ids,
    instanceMode: 'sandbox',
    trustSource: 'wallet maker',
    byUser: 'ann',
  }
  let merchantCount = 0
  return {
    context,
    pool: database.pool,
    clock,
    channels: {
      walletAlerts: walletAlertStore(database.pool),
      alerts: alertStore(database.pool, { clock, ids }),
      mail: noMail,
      clock,
      log: silentLog,
    },
    setTime: (to: string) => {
      time.now = new Date(to)
    },
    passDays: (days: number) => {
      time.now = new Date(time.now.getTime() + days * 86_400_000)
    },
    /** A merchant of its own, so that tests of one file do not affect each other. */
    place: async (over: Partial<WalletRecordKey> = {}): Promise<WalletRecordKey> => {
      merchantCount += 1
      const { merchant } = await createMerchant(context, {
        name: `shop-${merchantCount}`,
        title: `Shop ${merchantCount}`,
      })
      return { merchantId: merchant.id, mode: 'live', wallet: 'walletapay', ...over }
    },
    alerts: async (): Promise<readonly string[]> => {
      const { rows } = await database.pool.query<{ kind: string }>('select kind from alerts order by raised_at, id')
      return rows.map(({ kind }) => kind)
    },
    drop: () => database.drop(),
  }
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A private key in one line, and a certificate for it, for the merchant unless `over` changes it. */
export function pairOf(label: string, over: { until?: string; from?: string; identifier?: string } = {}) {
  const key = labelledKey(label)
  const { from = '2025-01-01T00:00:00Z', until = '2035-01-01T00:00:00Z', identifier = merchantIdentifier } = over
  const hash = sha256(identifier).toString('hex')
  const certificate = reissue(leaf, {
    key,
    from: new Date(from),
    until: new Date(until),
    extensions: [extension(oids.merchantIdentifier, utf8(hash))],
  })
  return {
    privateKey: oneLineKey(key),
    certificate: pem(certificate.der),
    fingerprint: sha256(key.spki).toString('hex'),
  }
}

/** What was entered; a refusal fails the test. */
export function requireEntered<T>(answer: EntryResult<T>): T {
  if (!answer.ok) throw new Error(answer.faults.map(faultText).join(' '))
  return answer.value
}

export const faultsOf = (answer: EntryResult<unknown>): readonly string[] =>
  answer.ok ? [] : answer.faults.map(faultText)
