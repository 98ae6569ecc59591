/** Mints one token per request, genuine unless a fault is requested (Chapter 40 §20). */
import { maskCard } from '#domain/card.ts'
import { exponentOf } from '#domain/money/money.ts'
import { numberOf } from '../cards.ts'
import type { Authority, WalletBSigners } from '../certificates/authority.ts'
import { defaultSignature } from '../certificates/cms.ts'
import { newRsaPair, sha256 } from '../key-pair.ts'
import { type Randomness, randomnessOf } from '../randomness.ts'
import type { BenchA } from './change-a.ts'
import { inEnvelope } from './envelope.ts'
import type { Wallet } from './faults.ts'
import { faultsA } from './faults-a.ts'
import { faultsB } from './faults-b.ts'
import { mintA, type PlanA, type PublicKey } from './mint-a.ts'
import { mintB, type PlanB, SENDER } from './mint-b.ts'
import { type MintRequest, versionsOf } from './mint-request.ts'
import { plaintextA, plaintextB } from './plaintext.ts'

interface MintedToken {
  /** The exact text to send. */
  readonly token: string
  /** Tokens to be sent before it. */
  readonly before: readonly string[]
  /** The id that the wallet's replay check uses, hexadecimal. */
  readonly tokenId: string
  readonly facts: Readonly<Record<string, string | null>>
}

/** A text is the reason why such a token cannot be minted. */
export async function mint(authority: Authority, request: MintRequest): Promise<MintedToken | string> {
  const random = randomnessOf(request.seed)
  const effective = request.fault?.fault === 'other-wallet' ? ofOtherWallet(request) : request
  const key = await keyOf(effective, random)
  if (typeof key === 'string') return key
  const mintToken = effective.wallet === 'walletapay' ? mintWalletA : mintWalletB
  return mintToken(authority, effective, key, random)
}

async function mintWalletA(
  authority: Authority,
  request: MintRequest,
  key: PublicKey,
  random: Randomness,
): Promise<MintedToken | string> {
  const { version, recipient, fault } = request
  if (fault?.fault === 'amount-major' && !hasDecimals(request)) {
    return 'fault: amount-major needs an amount that differs in major units.'
  }
  const now = authority.now()
  const chain = await authority.chain()
  const retired = recipient.keys.find(({ state, publicKey }) => state === 'retired' && fits(publicKey, version)) ?? null
  const bench = { chain, now, random, retired }
  const usual = planA(request, key, bench)
  const change = faultsA[fault?.fault ?? ''] ?? {}
  const plan = (await change.plan?.(usual, bench)) ?? usual
  const token = mintA(plan)
  const text = JSON.stringify(change.token?.(token, plan, bench) ?? token)
  return {
    token: change.text?.(text) ?? text,
    before: [],
    tokenId: plan.transactionId.toString('hex'),
    facts: {
      ...factsOf(request, plan.recipient),
      signed_at: plan.signature.signedAt.toISOString(),
      leaf_serial: plan.signature.signer.serial.toString(16),
    },
  }
}

function planA(request: MintRequest, key: PublicKey, { chain, now, random }: BenchA): PlanA {
  const { recipient, card, panType } = request
  const version = request.version === 'RSA_v1' ? 'RSA_v1' : 'EC_v1'
  const signer = version === 'RSA_v1' ? chain.leafRsa : chain.leafEc
  const network = card.network.charAt(0).toUpperCase() + card.network.slice(1)
  const certificates = [signer, chain.intermediate]
  return {
    version,
    plaintext: plaintextA(request, random),
    recipient: key,
    named: key,
    merchantIdentifier: recipient.merchantIdentifier,
    ephemeral: random.key('ephemeral key'),
    contentKey: random.bytes('content key', 16),
    iv: Buffer.alloc(16),
    transactionId: request.transactionId ?? random.bytes('transaction', 32),
    applicationData: request.applicationData === null ? null : sha256(request.applicationData),
    paymentMethod: { displayName: `${network} ${numberOf(card, panType).slice(-4)}`, network, type: 'debit' },
    signature: { ...defaultSignature, certificates, signer, signedAt: signingTime(request, now) },
  }
}

