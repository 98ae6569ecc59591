/** Makes each fault of a wallet B token, by the fault's name (Chapter 40 §19.2). */
import type { KeyPair } from '../key-pair.ts'
import type { Randomness } from '../randomness.ts'
import type { PlanB, TokenB } from './mint-b.ts'

interface BenchB {
  readonly now: Date
  readonly random: Randomness
  /** The root of the other environment, for the plan's version. */
  readonly otherRoot: KeyPair
}

/** A fault changes the plan from which the token is made, or the token itself. */
interface ChangeB {
  readonly plan?: (plan: PlanB, bench: BenchB) => PlanB
  readonly token?: (token: TokenB) => object
}

const plan = (change: NonNullable<ChangeB['plan']>): ChangeB => ({ plan: change })
const token = (change: NonNullable<ChangeB['token']>): ChangeB => ({ token: change })

// biome-ignore format: a table is read in columns.
export const faultsB: Readonly<Record<string, ChangeB>> = {
  'b-extra-member':         token((usual) => ({ ...usual, extra: '1' })),
  'b-no-intermediate':      token((usual) => Object.fromEntries(Object.entries(usual).filter(([name]) => name !== 'intermediateSigningKey'))),
  'b-signing-only':         token((usual) => ({ ...usual, protocolVersion: 'ECv2SigningOnly' })),
  'b-environment':          plan((usual, { otherRoot }) => ({ ...usual, root: otherRoot })),
  'b-signed-key-changed':   token((usual) => withIntermediate(usual, ({ signedKey, signatures }) => ({ signedKey: otherDigit(signedKey), signatures }))),
  'b-no-signatures':        token((usual) => withIntermediate(usual, ({ signedKey }) => ({ signedKey, signatures: [] }))),
  'b-intermediate-expired': plan((usual, { now }) => ({ ...usual, intermediateExpiresAt: secondBefore(now) })),
  'b-message-changed':      token((usual) => ({ ...usual, signedMessage: usual.signedMessage.replace('{', '{ ') })),
  'b-recipient':            plan((usual) => ({ ...usual, recipient: `${usual.recipient}-another` })),
  'b-sender':               plan((usual) => ({ ...usual, sender: 'Another' })),
  'b-wrong-key':            plan((usual, { random }) => ({ ...usual, recipientKey: random.key('a strange key') })),
  'b-tag-flip':             plan((usual) => ({ ...usual, message: (message) => ({ ...message, tag: flipBit(message.tag) }) })),
  'b-plain-not-json':       plan((usual) => ({ ...usual, plaintext: usual.plaintext.slice(0, -1) })),
  'b-expired':              plan((usual, { now }) => withPlaintext(usual, { messageExpiration: String(secondBefore(now).getTime()) })),
  'b-merchant':             plan((usual) => withPlaintext(usual, { gatewayMerchantId: 'another-merchant' })),
}

type Intermediate = NonNullable<TokenB['intermediateSigningKey']>

function withIntermediate(usual: TokenB, change: (usual: Intermediate) => Intermediate): object {
  const { intermediateSigningKey } = usual
  return intermediateSigningKey ? { ...usual, intermediateSigningKey: change(intermediateSigningKey) } : usual
}

/** The last digit belongs to the expiry. */
function otherDigit(signedKey: string): string {
  return signedKey.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
}

function flipBit(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes.toString('base64')
}

function withPlaintext(usual: PlanB, changes: Readonly<Record<string, string>>): PlanB {
  return { ...usual, plaintext: JSON.stringify({ ...JSON.parse(usual.plaintext), ...changes }) }
}

const secondBefore = (now: Date): Date => new Date(now.getTime() - 1000)
