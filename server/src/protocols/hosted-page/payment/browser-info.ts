/** `browser_info`: browser attributes from the page, or from the merchant's server for hosted fields. Chapter 30 §8.4. */

import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { Param } from '../../kit/values/params.ts'
import { fault, soundResult } from '../../kit/values/read.ts'
import type { BaseReading } from '../../kit/values/reading.ts'
import { literalOf, objectOf, type SentValue } from '../../kit/values/sent.ts'

/** The maximum length of a header in messages of 3-D Secure. */
const longest = 2048

/** Null if nothing was sent. The collector page gathers missing attributes. */
export const browserInfo: Param<BrowserFacts | null, BaseReading> = {
  words: { sent: 'no', holds: 'an object with attributes of the payer’s browser' },
  read: (path, sent, { wire }) => {
    if (sent === undefined) return soundResult(null)
    const tree = objectOf(sent)
    if (!tree) return fault(path, wire.wrongType('object'))
    const textOf = (...names: readonly string[]): string | null => firstText(names.map((name) => tree[name]))
    const facts: BrowserFacts = {
      acceptHeaders: textOf('accept_headers', 'accept_header'),
      userAgent: textOf('user_agent'),
      language: textOf('language'),
      screenWidth: textOf('screen_width'),
      screenHeight: textOf('screen_height'),
      colorDepth: textOf('color_depth'),
      timezoneOffset: textOf('timezone_offset'),
      javaEnabled: textOf('java_enabled'),
      javascriptEnabled: textOf('javascript_enabled'),
      platform: textOf('platform'),
    }
    return soundResult(Object.values(facts).every((value) => value === null) ? null : facts)
  },
}

/** Numbers and booleans count as their texts. */
function firstText(values: readonly SentValue[]): string | null {
  for (const value of values) {
    const text = typeof value === 'boolean' ? String(value) : literalOf(value)
    if (typeof text === 'string' && text.trim() !== '') return text.trim().slice(0, longest)
  }
  return null
}
