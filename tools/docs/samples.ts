/** Examples of the guides as generated regions, with curl; the documentation site shows them in every language. */
import { curlProgram } from '../samples/languages/curl.ts'
import { planOf } from '../samples/program-plan.ts'
import { fillText } from '../samples/sample.ts'
import { samples } from '../samples/samples.ts'
import { placeholders } from '../site/placeholders.ts'
import type { Regions } from './regions.ts'

/** The samples that a guide shows; the others are for the API collections and tests. */
const shown = [
  'card-sale',
  'card-status',
  'card-refund',
  'card-sale-declined',
  'card-status-by-order',
  'card-sale-3ds',
  'card-save',
  'card-saved',
  'card-schedule',
  'card-subscribe',
  'card-recurring',
  'card-schedule-pause',
  'card-schedule-run',
  'card-deschedule',
  'card-retry',
  'card-hold',
  'card-capture',
  'card-void',
  'apm-sale',
  'apm-sale-redirect',
  'checkout-session',
  'checkout-status',
  'checkout-session-token',
  'checkout-processing',
  'checkout-session-update',
  'checkout-session-wallet',
  'checkout-session-subscription',
  'checkout-refund',
  'checkout-capture',
  'checkout-void',
]

/** `sample-card-sale`. */
export const sampleRegions: Regions = Object.fromEntries(
  samples
    .filter(({ id }) => shown.includes(id))
    .map((sample) => [
      `sample-${sample.id}`,
      () => `\`\`\`sh\n${fillText(curlProgram(planOf(sample)), placeholders).trimEnd()}\n\`\`\``,
    ]),
)
