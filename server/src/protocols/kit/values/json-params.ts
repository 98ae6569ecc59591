/** Parameters that are not text, read as tolerantly as deployed clients need it. Chapter 30 §1.3, §3.5. */
import { violations } from '#domain/errors.ts'
import type { Value } from '../bodies/value-tree.ts'
import { type Format, judgeText, type Param } from './params.ts'
import { blank, fault, type ReadResult, soundResult } from './read.ts'
import type { BaseReading } from './reading.ts'
import { booleanOf, integerOf, isBlank, literalOf } from './sent.ts'

/** A number is accepted as its literal text, for example as an order number or an amount. */
export const orNumber = <T, Needs extends BaseReading>(param: Param<T, Needs>): Param<T, Needs> => ({
  ...param,
  words: { ...param.words, schema: { ...param.words.schema, type: ['string', 'number'] } },
  read: (path, sent, reading) => param.read(path, literalOf(sent), reading),
})

export const jsonFlag: Param<boolean, BaseReading> = {
  words: {
    sent: 'no; `false` when absent',
    holds: '`true` or `false`, also as text, `Y`, `N`, `1`, `0`',
    schema: { type: 'boolean', default: false },
  },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(false)
    const value = booleanOf(sent)
    return value === undefined ? fault(path, format.wrongType('boolean')) : soundResult(value)
  },
}

export const integer = (low: number, high: number, standard: number): Param<number, BaseReading> => ({
  words: {
    sent: `no; \`${standard}\` when absent`,
    holds: `a whole number from ${low} to ${high}`,
    schema: { type: 'integer', minimum: low, maximum: high, default: standard },
  },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(standard)
    const value = integerOf(sent)
    if (value === undefined) return fault(path, format.wrongType('integer'))
    return value >= low && value <= high ? soundResult(value) : fault(path, violations.outOfRange(low, high))
  },
})

/** One text stands for a list of one; an item's violation is reported under the list's own name, once. */
export const list = (format: Format<string, unknown>, atMost: number): Param<readonly string[], BaseReading> => ({
  words: {
    sent: 'no',
    holds: `a list, each ${format.says ?? ''}; at most ${atMost}`,
    schema: { type: 'array', items: { type: 'string', ...format.schema }, maxItems: atMost },
  },
  read: (path, sent, reading) => {
    if (sent === undefined) return soundResult([])
    const items = typeof sent === 'string' ? [sent] : sent
    if (!Array.isArray(items)) return fault(path, reading.format.wrongType('array'))
    if (items.length > atMost) return fault(path, violations.notValid)
    const values: string[] = []
    for (const item of items) {
      const read = itemOf(path, item, format, reading)
      if (!read.ok) return read
      values.push(read.value)
    }
    return soundResult(values)
  },
})

const itemOf = (
  path: string,
  item: Value,
  format: Format<string, unknown>,
  reading: BaseReading,
): ReadResult<string> => (isBlank(item) ? blank(path) : judgeText(path, item, format, reading))

/** A parameter with an additional check, which sees valid values only. */
export const withCheck = <T, Needs extends BaseReading>(
  param: Param<T, NoInfer<Needs>>,
  rule: (value: T, reading: Needs) => string | null,
): Param<T, Needs> => ({
  ...param,
  read: (path, sent, reading) => {
    const read = param.read(path, sent, reading)
    const text = read.ok ? rule(read.value, reading) : null
    return text === null ? read : fault(path, text)
  },
})
