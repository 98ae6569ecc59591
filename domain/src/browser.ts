/** Facts about a payer's browser, and whether they suffice for 3-D Secure. Chapter 10 §8.5, chapter 30 §8.4. */
import { type BrowserFacts, browserFacts } from './payment/facts.ts'

/** The messages of 3-D Secure need these; when one is missing, a page of ours collects them on the payer's way. */
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
