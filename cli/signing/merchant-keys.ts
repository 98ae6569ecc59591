/** The password, digest or secret with which a command signs and verifies: from the command line, or the merchant's own. */
import type { Protocol } from '#domain/merchant.ts'
import type { Digest } from '#domain/signature/signature.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import type { Clock, Configuration } from '#server/contracts/ports.ts'
import type { LoadedConfiguration } from '#server/store/configuration/configuration.ts'
import { UsageError } from '../kit/command-error.ts'
import type { CommandContext } from '../kit/context.ts'
import { type Instance, openInstance } from '../kit/instance.ts'
import { requireMerchant } from '../kit/named.ts'
import { text, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { readText } from '../kit/text-source.ts'
import type { KnownPayment } from './callback-check.ts'

export const digests: readonly Digest[] = ['md5', 'sha256']

export const keyOptions = {
  password: text('P', 'The password; @file reads it from a file.'),
  merchant: text('NAME', 'The password and digest of this merchant.'),
  digest: value('DIGEST', 'md5 or sha256.', readers.oneOf(digests)),
}

interface KeyOptions {
  readonly password?: string
  readonly merchant?: string
  readonly digest?: Digest
}

export interface Keys {
  /** The current one first. */
  readonly passwords: readonly string[]
  /** Null if neither the command line nor a merchant determines it. */
  readonly digest: Digest | null
}

export async function readKeys(context: CommandContext, options: KeyOptions, protocol: Protocol | null): Promise<Keys> {
  if (options.merchant === undefined) return readPasswordKeys(context, options)
  await using instance = await openInstance(context)
  return await readKeysOfMerchant(instance, options.merchant, options, protocol)
}

export async function readPasswordKeys(
  context: CommandContext,
  { password, merchant, digest }: KeyOptions,
): Promise<Keys> {
  if (password === undefined || merchant !== undefined) {
    throw new UsageError('Give --password or --merchant.', 'A merchant’s password is read from the instance.')
  }
  const secret = await readText(password, context)
  if (secret === '') throw new UsageError('The password is empty.', 'Give the merchant’s password.')
  return { passwords: [secret], digest: digest ?? null }
}

export async function readKeysOfMerchant(
  instance: Instance,
  name: string,
  { digest }: KeyOptions,
  protocol: Protocol | null,
): Promise<Keys> {
  const { id } = await requireMerchant(instance.pool, name)
  const configuration = await readConfiguration(instance)
  const { passwords } = await openSecrets(configuration, instance.clock, id)
  return { passwords, digest: digest ?? (protocol && (configuration.mapping(id, protocol)?.digest ?? null)) }
}

export async function readConfiguration({ pool, vault, log }: ProcessContext): Promise<LoadedConfiguration> {
  const { loadConfiguration } = await import('#server/store/configuration/configuration.ts')
  return loadConfiguration(pool, vault, log)
}

export interface OpenedSecrets {
  readonly passwords: readonly string[]
  readonly webhookSecrets: readonly string[]
}

/** After a rotation the old password also verifies until the overlap ends (Chapter 10 §4.3): earlier callbacks are signed with it. */
export async function openSecrets(configuration: Configuration, clock: Clock, id: string): Promise<OpenedSecrets> {
  const { password, previous, webhookSecrets } = await configuration.readSecrets(id)
  const overlaps = previous && previous.until > clock.now() ? [previous.password.reveal()] : []
  return {
    passwords: [password.reveal(), ...overlaps],
    webhookSecrets: webhookSecrets.map((secret) => secret.reveal()),
  }
}

/** The attributes of the payment that a callback reports, as the instance has them. */
export async function findKnownPayment(
  { pool }: Instance,
  merchantId: string,
  paymentId: string | undefined,
): Promise<KnownPayment | null> {
  if (paymentId === undefined || !readers.uuid(paymentId).ok) return null
  const { paymentStore } = await import('#server/store/payments/payments.ts')
  const payment = await paymentStore(pool).find(merchantId, paymentId)
  return payment && { email: payment.payerEmail ?? undefined, pan10: payment.pan10 ?? undefined }
}
