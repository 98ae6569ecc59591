/**
 * Who registers a merchant and its domains at the maker, in the platform setup: a person at the maker's portal, or on a sandbox
 * instance the simulated maker. Chapter 40 §2, through the platform, step 2.
 */
import { limits } from '#domain/limits.ts'

export interface Registration {
  /** What the merchant is to be known by. */
  readonly merchantIdentifier: string
  readonly displayName: string
  readonly country: string
  readonly domains: readonly string[]
  /** The operator's own identifier, by which sessions are asked for, and the domains of all merchants that are served through it. */
  readonly platform: { readonly merchantIdentifier: string; readonly domains: readonly string[] }
}

export interface Registrar {
  readonly name: 'manual' | 'sandbox'
  /** `by hand` leaves it to a person, who ticks it off. */
  register(registration: Registration): Promise<'registered' | 'by hand' | { readonly fault: string }>
}

export const manualRegistrar: Registrar = { name: 'manual', register: async () => 'by hand' }

export function sandboxRegistrar(sandboxUrl: string): Registrar {
  return {
    name: 'sandbox',
    register: async ({ merchantIdentifier, domains, platform }) => {
      try {
        await post(sandboxUrl, merchantIdentifier, domains)
        await post(sandboxUrl, platform.merchantIdentifier, platform.domains)
        return 'registered'
      } catch (error) {
        return { fault: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

async function post(sandboxUrl: string, merchantIdentifier: string, domains: readonly string[]): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/wallet/registrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_identifier: merchantIdentifier, domains }),
    signal: AbortSignal.timeout(limits.wallet.sessionWaitMs),
  })
  if (!reply.ok) throw new Error(`It answered ${reply.status}.`)
}
