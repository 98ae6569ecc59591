/** The script that signs a request in an API client. It signs the parameters as they will be sent, so that a reader may edit the request. */
import { planOf, writeCalls } from '../samples/program-plan.ts'
import { type Sample, signedNames } from '../samples/sample.ts'

/** The calls of an API client by which the script reads and sets values. */
export interface ClientCalls {
  /** Defines `fill(text)`, which replaces variables, and `field(path)`, the filled text of a parameter or undefined. */
  readonly reading: readonly string[]
  /** A statement that sets a variable. */
  readonly set: (name: string, expression: string) => string
}

/** Empty for a request that is not signed. */
export function signScript(sample: Sample, { reading, set }: ClientCalls): readonly string[] {
  const { hash, functions } = planOf(sample)
  const { formula, signed = {} } = sample
  const isFresh = JSON.stringify(sample.fields).includes('{{new_order}}')
  const fresh = isFresh ? [set('new_order', "'ORDER-' + Date.now()")] : []
  if (hash === null || formula === null) return fresh
  return [
    "const digests = require('crypto-js')",
    ...fresh,
    ...reading,
    'const bytes = (text) => unescape(encodeURIComponent(text))',
    "const join = (parts) => parts.join('')",
    ...functions.map((name) => signFunctions[name]),
    ...signedNames(formula).map((name) => `const ${name.replaceAll('.', '_')} = bytes(${signedValue(name, signed)})`),
    set('hash', writeCalls(hash, { constant: (name) => name, password: "bytes(fill('{{password}}'))" })),
  ]
}

const signFunctions = {
  rev: "const rev = (...parts) => join(parts).split('').reverse().join('')",
  up: 'const up = (...parts) => join(parts).replace(/[a-z]/g, (letter) => letter.toUpperCase())',
  md5: 'const md5 = (...parts) => digests.MD5(digests.enc.Latin1.parse(join(parts))).toString()',
  sha1: 'const sha1 = (...parts) => digests.SHA1(digests.enc.Latin1.parse(join(parts))).toString()',
} as const

/** A value of the payment that the request names is not in the request: the sample's own is used. */
function signedValue(name: string, signed: Readonly<Record<string, string>>): string {
  const otherwise = signed[name] === undefined ? "''" : `'${signed[name]}'`
  if (name === 'email') return `field('payer_email') ?? ${otherwise}`
  if (name !== 'pan10') return `field('${name}') ?? ${otherwise}`
  return `(field('card_number') ?? field('payer_card_number') ?? ${otherwise}).replace(/^(.{6}).*(.{4})$/, '$1$2')`
}
