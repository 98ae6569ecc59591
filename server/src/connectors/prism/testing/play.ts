/** Plays one exchange of a fixture: the connector as it is registered, a fake acquirer on its wire, and a helper that is real or recorded. */
import type { Answer } from '../../connector.ts'
import { enquire, exchange as exchangeOf } from '../../exchange.ts'
import { connectorById } from '../../registry.ts'
import { followUpWith, orderWith, statusQueryWith } from '../../testing/contract-samples.ts'
import { FakeAcquirer } from '../../testing/fake-acquirer.ts'
import { createWires, type WireEntry } from '../../wire.ts'
import type { Transformer } from '../transformer/transformer.ts'
import { type PrismExchange, type PrismFixture, replyText } from './recorded.ts'

const clock = { now: () => new Date('2026-03-01T12:00:00Z') }

interface Played {
  readonly outcome: Answer
  readonly sent: readonly {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: string
  }[]
  readonly entries: readonly WireEntry[]
}

export async function playExchange(
  { connector: id, credentials }: Pick<PrismFixture, 'connector' | 'credentials'>,
  { operation, given, replies }: Pick<PrismExchange, 'operation' | 'given' | 'replies'>,
  transformer: Transformer,
): Promise<Played> {
  const connector = connectorById(id)
  if (!connector) throw new Error(`There is no connector ${id}.`)
  const fake = new FakeAcquirer()
  await fake.listen()
  const entries: WireEntry[] = []
  const wires = createWires({
    clock,
    connect: () => fake.connect,
    prism: transformer,
    onEntry: (entry) => entries.push(entry),
  })
  fake.answerInTurn(
    replies.map((reply) => ({
      status: reply.status,
      text: replyText(reply),
      type: reply.headers['content-type'] ?? 'text/plain',
    })),
  )
  try {
    const account = connector.open(credentials, wires, 'test')
    const raise = (fault: unknown): never => {
      throw fault
    }
    const outcome =
      operation === 'status'
        ? await enquire(() => account.status(statusQueryWith(given)), raise)
        : await exchangeOf(
            async () => {
              const answer =
                operation === 'sale' || operation === 'authorize'
                  ? account[operation]?.(orderWith(given))
                  : account[operation]?.(followUpWith(given))
              if (!answer) throw new Error(`${id} has no ${operation}.`)
              return answer
            },
            raise,
            () => undefined,
          )
    return { outcome, sent: fake.sent, entries }
  } finally {
    await wires.close()
    fake.close()
  }
}
