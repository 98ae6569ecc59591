/** The stand-ins by the name of their connector; each is loaded only by the program that runs it. */
import type { OpenStandIn } from './kit/stand-in.ts'

type Loader = () => Promise<OpenStandIn>

const loaders: Readonly<Record<string, Loader>> = {
  adyen: async () => (await import('./adyen/stand-in.ts')).openAdyen,
  checkout: async () => (await import('./checkout/stand-in.ts')).openCheckout,
  cybersource: async () => (await import('./cybersource/stand-in.ts')).openCybersource,
  iso8583: async () => (await import('./iso8583/stand-in.ts')).openIso8583,
  paypal: async () => (await import('./paypal/stand-in.ts')).openPaypal,
  'prism-checkout': async () => (await import('./prism-checkout/stand-in.ts')).openPrismCheckout,
  'prism-nmi': async () => (await import('./prism-nmi/stand-in.ts')).openPrismNmi,
  stripe: async () => (await import('./stripe/stand-in.ts')).openStripe,
}

export const standIns: ReadonlyMap<string, Loader> = new Map(Object.entries(loaders))
