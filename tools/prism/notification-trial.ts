/** The column `report` of `npm run test:prism`: a signed notification is taken, and a forged one is refused by us and by the package. */
import type { NotificationReading } from '#server/connectors/notification.ts'
import { configOf, formName } from '#server/connectors/prism/credentials.ts'
import { signedReports } from '#server/connectors/prism/notifications/signatures.ts'
import { acquirerRows } from '#server/connectors/prism/table/acquirers.ts'
import type { AcquirerRow } from '#server/connectors/prism/table/row.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { createWires } from '#server/connectors/wire.ts'
import { type SignedNotification, signedNotifications } from './notification-samples.ts'
import { sampleText } from './samples.ts'

const secret = '0123456789abcdef0123456789abcdef'
const references = { theirs: '40012345678', ours: '0199a1b2c3d47e5f8a6b000000000001' }
const receivedAt = new Date('2026-03-01T12:01:00Z')

interface SampleReport extends SignedNotification {
  readonly connector: string
  readonly credentials: Readonly<Record<string, string>>
  /** Whom it must be found to be about. */
  readonly names: { readonly transactionId: string | null; readonly acquirerReference: string | null }
}

export const sampleReports = (): readonly SampleReport[] => acquirerRows.flatMap((row) => sampleReport(row) ?? [])

function sampleReport(row: AcquirerRow): SampleReport | null {
  const signed = signedReports[row.name]
  const sign = signedNotifications[row.name]
  if (!signed || !sign) return null
  const own = Object.fromEntries(row.fields.map((one) => [formName(one), sampleText(one.name, row.name)]))
  const { repeats, ...notification } = sign(secret, references)
  return {
    connector: `prism-${row.name.toLowerCase()}`,
    credentials: { ...own, [signed.secret]: secret },
    ...notification,
    names: {
      transactionId: repeats.includes('ours') ? '0199a1b2-c3d4-7e5f-8a6b-000000000001' : null,
      acquirerReference: repeats.includes('theirs') ? references.theirs : null,
    },
  }
}

export async function readSample(
  { connector, credentials, headers, body }: SampleReport,
  transformer: Transformer,
): Promise<NotificationReading | null> {
  const wires = createWires({
    clock: { now: () => receivedAt },
    prism: { ...transformer, close: () => undefined },
  })
  const account = connectorById(connector)?.open(credentials, wires, 'test')
  const reading = await account?.readNotification?.({ headers, query: {}, body: Buffer.from(body), receivedAt })
  await wires.close()
  return reading ?? null
}

/** Why the cell is red; null if it is not. */
export async function playReport(helper: Transformer, row: AcquirerRow): Promise<string | null> {
  const sample = sampleReport(row)
  if (!sample) return 'there is no sample'
  const reading = await readSample(sample, helper)
  const [event] = reading?.kind === 'verified' ? reading.events : []
  if (event?.kind !== 'reported') return `a signed notification is read as ${reading?.kind}`
  const { transactionId, acquirerReference } = event
  if (transactionId !== sample.names.transactionId || acquirerReference !== sample.names.acquirerReference)
    return `it is read as about ${transactionId} and ${acquirerReference}`
  for (const forged of [
    { ...sample, body: sample.body.replace('4', '5') },
    { ...sample, headers: {} },
  ])
    if ((await readSample(forged, helper))?.kind !== 'unverified') return 'a forged notification is taken'
  return (await isVerifiedByPackage(helper, row, sample)) ? 'the package takes another secret' : null
}

/** With another secret, past our own verification. */
async function isVerifiedByPackage(helper: Transformer, row: AcquirerRow, sample: SampleReport): Promise<boolean> {
  const result = await helper.readEvent({
    mode: 'test',
    config: configOf(row, sample.credentials, 'test'),
    request: {
      requestDetails: { headers: { ...sample.headers }, body: { $bytes: Buffer.from(sample.body).toString('base64') } },
      webhookSecrets: { secret: 'another-secret-of-thirty-two-cha' },
    },
  })
  return result.kind === 'done' && Reflect.get(Object(result.value), 'sourceVerified') === true
}
