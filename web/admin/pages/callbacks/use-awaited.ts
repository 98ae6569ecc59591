/**
 * Polls callbacks that were sent again until the merchant has answered or it takes too long. It reads only their own payments, so a list
 * that was scrolled down stays as it is.
 */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Callback } from './callback-drawer.tsx'

const everyMs = 2000
const triesAtMost = 30
const paymentsAtOnce = 10

interface Awaited {
  /** The row as it was last read. */
  readonly newest: <Row extends Callback>(row: Row) => Row
  readonly wait: (sent: readonly Callback[]) => void
}

export function useAwaited(): Awaited {
  const fresh = useSignal<ReadonlyMap<string, Callback>>(new Map())
  const waiting = useSignal<readonly Callback[]>([])

  const read = async (signal: AbortSignal): Promise<void> => {
    const payments = new Map(waiting.value.map(({ paymentId, merchantId }) => [paymentId, merchantId]))
    for (const [paymentId, merchantId] of [...payments].slice(0, paymentsAtOnce)) {
      const request = { params: { merchantId }, query: { paymentId, limit: 100 }, signal }
      const result = await call('GET /merchants/:merchantId/callbacks', request).catch(() => null)
      if (result === null || signal.aborted) return
      if (result.ok)
        fresh.value = new Map([...fresh.value, ...result.value.callbacks.map((one) => [one.id, one] as const)])
    }
    const left = waiting.value.filter((one) => !isAnswered(one, fresh.value.get(one.id)))
    if (left.length < waiting.value.length) waiting.value = left
  }

  useEffect(() => {
    if (waiting.value.length === 0) return
    const cancellation = new AbortController()
    let tries = 0
    const timer = setInterval(() => {
      tries += 1
      if (tries >= triesAtMost) clearInterval(timer)
      if (document.visibilityState === 'visible') void read(cancellation.signal)
    }, everyMs)
    void read(cancellation.signal)
    return () => {
      cancellation.abort()
      clearInterval(timer)
    }
  }, [waiting.value])

  return {
    newest: <Row extends Callback>(row: Row): Row => ({ ...row, ...fresh.value.get(row.id) }),
    wait: (sent) => {
      waiting.value = [...waiting.value.filter((old) => sent.every(({ id }) => id !== old.id)), ...sent]
    },
  }
}

/**
 * A merchant that refused again has answered, too, although the callback is still due. The server reads attempts after states, so a callback
 * that is due with an acknowledged attempt was delivered in between: the next reading says so.
 */
export const isAnswered = (sent: Callback, now: Callback | undefined): boolean =>
  now !== undefined &&
  (now.state !== 'due' || now.attempts.slice(sent.attempts.length).some(({ acknowledged }) => !acknowledged))
