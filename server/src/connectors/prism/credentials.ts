/** The form of an acquirer's credentials, from the package's own configuration types. */

import { z } from 'zod'
import { isObject } from '#domain/json.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Json, JsonObject } from '../../contracts/json.ts'
import { type Credentials, field } from '../credentials.ts'
import { type SignedReports, signedReports } from './notifications/signatures.ts'
import type { AcquirerRow, CredentialField } from './table/row.ts'

const webUrl = z.url({ protocol: /^https?$/ })

export type PrismCredentials = Credentials & Readonly<Record<string, string | undefined>>

export function credentialsOf(row: AcquirerRow): z.ZodType<PrismCredentials> {
  const texts = row.fields.map((one) => [formName(one), textField(one, row)] as const)
  const choices: Readonly<Record<string, z.ZodType<string | undefined>>> = row.redirects ? { three_ds: threeDs } : {}
  return z.strictObject({
    ...Object.fromEntries(texts),
    ...choices,
    ...webhookFields(row, signedReports[row.name]),
    base_url: field(webUrl.optional(), {
      title: 'Address',
      help: 'Replaces the addresses of the acquirer: a stand-in for tests, or a proxy in your network. Usually empty.',
    }),
  })
}

/** With which the acquirer signs its notifications, where the package does not ask for it among the others. */
function webhookFields(
  { fields }: AcquirerRow,
  signed: SignedReports | undefined,
): Readonly<Record<string, z.ZodType<string | undefined>>> {
  if (!signed) return {}
  const secret = (title: string, help: string) =>
    field(z.string().min(1).max(1024).optional(), { title, help, secret: true })
  const previous = secret(
    'Previous webhook secret',
    'While the secret is being rolled: the one that ends. Empty otherwise.',
  )
  const isAsked = fields.some((one) => formName(one) === signed.secret)
  return {
    ...(!isAsked && { [signed.secret]: secret(signed.title, signed.help) }),
    webhook_secret_previous: previous,
  }
}

/** The package asks for it or does not: there is no way to leave it to the issuer. */
const threeDs = field(
  z
    .string()
    .regex(/^(?:always|never)$/, 'Write always or never.')
    .optional(),
  {
    title: '3-D Secure',
    help: 'always: the payer authenticates on a page of the acquirer, unless the merchant brings a result. Empty: never.',
  },
)

function textField(one: CredentialField, { title }: AcquirerRow) {
  const isKey = /key|secret|pass|pin|token|salt|certificate/i.test(one.name)
  const isLong = /private|certificate|public.*key/i.test(one.name)
  return field(z.string().min(1).max(8192), {
    title: titleOf(one.name),
    help: `As ${title} gave it to you or shows it in its dashboard.`,
    ...(isKey && { secret: true }),
    ...(isLong && { multiline: true }),
  })
}

/** `apiKey` becomes `api_key`. */
export function formName({ name }: CredentialField): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function titleOf(name: string): string {
  const words = name
    .replaceAll(/([A-Z0-9]+)/g, ' $1')
    .toLowerCase()
    .trim()
    .split(/\s+/)
  const text = words.map((word) => (abbreviations.has(word) ? word.toUpperCase() : word)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const abbreviations: ReadonlySet<string> = new Set(['api', 'id', 'pin', 'kid', 'url', 'ssl'])

/** As the package takes it. */
export function configOf(
  row: Pick<AcquirerRow, 'name' | 'fields' | 'addresses'>,
  credentials: PrismCredentials,
  mode: Mode,
): JsonObject {
  const baseUrl = row.addresses?.[mode]
  const fields = row.fields
    .map((one) => {
      const value = credentials[formName(one)] ?? ''
      const path = (one.path ?? [one.name]).map((step) => (step === '{currency}' ? (credentials.currency ?? '') : step))
      return [path, one.isSecret ? { value } : value] as const
    })
    .reduce<JsonObject>((config, [path, value]) => withValueAt(config, path, value), {})
  return { [row.name]: { ...fields, ...(baseUrl !== undefined && { baseUrl }) } }
}

/** A copy with the value at the path. */
function withValueAt(object: JsonObject, [step = '', ...rest]: readonly string[], value: Json): JsonObject {
  if (step === '') return object
  const inner = object[step]
  const below = isObject(inner) ? inner : {}
  return { ...object, [step]: rest.length === 0 ? value : withValueAt(below, rest, value) }
}
