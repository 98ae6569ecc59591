/** "Enable wallet for testing": sets up a wallet for one merchant and mode, with keys, certificates and a domain. Chapter 40 §20.1. */

import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { KeyRole, WalletRecordKey, WalletSettings } from '../../contracts/wallet-records.ts'
import type { SetupContext } from '../../setup/context.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { keyField } from '../accounts/opened-keys.ts'
import { generateWalletKey, oneLineOf } from '../tokens/certificate-request.ts'
import type { WalletKey } from '../tokens/processing-key.ts'
import { faultText, type WalletSetupContext } from './context.ts'
import { addDomains } from './wallet-domains.ts'
import { saveWallet, type WalletEntry } from './wallets.ts'

export interface TestingSetup {
  readonly merchantId: string
  /** The short name, from which the Merchant Identifier is derived, and the title that the payer reads. */
  readonly name: string
  readonly title: string
  readonly mode: Mode
  readonly wallet: Wallet
  /** False omits the processing key: the wallet runs in virtual flow. */
  readonly decrypts: boolean
  /** The type of wallet A's processing key; EC by default. */
  readonly keyType?: KeyType
}

/** The sandbox did not answer, or not with a certificate. The message continues a sentence about it; `remedy` is what to do. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable'
  readonly remedy: string

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.remedy = remedy
  }
}

/** The settings that the merchant already has do not allow it; the message says which. */
export class WalletNotEnabled extends Error {
  override readonly name = 'WalletNotEnabled'
}

const answerWithinMs = 5_000

/** Existing keys stay, so it may be called twice. */
export async function enableForTesting(
  context: SetupContext,
  wishes: TestingSetup,
  sandboxUrl: string,
): Promise<WalletSettings> {
  return saveForTesting(context, wishes, await createTestingEntry(context, wishes, sandboxUrl))
}

/** The entry to save, with certificates requested from the sandbox; call it outside of any transaction. */
export async function createTestingEntry(
  { pool }: Pick<SetupContext, 'pool'>,
  wishes: TestingSetup,
  sandboxUrl: string,
): Promise<WalletEntry> {
  const { merchantId, mode, wallet } = wishes
  const keys = await walletKeyStore(pool).list({ merchantId, mode, wallet })
  const present = new Set(keys.map(({ role, state }) => `${role} ${state}`))
  const lacks = (role: KeyRole): boolean => !present.has(`${role} current`)
  return wallet === 'walletapay'
    ? createWalletAEntry(wishes, lacks, sandboxUrl)
    : walletBEntry(wishes, lacks('processing'))
}

export async function saveForTesting(
  context: SetupContext,
  wishes: TestingSetup,
  entry: WalletEntry,
): Promise<WalletSettings> {
  const testing: WalletSetupContext = {
    ...context,
    instanceMode: 'sandbox',
    trustSource: 'sandbox authority',
    byUser: 'enabled for testing',
  }
  const { merchantId, mode, wallet } = wishes
  const recordKey: WalletRecordKey = { merchantId, mode, wallet }
  const saved = await saveWallet(testing, recordKey, entry)
  if (!saved.ok) throw new WalletNotEnabled(saved.faults.map(faultText).join(' '))
  if (wallet === 'walletapay')
    await addDomains(testing, { merchantId, wallet }, 'localhost', { purpose: 'test', controlledBy: 'operator' })
  return saved.value
}

async function createWalletAEntry(
  { name, title, mode, decrypts, keyType = 'EC' }: TestingSetup,
  lacks: (role: KeyRole) => boolean,
  sandboxUrl: string,
): Promise<WalletEntry> {
  const merchantIdentifier = `merchant.sandbox.${name}.${mode}`
  const [identity, processing] = await Promise.all([
    lacks('identity')
      ? createCertifiedKey(sandboxUrl, newKey('walletapay', 'identity'), 'identity', merchantIdentifier)
      : null,
    decrypts && lacks('processing')
      ? createCertifiedKey(sandboxUrl, newKey('walletapay', 'processing', keyType), 'processing', merchantIdentifier)
      : null,
  ])
  return {
    enabled: true,
    trustSource: 'sandbox authority',
    merchantIdentifier,
    country: 'US',
    shopName: shopName(title),
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa', 'masterCard', 'amex'],
    ...(identity && { privateKey: identity.text, certificate: identity.certificate }),
    ...(processing && { processingPrivateKey: processing.text, processingCertificate: processing.certificate }),
  }
}

function walletBEntry({ title, mode, decrypts }: TestingSetup, lacksKey: boolean): WalletEntry {
  return {
    enabled: true,
    trustSource: 'sandbox authority',
    environment: mode === 'live' ? 'PRODUCTION' : 'TEST',
    country: 'US',
    shopName: shopName(title),
    authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
    supportedNetworks: ['VISA', 'MASTERCARD', 'AMEX'],
    ...(decrypts && lacksKey ? { privateKey: oneLineOf(newKey('walletbpay', 'processing').privateKey) } : {}),
  }
}

const shopName = (title: string): string => title.slice(0, 64)

type KeyType = WalletKey['type']

const newKey = (wallet: Wallet, role: KeyRole, type: KeyType = 'EC'): WalletKey =>
  generateWalletKey(type, keyField(wallet, role))

const issuedCertificate = z.object({ certificate_pem: z.string() })

async function createCertifiedKey(
  sandboxUrl: string,
  key: WalletKey,
  kind: KeyRole,
  merchantIdentifier: string,
): Promise<{ readonly text: string; readonly certificate: string }> {
  const body = { kind, merchant_identifier: merchantIdentifier, spki: key.spki.toString('base64') }
  return { text: oneLineOf(key.privateKey), certificate: await requestCertificate(sandboxUrl, body) }
}

async function requestCertificate(sandboxUrl: string, body: object): Promise<string> {
  const [status, text] = await postJson(`${sandboxUrl}/wallet/certificates`, body)
  const isOther = `Another program may use ${sandboxUrl}: check SANDBOX_URL, and start the service with "npm start".`
  if (status !== 200) throw new SandboxUnavailable(`it answered ${status}`, isOther)
  try {
    return issuedCertificate.parse(JSON.parse(text)).certificate_pem
  } catch (error) {
    throw new SandboxUnavailable('its answer cannot be read', isOther, { cause: error })
  }
}

async function postJson(url: string, body: object): Promise<readonly [status: number, text: string]> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    return [reply.status, await reply.text()]
  } catch (error) {
    const remedy = 'Start the service with "npm start"; it also starts the sandbox.'
    throw new SandboxUnavailable('it does not answer', remedy, { cause: error })
  }
}
