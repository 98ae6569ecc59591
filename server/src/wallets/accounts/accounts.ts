/**
 * The wallets of merchants as payments see them. A record is read and its keys are opened when first needed, and cached until the
 * configuration changes. What depends on the time (expired certificates, retiring keys) is decided at every access.
 */
import { limits } from '#domain/limits.ts'
import { type Mode, publicIdOf } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Alerts, Clock, Configuration, Ids, Log, WalletAccount, WalletAccounts } from '../../contracts/ports.ts'
import type { WalletKeyRecord, WalletRecordKey, WalletSettings } from '../../contracts/wallet-records.ts'
import type { Pool } from '../../store/database/pool.ts'
import { walletAlertStore } from '../../store/wallets/wallet-alerts.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { walletWatchStore } from '../../store/wallets/wallet-watches.ts'
import type { Vault } from '../../vault/port.ts'
import { gatewayRecipient, merchantRecipient, type Recipients } from '../tokens/formats/wallet-b-signature.ts'
import type { AuthMethod } from '../tokens/opened-token.ts'
import { type ActiveKey, usableKeys } from '../tokens/processing-key.ts'
import type { WalletAnchors } from './anchors.ts'
import { openKey } from './opened-keys.ts'
import { promoteKey } from './rotation.ts'
import { takesPayments, walletState } from './state.ts'
import { raiseWalletAlert } from './wallet-alert.ts'
import type { WalletMail } from './wallet-mail.ts'

export interface AccountOptions {
  readonly pool: Pool
  readonly vault: Vault
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly alerts: Alerts
  readonly mail: WalletMail
  readonly configuration: Pick<Configuration, 'merchant'> & {
    /** Changes with every reload. */
    readonly version: number
  }
  readonly anchors: WalletAnchors
  readonly terms: {
    readonly deniedSerials: ReadonlySet<string>
    readonly lifetimeSeconds: number
    /** This instance's name at wallet B's provider. */
    readonly gateway: string
  }
}

export function walletAccounts(options: AccountOptions): WalletAccounts {
  const { pool, clock, configuration, anchors } = options
  let cache: Cache | null = null

  const findHeldRecords = async (recordKey: WalletRecordKey): Promise<AccountRecords | null> => {
    if (cache === null || cache.version !== configuration.version)
      cache = { version: configuration.version, held: new Map(), reread: anchors.reread() }
    const { held, reread } = cache
    await reread
    const name = `${recordKey.merchantId} ${recordKey.mode} ${recordKey.wallet}`
    const known = held.get(name)
    if (known) return known
    const reading = readHeld(options, recordKey)
    held.set(name, reading)
    // A failed read of the database or the vault must not be cached.
    reading.catch(() => held.delete(name))
    return reading
  }

  const find: WalletAccounts['find'] = async (merchantId, mode, wallet) => {
    const held = await findHeldRecords({ merchantId, mode, wallet })
    return held === null ? null : openAccount(options, held)
  }
  const channels = { ...options, walletAlerts: walletAlertStore(pool) }

  return {
    find,
    recordOpened: async ({ keys, ...account }, fingerprint) => {
      if (!keys.some(({ key, state }) => state === 'next' && key.fingerprint === fingerprint)) return
      const held = await findHeldRecords(recordKeyOf(account))
      if (held) await promoteKey(options, held.owner, fingerprint, { byUser: 'the first token of the key' })
    },
    recordUnmatched: async (account) => {
      const recordKey = recordKeyOf(account)
      const count = await walletWatchStore(pool).countUnmatched(recordKey, clock.now())
      if (count < limits.wallet.unmatchedAlert) return
      const text = `${count} tokens within an hour were encrypted for a processing key that is not active here.`
      await raiseWalletAlert(channels, { ...recordKey, kind: 'processing key mismatch', subject: '', text })
    },
    recordSandboxToken: async (account, orderId) => {
      const text = `A ${account.wallet} token of a sandbox was sent for order ${orderId}.`
      await raiseWalletAlert(channels, { ...recordKeyOf(account), kind: 'sandbox token on live', subject: '', text })
    },
    recordUnknownRoot: async (account) => {
      if (account.wallet !== 'walletbpay') return null
      await anchors.askAgain(account.trust.source)
      const fresh = await find(account.merchantId, account.mode, account.wallet)
      return fresh === null || fresh.trust === account.trust ? null : fresh
    },
  }
}

