/** Facts about a payer's browser, and whether they suffice for 3-D Secure. Chapter 10 §8.5, chapter 30 §8.4. */
import { type BrowserFacts, browserFacts } from './payment/facts.ts'

/** 3-D Secure requires these; if one is missing, the payer is redirected over a page of ours that collects them. */
const neededFacts = [
  'acceptHeaders',
  'userAgent',
  'language',
  'screenWidth',
  'screenHeight',
  'colorDepth',
  'timezoneOffset',
] as const satisfies readonly (keyof BrowserFacts)[]

export const knowsBrowser = (facts: BrowserFacts | null | undefined): facts is BrowserFacts =>
  facts !== null && facts !== undefined && neededFacts.every((name) => facts[name] !== null)

/** Observed values take precedence; values that the merchant sent fill the gaps. */
export function mergeBrowserFacts(observedFacts: BrowserFacts, merchantFacts: BrowserFacts | undefined): BrowserFacts {
  if (!merchantFacts) return observedFacts
  const merged: Record<keyof BrowserFacts, string | null> = { ...observedFacts }
  for (const name of browserFacts) merged[name] = observedFacts[name] ?? merchantFacts[name]
  return merged
}
