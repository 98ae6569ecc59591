/** How the doctor reaches an address from outside: through DNS, proxies and certificates, as a browser would. */
import { lookup } from 'node:dns/promises'
import { networkReason } from '../kit/network-reason.ts'

export interface Reach {
  isResolvable(host: string): Promise<boolean>
  /** The answer at an address, without following redirects. */
  ask(url: string): Promise<Reached>
}

export type Reached =
  | { readonly ok: true; readonly status: number; readonly body: string }
  | { readonly ok: false; readonly fault: string }

const answerWithinMs = 5_000

export const reach: Reach = {
  isResolvable: async (host) => {
    try {
      await lookup(host)
      return true
    } catch {
      return false
    }
  },
  ask: async (url) => {
    try {
      const reply = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs) })
      return { ok: true, status: reply.status, body: await reply.text() }
    } catch (error) {
      return { ok: false, fault: networkReason(error) }
    }
  },
}