interface Cache {
  readonly version: number
  readonly held: Map<string, Promise<AccountRecords | null>>
  readonly reread: Promise<void>
}

/** What only a change of configuration can change. */
interface AccountRecords {
  readonly settings: WalletSettings
  readonly platform: WalletSettings | null
  readonly owner: WalletSettings
  readonly records: readonly WalletKeyRecord[]
  readonly keys: readonly ActiveKey[]
}

async function readHeld({ pool, vault }: AccountOptions, recordKey: WalletRecordKey): Promise<AccountRecords | null> {
  const store = walletSettingsStore(pool)
  const settings = await store.find(recordKey)
  if (settings === null) return null
  const platform = settings.setup === 'platform' ? await store.find(platformRecordKey(recordKey.wallet)) : null
  // Platform settings without the operator's record are a draft and have no keys.
  const owner = platform ?? settings
  const records = await walletKeyStore(pool).list(owner)
  const keys = await Promise.all(
    records.filter(({ role }) => role === 'processing').map((record) => openKey(vault, record)),
  )
  return { settings, platform, owner, records, keys: keys.filter((key) => key !== null) }
}

async function openAccount(options: AccountOptions, held: AccountRecords): Promise<WalletAccount | null> {
  const { anchors, clock, terms } = options
  const { settings, platform, owner, records } = held
  const { merchantId, mode, trustSource } = settings
  const now = clock.now()
  const { state } = walletState({ settings, platform, keys: records, domains: [], now })
  const facts = {
    merchantId,
    mode,
    usable: takesPayments(state),
    keys: usableKeys(held.keys, now),
    sandbox: trustSource === 'sandbox authority',
  }
  if (settings.wallet === 'walletbpay') {
    const trust = await anchors.readWalletB(trustSource, settings.fields.environment ?? environmentOf(mode))
    const authMethods = settings.fields.authMethods ?? bothMethods
    return trust && { ...facts, wallet: 'walletbpay', trust, recipients: recipientsOf(options, settings), authMethods }
  }
  const trust = await anchors.readWalletA(trustSource)
  const merchantIdentifier = owner.fields.merchantIdentifier ?? null
  const { deniedSerials, lifetimeSeconds } = terms
  return trust && { ...facts, wallet: 'walletapay', merchantIdentifier, trust, deniedSerials, lifetimeSeconds }
}

const bothMethods: readonly AuthMethod[] = ['PAN_ONLY', 'CRYPTOGRAM_3DS']

export const environmentOf = (mode: Mode): 'PRODUCTION' | 'TEST' => (mode === 'live' ? 'PRODUCTION' : 'TEST')

function recipientsOf(
  { configuration, terms }: AccountOptions,
  { merchantId, mode, fields }: WalletSettings,
): Recipients {
  const merchant = configuration.merchant(merchantId)
  const ownKey = mode === 'live' ? merchant?.key : merchant?.testKey
  const name = fields.gateway ?? terms.gateway
  const gateway =
    fields.gatewayMerchantId === undefined
      ? gatewayRecipient(name, publicIdOf({ id: merchantId }, mode), ownKey)
      : gatewayRecipient(name, fields.gatewayMerchantId)
  const { merchantIdentifier } = fields
  return { gateway, merchant: merchantIdentifier === undefined ? null : merchantRecipient(merchantIdentifier) }
}

const recordKeyOf = ({
  merchantId,
  mode,
  wallet,
}: {
  merchantId: string
  mode: Mode
  wallet: Wallet
}): WalletRecordKey => ({
  merchantId,
  mode,
  wallet,
})
