/** Browser attributes of a request, from its headers and from the form of the collector page. Chapter 10 §8.5. */
import type { IncomingHttpHeaders } from 'node:http'
import type { BrowserFacts } from '#domain/payment/facts.ts'

type Fields = Readonly<Record<string, string>>

/** The inputs of the collector page, in the interface's names. */
// biome-ignore format: a table is read in columns.
const inputs = {
  // name                      what may stand in it
  browser_color_depth:         /^[0-9]{1,2}$/,
  browser_screen_height:       /^[0-9]{1,6}$/,
  browser_screen_width:        /^[0-9]{1,6}$/,
  browser_java_enabled:        /^(?:true|false)$/,
  browser_javascript_enabled:  /^(?:true|false)$/,
  browser_language:            /^[A-Za-z0-9-]{1,35}$/,
  browser_timezone_offset:     /^-?[0-9]{1,4}$/,
  browser_platform:            /^[\x20-\x7e]{1,64}$/,
} as const
type Input = keyof typeof inputs

const isInput = (name: string): name is Input => name in inputs
export const browserFields: readonly Input[] = Object.keys(inputs).filter(isInput)

/** Only the collector page sends whether JavaScript ran, and it always does. */
export const wasCollected = (fields: Fields): boolean => fields['browser_javascript_enabled'] !== undefined

/** Fields of other origin, which are carried through the collector page to the MPI service. */
export const broughtFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isInput(name)))

export function browserOf(headers: IncomingHttpHeaders, fields: Fields): BrowserFacts {
  const readInput = (name: Input): string | null => {
    const value = fields[name]
    return value !== undefined && inputs[name].test(value) ? value : null
  }
  return {
    colorDepth: readInput('browser_color_depth'),
    screenHeight: readInput('browser_screen_height'),
    screenWidth: readInput('browser_screen_width'),
    javaEnabled: readInput('browser_java_enabled'),
    javascriptEnabled: readInput('browser_javascript_enabled'),
    language: readInput('browser_language') ?? firstLanguage(headers['accept-language']),
    timezoneOffset: readInput('browser_timezone_offset'),
    userAgent: header(headers['user-agent']),
    acceptHeaders: header(headers['accept']),
    platform: readInput('browser_platform') ?? unquote(headers['sec-ch-ua-platform']),
  }
}

/** True if the client shows pages: libraries and command-line clients accept anything and do not ask for HTML. */
export const takesPages = ({ accept = '' }: IncomingHttpHeaders): boolean => accept.includes('text/html')

/** A navigating browser, as opposed to a test client that posts to the address itself. */
export const navigates = (headers: IncomingHttpHeaders): boolean =>
  takesPages(headers) && headers['sec-fetch-mode'] === 'navigate'

/** Older browsers do not send it and count as the top window. */
export const isFramed = (headers: IncomingHttpHeaders): boolean =>
  ['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(String(headers['sec-fetch-dest']))

/** The maximum length in messages of 3-D Secure. */
const longestHeader = 2048
const header = (value: string | undefined): string | null => value?.slice(0, longestHeader) ?? null

const firstLanguage = (accepted: string | undefined): string | null =>
  /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,3})/.exec(accepted ?? '')?.[1] ?? null

const unquote = (value: string | string[] | undefined): string | null =>
  /^"([\x20-\x7e]{1,64})"$/.exec(String(value))?.[1] ?? null
