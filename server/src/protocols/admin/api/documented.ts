/**
 * Schemas with a name in the OpenAPI document. Values that an operation reads itself, with faults of its own by field, are any JSON here and
 * are described in `documented-values.ts`.
 */
import { z } from 'zod'

export const schemaNames = z.registry<{ readonly name: string }>()

const json = () => z.unknown().pipe(z.json())

export const jsonInput = json().register(schemaNames, { name: 'Json' })
export const ruleInput = json().register(schemaNames, { name: 'RoutingRule' })
export const optionsInput = z
  .unknown()
  .pipe(z.record(z.string(), z.json()))
  .register(schemaNames, { name: 'MappingOptions' })
export const brandRecordInput = z
  .unknown()
  .pipe(z.record(z.string(), z.json()))
  .register(schemaNames, { name: 'BrandRecord' })

/** In answers, shown unchanged. */
export const shownRule = z.unknown().register(schemaNames, { name: 'RoutingRule' })
export const shownOptions = z.unknown().register(schemaNames, { name: 'MappingOptions' })
export const shownBrandRecord = z.unknown().register(schemaNames, { name: 'BrandRecord' })
