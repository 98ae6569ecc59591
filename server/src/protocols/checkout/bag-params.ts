/** Free-form objects of a JSON request: `parameters` and `custom_data`. Chapter 30 §3.2. */

import { violations } from '#domain/errors.ts'
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import type { Json, JsonObject } from '../../contracts/records.ts'
import { plainJson } from '../kit/bodies/json-body.ts'
import { invalidText, isTree, JsonNumber, type Value } from '../kit/bodies/value-tree.ts'
import { codePoints } from '../kit/values/formats.ts'
import type { Param } from '../kit/values/params.ts'
import { fault, soundResult } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { isBlank, objectOf } from '../kit/values/sent.ts'

/** Stored and returned unchanged. */
export const customData: Param<JsonObject | null, BaseReading> = {
  words: {
    sent: 'no',
    holds: `an object, up to ${limits.request.customDataBytes / 1024} KiB`,
    schema: { type: 'object' },
  },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(null)
    const tree = objectOf(sent)
    if (!tree) return fault(path, format.wrongType('object'))
    const value = Object.fromEntries(Object.entries(tree).map(([name, inner]) => [name, plainJson(inner)]))
    const fits = Buffer.byteLength(JSON.stringify(value)) <= limits.request.customDataBytes
    return fits ? soundResult(isEmpty(value) ? null : value) : fault(path, violations.notValid)
  },
}

/** Passed on as text, because acquirers take nothing else; empty values count as not sent. */
export const parameterBag: Param<JsonObject | null, BaseReading> = {
  words: {
    sent: 'no',
    holds: `an object, each value up to ${limits.request.parameterValueLength} characters`,
    schema: { type: 'object' },
  },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(null)
    const tree = objectOf(sent)
    if (!tree) return fault(path, format.wrongType('object'))
    const value = texts(tree)
    if (!fits(value)) return fault(path, violations.notValid)
    return soundResult(isObject(value) && !isEmpty(value) ? value : null)
  },
}

function texts(value: Value): Json | undefined {
  if (isBlank(value) || value === null || value === invalidText) return undefined
  if (value instanceof JsonNumber) return value.literal
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const text = texts(inner)
    return text === undefined ? [] : [[name, text] as const]
  })
  return isTree(value) ? Object.fromEntries(entries) : entries.map(([, text]) => text)
}

function fits(value: Json | undefined): boolean {
  if (typeof value === 'string') return codePoints(value) <= limits.request.parameterValueLength
  return typeof value !== 'object' || value === null || Object.values(value).every(fits)
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0
