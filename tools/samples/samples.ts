/** All samples, in an order in which each can follow the one before. */
import { apmSamples } from './apm-samples.ts'
import { cardSamples } from './card-samples.ts'
import { checkoutSamples } from './checkout-samples.ts'
import type { Sample } from './sample.ts'

export const samples: readonly Sample[] = [...cardSamples, ...apmSamples, ...checkoutSamples]

export function sampleNamed(id: string): Sample {
  const sample = samples.find((one) => one.id === id)
  if (!sample) throw new Error(`There is no sample ${id}.`)
  return sample
}
