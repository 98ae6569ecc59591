/**
 * Registers a merchant and its domains at the wallet provider, in the platform setup: by a person at the provider's portal, or on a sandbox
 * instance at the simulated provider. Chapter 40 §2, through the platform, step 2.
 */
import { limits } from '#domain/limits.ts'

export interface Registration {
  /** The identifier under which the merchant is registered. */
  readonly merchantIdentifier: string
  readonly displayName: string
  readonly country: string
  readonly domains: readonly string[]
  /** The operator's own identifier, which requests sessions, and the domains of all merchants in the platform setup. */
  readonly platform: { readonly merchantIdentifier: string; readonly domains: readonly string[] }
}

export interface Registrar {
  readonly name: 'manual' | 'sandbox'
  /** `by hand` leaves it to a person, who marks the task as done. */
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
