/** Reads a parameter row as an operator writes it, and writes it out again. Chapter 20 §5.2. */
import { isObject } from '../json.ts'
import { limits } from '../limits.ts'
import { languages } from '../place/language.ts'
import { accept, refuse } from '../reading.ts'
import { type Condition, needs, operators, orderFields, type ParameterRow, parameterTypes } from './parameter-row.ts'
import { valueFault } from './parameter-value.ts'
import { patternFault } from './pattern.ts'
import {
  byName,
  distinct,
  flag,
  list,
  matching,
  membersOf,
  oneOf,
  type Reader,
  type RecordFault,
  text,
} from './record-reader.ts'

const rowsAtMost = 50
const depthAtMost = 3
const valuesAtMost = 500
const conditionsAtMost = 10

const name = matching(/^[A-Za-z0-9_]{1,64}$/, '1 to 64 letters, digits and underscores')

/** A text per language, or one text for English. */
export const titles: Reader<Readonly<Record<string, string>>> = (value, path, faults) => {
  if (typeof value === 'string') return titles({ en: value }, path, faults)
  const read = byName(oneOf(languages.map(({ code }) => code)), text(100))(value, path, faults)
  if (!read.ok) return refuse('a text, or an object of texts by language')
  return accept({ ...read.value })
}

export const parameterRows: Reader<readonly ParameterRow[]> = rowsAt(1)

/** Reads the rows of one level together, because a condition may refer to any row of its level. */
function rowsAt(depth: number): Reader<readonly ParameterRow[]> {
  return (value, path, faults) => {
    const read = list(rowAt(depth), 'parameter rows', rowsAtMost)(value, path, faults)
    if (!read.ok) return read
    const names = read.value.map((row) => row.name)
    for (const [index, row] of read.value.entries()) {
      if (names.indexOf(row.name) !== index) faults.push({ field: `${path}[${index}].name`, text: 'Is listed twice.' })
      faults.push(...conditionFaults(row, names, `${path}[${index}]`))
    }
    return read
  }
}

export const singleRow: Reader<ParameterRow> = rowAt(depthAtMost)

function rowAt(depth: number): Reader<ParameterRow> {
  return (value, path, faults) => {
    if (!isObject(value)) return refuse('an object')
    const members = membersOf(value, path, faults)
    const before = faults.length
    const row: ParameterRow = {
      name: members.required('name', name, ''),
      title: members.optional('title', titles, {}),
      type: members.required('type', oneOf(parameterTypes), 'string'),
      min: members.optional('min', readBound, null),
      max: members.optional('max', readBound, null),
      pattern: members.optional('pattern', pattern, null),
      values: members.optional('values', distinct(list(text(255), 'values', valuesAtMost)), []),
      need: members.required('need', oneOf(needs), 'optional'),
      when: members.optional('when', list(condition, 'conditions', conditionsAtMost), []),
      collect: members.optional('collect', flag, false),
      default: members.optional('default', text(limits.request.parameterValueLength), null),
      secret: members.optional('secret', flag, false),
      forwardAs: members.optional('forward_as', text(64), null),
      rows: depth < depthAtMost ? members.optional('rows', rowsAt(depth + 1), []) : [],
    }
    members.close()
    if (faults.length === before) faults.push(...rowFaults(row, path))
    return accept(row)
  }
}

const readBound: Reader<number> = (value) =>
  typeof value === 'number' && Math.abs(value) <= 1e12 ? accept(value) : refuse('a number')

const pattern: Reader<string> = (value, path, faults) => {
  if (typeof value !== 'string') return refuse('a regular expression')
  const fault = patternFault(value)
  if (fault !== null) faults.push({ field: path, text: fault })
  return accept(value)
}

const condition: Reader<Condition> = (value, path, faults) => {
  if (!isObject(value)) return refuse('an object')
  const members = membersOf(value, path, faults)
  const op = members.required('op', oneOf(operators), 'present')
  const values = list(text(255), 'values', valuesAtMost)
  const asks = op === 'present' || op === 'absent' ? members.optional : members.required
  const read: Condition = { field: members.required('field', name, ''), op, values: asks('values', values, []) }
  members.close()
  return accept(read)
}

/** Members that are valid alone but contradict each other. */
function rowFaults(row: ParameterRow, path: string): readonly RecordFault[] {
  const { type, min, max, need } = row
  const nested = type === 'object' || type === 'list'
  const isWhole = type === 'amount' || (Number.isInteger(min ?? 0) && Number.isInteger(max ?? 0))
  // biome-ignore format: a table is read in columns.
  const rules: readonly (readonly [wrong: boolean, member: string, text: string])[] = [
    // what does not fit                                         field      why
    [ !isWhole,                                                  'min',     'Bounds of this type must be whole numbers.' ],
    [ min !== null && max !== null && min > max,                 'min',     'Must not be above max.' ],
    [ type === 'enum' && row.values.length === 0,                'values',  'Must list the choices of an enum.' ],
    [ type !== 'enum' && row.values.length > 0,                  'values',  'Belongs to the type enum.' ],
    [ need === 'conditional' && row.when.length === 0,           'when',    'Must say when a conditional parameter is required.' ],
    [ need !== 'conditional' && row.when.length > 0,             'when',    'Belongs to a conditional parameter.' ],
    [ nested && row.rows.length === 0,                           'rows',    'Must list the members.' ],
    [ !nested && row.rows.length > 0,                            'rows',    'Belongs to the types object and list.' ],
    [ nested && (row.pattern !== null || row.default !== null),  'pattern', 'An object or a list has neither pattern nor default.' ],
    [ row.secret && row.default !== null,                        'default', 'A secret has no default.' ],
  ]
  const found = rules.filter(([wrong]) => wrong).map(([, member, why]) => ({ field: `${path}.${member}`, text: why }))
  return found.length > 0 ? found : defaultFault(row, path)
}

/** The default of an amount is not checked here, because the order's currency is not known yet. */
function defaultFault(row: ParameterRow, path: string): readonly RecordFault[] {
  if (row.default === null || row.type === 'amount') return []
  const fault = valueFault(row, row.default, { currency: null })
  return fault === null ? [] : [{ field: `${path}.default`, text: 'Does not fit the row itself.' }]
}

function conditionFaults(row: ParameterRow, names: readonly string[], path: string): readonly RecordFault[] {
  const known: readonly string[] = [...orderFields, ...names.filter((other) => other !== row.name)]
  return row.when.flatMap(({ field }, index) =>
    known.includes(field)
      ? []
      : [{ field: `${path}.when[${index}].field`, text: `Must be ${orderFields.join(', ')} or another parameter.` }],
  )
}

/** The row as an operator would write it. */
export function writtenRow({ forwardAs, rows, ...row }: ParameterRow): Readonly<Record<string, unknown>> {
  // Rows of the deepest level must not have `rows`: reading the record back would refuse it.
  return { ...row, forward_as: forwardAs, ...(rows.length > 0 ? { rows: rows.map(writtenRow) } : {}) }
}
