/**
 * The acquirer's side of the measurement, in a process of its own: in the merchant's, signing and sending would delay the payments whose time is
 * taken there. Notifications are signed before a round begins.
 */
import { once } from 'node:events'
import type { z } from 'zod'
import { adyenNotification } from '../../campaigns/stage/stand-ins/adyen-notification.ts'
import { closedLoop } from '../load.ts'
import { jobSchema, type Sent } from './job.ts'

while (process.connected) {
  const [job] = await once(process, 'message')
  await send(jobSchema.parse(job))
}

async function send(job: z.infer<typeof jobSchema>): Promise<void> {
  const { account: merchantAccount, hmacKey, references, first } = job
  const bodies = Array.from({ length: job.perSecond * job.seconds + job.connections }, (_, index) =>
    adyenNotification({
      merchantAccount,
      pspReference: `BENCH${first + index}`,
      merchantReference: references[index % references.length] ?? '',
      hmacKey,
    }),
  )
  process.send?.('ready')
  await once(process, 'message')
  const before = process.cpuUsage()
  let taken = 0
  const load = await closedLoop({ ...job, body: () => bodies[taken++] ?? '', expects: '[accepted]' })
  const { user, system } = process.cpuUsage(before)
  const sent: Sent = { ...load, latencies: [...load.latencies], cpuSeconds: (user + system) / 1e6 }
  process.send?.(sent)
}
