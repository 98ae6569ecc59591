/** The built-in brands as tables. Chapter 20 §5.4. */
import type { Brand } from '#domain/brand/brand.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import type { Condition, ParameterRow } from '#domain/brand/parameter-row.ts'
import { code, codes, table } from './markdown.ts'

export const brandTable = (): string =>
  table(
    [
      'Brand',
      'Kind',
      'Actions',
      '`identifier`',
      'Currencies',
      'Countries',
      'Holds',
      'Refund',
      'VOID',
      'Time of the payer',
    ],
    builtInBrands.map((brand) => [
      code(brand.code),
      brand.testOnly ? `${brand.kind}, test only` : brand.kind,
      codes(brand.actions),
      brand.actions.every((action) => action.startsWith('CREDIT2')) ? 'not used' : brand.identifier,
      listValues(brand.currencies),
      brand.countries.length > 10 ? `${brand.countries.length} countries` : listValues(brand.countries),
      brand.twoStage === 'no' ? 'no' : 'yes',
      brand.refund,
      brand.void ? 'yes' : 'no',
      spanOf(brand),
    ]),
  )

export const brandParameterTable = (): string =>
  table(
    ['Brand', 'Action', 'Parameter', 'Must be sent', 'Holds'],
    builtInBrands.flatMap((brand) =>
      Object.entries(brand.parameters).flatMap(([action, rows]) =>
        rows.map((row) => [code(brand.code), code(action), code(`parameters[${row.name}]`), needOf(row), holdsOf(row)]),
      ),
    ),
  )

const listValues = (values: readonly string[]): string =>
  values.map((value) => (value === '*' ? 'all' : value)).join(', ')

function spanOf({ expiresAfterSeconds: seconds }: Brand): string {
  if (seconds % 86_400 === 0 && seconds > 86_400) return `${seconds / 86_400} days`
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`
}

function needOf({ need, when }: ParameterRow): string {
  if (need === 'required') return 'yes'
  return need === 'optional' ? 'no' : `when ${when.map(conditionOf).join(' and ')}`
}

function conditionOf({ field, op, values }: Condition): string {
  const words = { in: 'is', not_in: 'is not', present: 'is sent', absent: 'is not sent', greater: 'is above' } as const
  return [code(field), words[op], values.join(', ')].filter(Boolean).join(' ')
}

function holdsOf({ type, min, max, pattern, values, secret }: ParameterRow): string {
  const bytes = type === 'json' && max !== null ? `up to ${max / 1024} KiB` : null
  const length = max === null || bytes !== null ? null : `${min === null ? 'up to ' : `${min} to `}${max} characters`
  return [
    type === 'enum' ? `one of ${values.map(code).join(', ')}` : type,
    bytes ?? length,
    pattern === null ? null : `like ${code(pattern)}`,
    secret ? 'kept secret' : null,
  ]
    .filter((part) => part !== null)
    .join(', ')
}
