/** `browser_info`: browser attributes from the page, or from the merchant's server for hosted fields. Chapter 30 §8.4. */

import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { Param } from '../../kit/values/params.ts'
import { fault, soundResult } from '../../kit/values/read.ts'
import type { BaseReading } from '../../kit/values/reading.ts'
import { literalOf, objectOf, type SentValue } from '../../kit/values/sent.ts'

/** The maximum length of a header in messages of 3-D Secure. */
const longest = 2048

/** Each attribute with its names in `browser_info`; the second one is an alias. */
const attributes: Readonly<Record<keyof BrowserFacts, readonly [name: string, alias?: string]>> = {
  acceptHeaders: ['accept_headers', 'accept_header'],
  userAgent: ['user_agent'],
  language: ['language'],
  screenWidth: ['screen_width'],
  screenHeight: ['screen_height'],
  colorDepth: ['color_depth'],
  timezoneOffset: ['timezone_offset'],
  javaEnabled: ['java_enabled'],
  javascriptEnabled: ['javascript_enabled'],
  platform: ['platform'],
}

/** Null if nothing was sent. The collector page gathers missing attributes. */
export const browserInfo: Param<BrowserFacts | null, BaseReading> = {
  words: {
    sent: 'no; missing attributes are collected when the payer is redirected',
    holds: "an object with attributes of the payer's browser",
    parts: Object.fromEntries(
      Object.values(attributes).map(([name, alias]) => [
        name,
        {
          sent: alias ? `no; also as \`${alias}\`` : 'no',
          holds: 'a text, a number, or `true` or `false`',
          schema: { type: ['string', 'number', 'boolean'] },
        },
      ]),
    ),
  },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(null)
    const tree = objectOf(sent)
    if (!tree) return fault(path, format.wrongType('object'))
    const textOf = (attribute: keyof BrowserFacts): string | null =>
      firstText(attributes[attribute].map((name) => (name === undefined ? undefined : tree[name])))
    const facts: BrowserFacts = {
      acceptHeaders: textOf('acceptHeaders'),
      userAgent: textOf('userAgent'),
      language: textOf('language'),
      screenWidth: textOf('screenWidth'),
      screenHeight: textOf('screenHeight'),
      colorDepth: textOf('colorDepth'),
      timezoneOffset: textOf('timezoneOffset'),
      javaEnabled: textOf('javaEnabled'),
      javascriptEnabled: textOf('javascriptEnabled'),
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
