/** Finds out who sent a received callback and verifies it, with the secrets of an instance or with those on the command line. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '#server/contracts/ports.ts'
import { machineTime } from '#server/process/clock.ts'
import { type LoadedConfiguration, loadConfiguration } from '#server/store/configuration/configuration.ts'
import { type MerchantRow, merchantStore } from '#server/store/configuration/merchants.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import type { Instance } from '../kit/instance.ts'
import { requireMerchant } from '../kit/named.ts'
import { type CallbackBody, fieldOf, readBody } from './callback-body.ts'
import { checkHash, checkSignature, type KnownPayment, type SignatureHeaders, type Verdict } from './callback-check.ts'
import { digests, findKnownPayment, type OpenedSecrets, openSecrets } from './merchant-keys.ts'

export interface ReceivedCallback {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Null if the check could not be made because the password or secret is unknown. */
export interface Checks {
  readonly at: Date
  readonly merchant: string | null
  readonly content: CallbackBody | null
  readonly hash: Verdict | null
  readonly signature: Verdict | null
}

export interface Examiner {
  examine(received: ReceivedCallback): Promise<Checks>
}

/** Reads merchants and secrets anew for each callback, because they may change while the command listens. */
export async function createExaminer(instance: Instance, merchant: string | null): Promise<Examiner> {
  const { pool, vault, log, clock, config } = instance
  if (merchant !== null) await requireMerchant(pool, merchant)
  const configuration = await loadConfiguration(pool, vault, log)

  return {
    async examine(received) {
      await configuration.refresh()
      if (config.instanceMode === 'sandbox') clock.moveTo(await instanceStore(pool).readClockOffsetMs())
      const rows = merchant === null ? await merchantStore(pool).list() : [await requireMerchant(pool, merchant)]
      const candidates = await Promise.all(rows.map((row) => openCandidate(configuration, clock, row)))

      const content = readBody(received.body)
      const sender = await findSender(instance, candidates, received, content)
      const suspects = sender ? [sender.candidate] : candidates
      return {
        at: clock.now(),
        merchant: sender?.candidate.name ?? null,
        content,
        hash: hashOf(
          content,
          sender?.payment ?? {},
          suspects.flatMap(({ secrets }) => secrets.passwords),
        ),
        signature: newSignature(
          received,
          suspects.flatMap(({ secrets }) => secrets.webhookSecrets),
          machineTime(clock),
        ),
      }
    },
  }
}

export function secretsExaminer(
  secrets: { readonly password: string | null; readonly secret: string | null },
  clock: Clock,
): Examiner {
  return {
    examine: async (received) => {
      const content = readBody(received.body)
      return {
        at: clock.now(),
        merchant: null,
        content,
        hash: secrets.password === null ? null : hashOf(content, {}, [secrets.password]),
        signature: secrets.secret === null ? null : newSignature(received, [secrets.secret], clock),
      }
    },
  }
}

interface Candidate {
  readonly id: string
  readonly name: string
  readonly secrets: OpenedSecrets
}

async function openCandidate(
  configuration: LoadedConfiguration,
  clock: Clock,
  { id, name }: MerchantRow,
): Promise<Candidate> {
  return { id, name, secrets: await openSecrets(configuration, clock, id) }
}

/** The merchant whose secret signed the callback, or else the merchant of the payment it reports. */
async function findSender(
  instance: Instance,
  candidates: readonly Candidate[],
  received: ReceivedCallback,
  content: CallbackBody | null,
): Promise<{ readonly candidate: Candidate; readonly payment: KnownPayment } | null> {
  const signer = candidates.find(({ secrets }) => hasSigned(secrets, received))
  const paymentId = content ? (fieldOf(content.fields, 'trans_id') ?? fieldOf(content.fields, 'id')) : undefined
  for (const candidate of signer ? [signer] : candidates) {
    const payment = await findKnownPayment(instance, candidate.id, paymentId)
    if (payment) return { candidate, payment }
  }
  return signer ? { candidate: signer, payment: {} } : null
}

/** Ignores the age: an old signature still identifies the merchant. */
function hasSigned({ webhookSecrets }: OpenedSecrets, { headers, body }: ReceivedCallback): boolean {
  const always = { nowSeconds: 0, toleranceSeconds: Number.POSITIVE_INFINITY }
  return checkSignature(signatureHeaders(headers), body, { secrets: webhookSecrets, ...always }).good
}

const toleranceSeconds = 300

function newSignature({ headers, body }: ReceivedCallback, secrets: readonly string[], clock: Clock): Verdict {
  const nowSeconds = clock.now().getTime() / 1000
  return checkSignature(signatureHeaders(headers), body, { secrets, nowSeconds, toleranceSeconds })
}

function hashOf(content: CallbackBody | null, payment: KnownPayment, passwords: readonly string[]): Verdict {
  if (!content) return { good: false, why: 'the body cannot be read' }
  return checkHash(content.fields, payment, { passwords, digests })
}

function signatureHeaders(headers: IncomingHttpHeaders): SignatureHeaders {
  const one = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  return { id: one('webhook-id'), timestamp: one('webhook-timestamp'), signature: one('webhook-signature') }
}
