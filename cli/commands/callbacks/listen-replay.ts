/** The merchant's last callbacks once more, for a program under development that starts after the payments were made. */
import { callbackHeaders } from '#domain/signature/callback-headers.ts'
import { machineTime } from '#server/process/clock.ts'
import { listLoggedCallbacks } from '#server/store/callbacks/callback-log.ts'
import type { CommandContext } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import type { ReceivedCallback } from '../../signing/examiner.ts'
import { openSecrets, readConfiguration } from '../../signing/merchant-keys.ts'

/** In the order of writing, signed as a delivery at this moment. These deliveries are not recorded. */
export async function listLastCallbacks(
  context: CommandContext,
  merchant: string,
  count: number,
): Promise<readonly ReceivedCallback[]> {
  await using instance = await openInstance(context)
  const { id: merchantId } = await requireMerchant(instance.pool, merchant)
  const { webhookSecrets } = await openSecrets(await readConfiguration(instance), instance.clock, merchantId)
  const callbacks = await listLoggedCallbacks(instance.pool, { merchantId, limit: count })
  const at = machineTime(instance.clock).now()
  return callbacks.toReversed().map(({ id, sequence, contentType, body }) => ({
    path: '/',
    headers: { 'content-type': contentType, ...callbackHeaders({ id, sequence, body, secrets: webhookSecrets, at }) },
    body: Buffer.from(body),
  }))
}
