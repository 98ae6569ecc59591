/** Makes an event as a merchant of this instance, with the merchant's own key and password. */
import { type EventName, type EventSender, makeEvent } from '../../../client/typescript/cli/sandbox-events.ts'
import { Gatehouse, RefusedError } from '../../../client/typescript/src/index.ts'
import { CommandError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { findGatewayUrl } from '../../kit/gateway.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { readKeysOfMerchant } from '../../signing/merchant-keys.ts'

interface EventOptions {
  readonly merchant: string
  readonly mode: 'live' | 'test'
  readonly to: string | null
}

export async function triggerEvent(
  context: CommandContext,
  name: EventName,
  { merchant, mode, to }: EventOptions,
): Promise<Readonly<Record<string, string>>> {
  await using instance = await openInstance(context)
  const { key: liveKey, testKey } = await requireMerchant(instance.pool, merchant)
  const { passwords, digest } = await readKeysOfMerchant(instance, merchant, {}, 'S2S_CARD')
  const baseUrl = await findGatewayUrl(instance.config)
  const key = mode === 'live' ? liveKey : testKey
  const gatehouse = new Gatehouse({ baseUrl, key, password: passwords[0] ?? '', digest: digest ?? 'md5', retries: 0 })
  const order = { order_id: `EVENT-${instance.ids.random(4)}`, ...(to !== null && { callback_url: to }) }
  return await explainRefusal({ gatehouse, baseUrl, key }, name, order)
}

async function explainRefusal(
  sender: EventSender,
  name: EventName,
  order: Parameters<typeof makeEvent>[2],
): Promise<Readonly<Record<string, string>>> {
  try {
    return await makeEvent(sender, name, order)
  } catch (error) {
    if (error instanceof RefusedError)
      throw new CommandError(`The service refused: ${error.message}`, 'Check the merchant’s MIDs and mappings.')
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`The service at ${sender.baseUrl}: ${reason}`, 'Start it with "npm start".')
  }
}
