/** Free-form objects of a JSON request: `parameters` and `custom_data`. Chapter 30 §3.2. */

import { violations } from '#domain/errors.ts'
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import type { Json, JsonObject } from '../../contracts/records.ts'
import { plainJson } from '../kit/bodies/json-body.ts'
import { isTree, JsonNumber, type Value } from '../kit/bodies/value-tree.ts'
import { codePoints } from '../kit/values/formats.ts'
import { type Member, objectOf } from '../kit/values/members.ts'
import { fault } from '../kit/values/params.ts'

/** Stored and returned as it came. */
export const customData: Member<JsonObject | null> = {
  words: { sent: 'no', holds: `an object, up to ${limits.request.customDataBytes / 1024} KiB` },
  read: (path, sent) => {
    if (sent === undefined) return { value: null }
    const members = objectOf(sent)
    if (!members) return fault(path, violations.wrongType('object'))
    const value = Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, plainJson(inner)]))
    const fits = Buffer.byteLength(JSON.stringify(value)) <= limits.request.customDataBytes
    return fits ? { value: isEmpty(value) ? null : value } : fault(path, violations.notValid)
  },
}

/** Handed on as text, which is all that acquirers take; empty values are left out like any that was not sent. */
export const parameterBag: Member<JsonObject | null> = {
  words: { sent: 'no', holds: `an object, each value up to ${limits.request.parameterValueLength} characters` },
  read: (path, sent) => {
    if (sent === undefined) return { value: null }
    const members = objectOf(sent)
    if (!members) return fault(path, violations.wrongType('object'))
    const value = texts(members)
    if (!fits(value)) return fault(path, violations.notValid)
    return { value: isObject(value) && !isEmpty(value) ? value : null }
  },
}

function texts(tree: Value): Json | undefined {
  if (tree === null) return undefined
  if (tree instanceof JsonNumber) return tree.literal
  if (typeof tree === 'string') return tree.trim() === '' ? undefined : tree
  if (typeof tree === 'boolean') return String(tree)
  const entries = Object.entries(tree).flatMap(([name, inner]) => {
    const value = texts(inner)
    return value === undefined ? [] : [[name, value] as const]
  })
  return isTree(tree) ? Object.fromEntries(entries) : entries.map(([, value]) => value)
}

function fits(value: Json | undefined): boolean {
  if (typeof value === 'string') return codePoints(value) <= limits.request.parameterValueLength
  return typeof value !== 'object' || value === null || Object.values(value).every(fits)
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0
