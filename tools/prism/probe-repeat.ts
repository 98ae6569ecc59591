/** Whether the package charges without the payer: the first payment stores the card, and a later request names what came of it. */
import type { Order } from '#server/connectors/connector.ts'
import { repeatMessage } from '#server/connectors/prism/messages/repeat.ts'
import type { Prepared } from '#server/connectors/prism/prepared.ts'
import type { Mandate, RepeatCredential } from '#server/connectors/prism/stored-credential.ts'
import type { AcquirerTerms, Preparation, PrismAbility } from '#server/connectors/prism/table/row.ts'
import { type Build, chargeRequest, type SampleRequest } from './probe-charge.ts'
import { differs } from './request-difference.ts'

interface RepeatProbe {
  readonly name: string
  readonly before: readonly Preparation[]
  readonly order: Order
  readonly terms: AcquirerTerms
  /** An access token alone: nothing else is fetched before such a charge. */
  readonly prepared: Prepared
}

interface Repeats {
  readonly abilities: readonly PrismAbility[]
  /** The request whose amount is read back; null if there is none. */
  readonly requestOf: ((amountMinor: bigint) => SampleRequest) | null
}

export const noRepeats: Repeats = { abilities: [], requestOf: null }

/** Mandates have a form at some acquirers, of which the request shows the proof. */
const sampleMandates: Readonly<Record<string, readonly [mandate: string, proof: string]>> = {
  authorizedotnet: ['770011-880022', '880022'],
  paybox: ['SAMPLEMANDATE::0138', 'SAMPLEMANDATE'],
}

export const sampleNetworkTransactionId = '016153570198200'

/** What an acquirer could have stored; `proof` is what a request must show of it. */
export function sampleMandate(name: string): Mandate & { readonly proof: string } {
  const [mandate, proof] = sampleMandates[name] ?? ['sample-mandate', 'sample-mandate']
  const details = JSON.stringify({ initial_transaction_id: 'sample' })
  return { mandate, request: 'sample-request', details, customer: 'sample-customer', proof }
}

export const withoutPayer = (order: Order): Order => ({
  ...order,
  payerPresent: false,
  storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null },
})

export async function probeRepeats(build: Build, probe: RepeatProbe): Promise<Repeats> {
  const { name, order, terms, prepared } = probe
  const storing = await findStoring(build, probe)
  if (storing === null) return noRepeats
  const { proof, ...mandate } = sampleMandate(name)
  const credentials: readonly (readonly [PrismAbility, RepeatCredential, string])[] = [
    ['repeat-by-mandate', { kind: 'mandate', mandate }, proof],
    [
      'repeat-by-network',
      { kind: 'network', networkTransactionId: sampleNetworkTransactionId },
      sampleNetworkTransactionId,
    ],
  ]
  const later = withoutPayer(order)
  const requestWith = (credential: RepeatCredential, isCaptured: boolean, amountMinor = 1234n): SampleRequest => ({
    flow: 'charge',
    message: repeatMessage({ ...later, amountMinor }, credential, {
      isCaptured,
      prepared,
      terms,
      ...(storing === 'our-id' && { customerId: 'sample-customer' }),
    }),
  })
  const shown: (readonly [PrismAbility, RepeatCredential])[] = []
  for (const [ability, credential, wanted] of credentials)
    if (await shows(build, requestWith(credential, true), wanted)) shown.push([ability, credential])
  const [first] = shown
  if (!first) return noRepeats
  const [, credential] = first
  return {
    abilities: [
      ...shown.map(([ability]) => ability),
      ...((await differs(build, requestWith(credential, true), requestWith(credential, false)))
        ? (['repeat-hold'] as const)
        : []),
      ...(storing === 'our-id' ? (['stores-under-our-id'] as const) : []),
    ],
    requestOf: (amountMinor) => requestWith(credential, true, amountMinor),
  }
}

/** Null if the first payment cannot store the card. */
async function findStoring(build: Build, { before, order, terms }: RepeatProbe): Promise<'no-id' | 'our-id' | null> {
  const first = { ...order, recurringInit: true }
  if ((await build(chargeRequest(first, { before, terms }))).kind === 'done') return 'no-id'
  const withId = chargeRequest(first, { before, terms, customerId: 'sample-customer' })
  return (await build(withId)).kind === 'done' ? 'our-id' : null
}

async function shows(build: Build, request: SampleRequest, proof: string): Promise<boolean> {
  const built = await build(request)
  if (built.kind === 'refused') return false
  const text = `${built.value.url} ${built.value.body?.toString('utf8') ?? ''}`
  if (text.includes(proof)) return true
  return [...text.matchAll(/[A-Za-z0-9+/=_-]{24,}/g)].some(([part]) => Buffer.from(part, 'base64').includes(proof))
}
