/** `browser_info`: what the payer's browser told the page, or the merchant's server for hosted fields. Chapter 30 §8.4. */

import { violations } from '#domain/errors.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { JsonNumber } from '../../kit/bodies/value-tree.ts'
import { type Member, objectOf, type Sent } from '../../kit/values/members.ts'
import { fault } from '../../kit/values/params.ts'

/** As long as the messages of 3-D Secure let a header be. */
const longest = 2048

/** Null when nothing was sent. What is missing is left to the collector. */
export const browserInfo: Member<BrowserFacts | null> = {
  words: { sent: 'no', holds: 'an object with attributes of the payer’s browser' },
  read: (path, sent) => {
    if (sent === undefined) return { value: null }
    const members = objectOf(sent)
    if (!members) return fault(path, violations.wrongType('object'))
    const told = (...names: readonly string[]): string | null => firstText(names.map((name) => members[name]))
    const facts: BrowserFacts = {
      acceptHeaders: told('accept_headers', 'accept_header'),
      userAgent: told('user_agent'),
      language: told('language'),
      screenWidth: told('screen_width'),
      screenHeight: told('screen_height'),
      colorDepth: told('color_depth'),
      timezoneOffset: told('timezone_offset'),
      javaEnabled: told('java_enabled'),
      javascriptEnabled: told('javascript_enabled'),
      platform: told('platform'),
    }
    return { value: Object.values(facts).every((value) => value === null) ? null : facts }
  },
}

/** Numbers and booleans count as their texts. */
function firstText(values: readonly Sent[]): string | null {
  for (const value of values) {
    const text = value instanceof JsonNumber ? value.literal : typeof value === 'boolean' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim().slice(0, longest)
  }
  return null
}
