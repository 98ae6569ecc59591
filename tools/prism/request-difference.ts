/** Whether two requests ask for different things. */
import { valuesOf } from '#server/connectors/prism/body-values.ts'
import type { Build, SampleRequest } from './probe-charge.ts'

/** Times and random values differ from request to request: only what is the same twice counts. */
export async function differs(build: Build, plain: SampleRequest, other: SampleRequest): Promise<boolean> {
  const [one, again, two] = [await build(plain), await build(plain), await build(other)]
  if (one.kind === 'refused' || two.kind === 'refused' || again.kind === 'refused') return false
  const [first, second, changed] = [one, again, two].map(({ value }) => valuesOf(value))
  if (!first || !second || !changed) return false
  const steady = [...first].filter(([path, value]) => second.get(path) === value)
  return (
    steady.some(([path, value]) => changed.get(path) !== value) || [...changed.keys()].some((path) => !first.has(path))
  )
}
