/** Every acquirer of the family through every flow that it claims, against a stub, with the real helper. Nothing leaves this machine. */

import type { AcquirerAccount, Answer, RegisteredConnector } from '#server/connectors/connector.ts'
import { enquire, exchange } from '#server/connectors/exchange.ts'
import { formName } from '#server/connectors/prism/credentials.ts'
import { acquirerRows } from '#server/connectors/prism/table/acquirers.ts'
import type { AcquirerRow } from '#server/connectors/prism/table/row.ts'
import type { PrismFlow } from '#server/connectors/prism/transformer/protocol.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { FakeAcquirer, type FakeReply } from '#server/connectors/testing/fake-acquirer.ts'
import { createWires } from '#server/connectors/wire.ts'
import { type FlowName, type FlowWay, flowNames, flowPlays } from './flow-plays.ts'
import { playReport } from './notification-trial.ts'
import { sampleAccessToken, sampleText } from './samples.ts'

export const columnNames = [...flowNames, 'report'] as const

export interface Cell {
  readonly flow: FlowName | 'report'
  /** `absent`: the acquirer does not claim it. */
  readonly result: 'passed' | 'absent' | 'failed'
  readonly reason: string
}

/** None of these may become an approval, and none but the error of the acquirer's own a decline. */
const replies: readonly (readonly [what: string, reply: FakeReply, allowed: readonly string[]])[] = [
  [
    'a generated decline',
    { status: 400, body: { error: { code: 'declined', message: 'Declined' } } },
    ['unknown', 'declined', 'not-executed', 'cannot-be-asked'],
  ],
  ['a 500', { status: 500, body: {} }, ['unknown', 'cannot-be-asked']],
  ['a page of a proxy', { status: 200, text: '<html>Welcome</html>' }, ['unknown', 'cannot-be-asked']],
  ['an empty object', { status: 200, body: {} }, ['unknown', 'cannot-be-asked']],
]

export async function playAcquirer(helper: Transformer, row: AcquirerRow): Promise<readonly Cell[]> {
  const connector = connectorById(`prism-${row.name.toLowerCase()}`)
  if (!connector) throw new Error(`${row.name} has no connector.`)
  const cells: Cell[] = []
  for (const flow of flowNames) cells.push(await playFlow(withPreparations(helper), connector, row, flow))
  return [...cells, await playNotification(helper, connector, row)]
}

async function playNotification(helper: Transformer, connector: RegisteredConnector, row: AcquirerRow): Promise<Cell> {
  if (!connector.operations.has('readNotification')) return { flow: 'report', result: 'absent', reason: '' }
  const reason = await playReport(helper, row)
  return { flow: 'report', result: reason === null ? 'passed' : 'failed', reason: reason ?? '' }
}

async function playFlow(
  helper: Transformer,
  connector: RegisteredConnector,
  row: AcquirerRow,
  flow: FlowName,
): Promise<Cell> {
  const { isClaimed, ways } = flowPlays[flow](row, connector)
  if (!isClaimed) return { flow, result: 'absent', reason: '' }
  for (const way of ways)
    for (const [what, reply, allowed] of replies) {
      const { sent, result, shown } = await playReply(helper, connector, row, { way, reply })
      if (shown !== undefined) return { flow, result: 'failed', reason: `a log shows ${shown}` }
      if (sent === 0) return { flow, result: 'failed', reason: 'nothing was sent' }
      if (!allowed.includes(result)) return { flow, result: 'failed', reason: `${what} is read as ${result}` }
    }
  return { flow, result: 'passed', reason: '' }
}

interface Play {
  readonly way: FlowWay
  readonly reply: FakeReply
}

async function playReply(helper: Transformer, connector: RegisteredConnector, row: AcquirerRow, { way, reply }: Play) {
  const fake = new FakeAcquirer()
  await fake.listen()
  const log: string[] = []
  const wires = createWires({
    clock: { now: () => new Date('2026-03-01T12:00:00Z') },
    connect: () => fake.connect,
    prism: helper,
    onEntry: (entry) => log.push(JSON.stringify(entry)),
  })
  try {
    fake.answer(reply)
    const credentials = Object.fromEntries(row.fields.map((one) => [formName(one), sampleText(one.name, row.name)]))
    const account = connector.open({ ...credentials, ...way.credentials }, wires, 'test')
    const fetchedFirst = row.before.filter((step) =>
      way.isPrepared ? step !== 'own-customer' : step === 'access-token',
    ).length
    for (const currency of ['EUR', 'USD', 'GBP', 'INR', 'BRL', 'CAD', 'SAR']) {
      const { result } = await callFlow(account, way, currency)
      const sent = fake.requests - fetchedFirst
      if (sent > 0) return { sent, result, shown: secretShown(row, log.join('\n')) }
    }
    return { sent: 0, result: 'not-executed', shown: undefined }
  } finally {
    await wires.close()
    fake.close()
  }
}

/** What of the card or of the account's keys stands in the log. Undefined if nothing does. */
function secretShown(row: AcquirerRow, log: string): string | undefined {
  const keys = row.fields.filter(({ name }) => /key|secret|pass|token|salt/i.test(name))
  const shown = keys.find(({ name }) => log.includes(sampleText(name, row.name).slice(0, 32)))
  return shown?.name ?? (log.includes('4111111111111111') ? 'the card number' : undefined)
}

async function callFlow(account: AcquirerAccount, { call }: FlowWay, currency: string): Promise<Answer> {
  const ignore = () => undefined
  const action = call(account, currency)
  if (action.kind === 'question') return enquire(action.ask, ignore)
  return exchange(
    async () => {
      const answer = action.send()
      if (!answer) throw new Error('It is not offered.')
      return answer
    },
    ignore,
    ignore,
  )
}

/** What is fetched before a charge: the stub does not know each acquirer's form of it, so that the answers are given here. */
const fetched: Partial<Readonly<Record<PrismFlow, unknown>>> = {
  create_server_authentication_token: {
    accessToken: { value: sampleAccessToken },
    tokenType: 'Bearer',
    expiresInSeconds: '3600',
  },
  create_server_session_authentication_token: { sessionToken: 'sample-session' },
  create_order: { connectorOrderId: 'sample-order' },
  customer_create: { connectorCustomerId: 'sample-customer' },
  tokenize: { paymentMethodToken: 'ct_sample_card_token' },
}

const withPreparations = (helper: Transformer): Transformer => ({
  ...helper,
  close: () => undefined,
  read: async (call, reply) => {
    const answer = fetched[call.flow]
    return answer === undefined ? helper.read(call, reply) : { kind: 'done', value: answer }
  },
})

export const playedRows = (names: readonly string[]): readonly AcquirerRow[] =>
  acquirerRows.filter(({ name }) => names.length === 0 || names.includes(name))