async function mintWalletB(
  authority: Authority,
  request: MintRequest,
  key: PublicKey,
  random: Randomness,
): Promise<MintedToken> {
  const { recipient, fault } = request
  const now = authority.now()
  const usual = planB(request, { key, signers: await authority.walletBSigners(recipient.environment), now, random })
  const others = (await authority.walletB())[recipient.environment === 'TEST' ? 'PRODUCTION' : 'TEST']
  const change = faultsB[fault?.fault ?? ''] ?? {}
  const plan = change.plan?.(usual, { now, random, otherRoot: others[usual.version] }) ?? usual
  const token = mintB(plan)
  const earlier = mintB({ ...usual, ephemeral: random.key('earlier ephemeral key') })
  const expiresAt = new Date(now.getTime() + request.expiresIn * 1000)
  return {
    token: inEnvelope(change.token?.(token) ?? token, request),
    before: fault?.run === 'before' ? [inEnvelope(earlier, request)] : [],
    tokenId: sha256(token.signedMessage).toString('hex'),
    facts: { ...factsOf(request, plan.recipientKey), expires_at: expiresAt.toISOString() },
  }
}

interface PlanParts {
  readonly key: PublicKey
  readonly signers: WalletBSigners
  readonly now: Date
  readonly random: Randomness
}

function planB(request: MintRequest, { key, signers, now, random }: PlanParts): PlanB {
  const { gateway, merchantIdentifier } = request.recipient
  const version = request.version === 'ECv1' ? 'ECv1' : 'ECv2'
  return {
    version,
    plaintext: plaintextB(request, random, now),
    recipientKey: key,
    // A merchant without a gateway is itself the recipient (Chapter 40 §12.2).
    recipient: gateway === '' ? `merchant:${merchantIdentifier}` : `gateway:${gateway}`,
    sender: SENDER,
    ephemeral: random.key('ephemeral key'),
    root: signers[version],
    intermediate: signers.intermediate,
    intermediateExpiresAt: new Date(now.getTime() + WEEK_MS),
    message: (message) => message,
  }
}

const WEEK_MS = 604_800_000

/**
 * Chapter 40 §19.2, 44 and 45; otherwise now. Signing times have a resolution of one second; they are rounded so that none is closer than
 * requested.
 */
function signingTime({ signedAt: wantedAt, fault }: MintRequest, now: Date): Date {
  const usual = fault?.fault === 'stale' ? -301 : fault?.fault === 'future' ? 301 : 0
  const seconds = now.getTime() / 1000 + (wantedAt ?? usual)
  return new Date((fault?.fault === 'future' ? Math.ceil(seconds) : Math.floor(seconds)) * 1000)
}

/** The key for which the token is encrypted. Without a current key the merchant's provider decrypts, so any key will do. */
async function keyOf({ recipient, key, version }: MintRequest, random: Randomness): Promise<PublicKey | string> {
  const named = recipient.keys.filter(({ state }) => state === key)
  const fitting = named.find(({ publicKey }) => fits(publicKey, version))
  if (fitting !== undefined) return fitting
  if (named.length > 0) return `key: The ${key} key does not fit ${version}.`
  if (key === 'next' || key === 'retiring') return `key: The recipient has no ${key} key.`
  return version === 'RSA_v1' ? newRsaPair() : random.key('a key of no merchant')
}

const fits = ({ asymmetricKeyType }: PublicKey['publicKey'], version: MintRequest['version']): boolean =>
  asymmetricKeyType === (version === 'RSA_v1' ? 'rsa' : 'ec')

/** A token of the other wallet with no other fault. */
function ofOtherWallet(request: MintRequest): MintRequest {
  const wallet: Wallet = request.wallet === 'walletapay' ? 'walletbpay' : 'walletapay'
  const order = request.order ?? { amountMinor: 100n, currency: 'USD' }
  return { ...request, wallet, version: versionsOf[wallet][0], order, key: 'unknown', fault: null }
}

function hasDecimals({ order }: MintRequest): boolean {
  return order !== null && order.amountMinor > 0n && exponentOf(order.currency) !== 0
}

function factsOf({ wallet, version, card, panType }: MintRequest, key: PublicKey): MintedToken['facts'] {
  const hash = sha256(key.spki)
  return {
    wallet,
    version,
    card_name: card.name,
    card: maskCard(numberOf(card, panType)),
    pan_type: panType === 'MPAN' ? 'DPAN' : panType,
    key_fingerprint: hash.toString('hex'),
    public_key_hash: hash.toString('base64'),
  }
}
