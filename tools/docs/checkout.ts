/** The endpoints of the Checkout API and their members, in the order in which they are checked. */
import type { Endpoint } from '#server/protocols/checkout/endpoint.ts'
import { endpoints } from '#server/protocols/checkout/index.ts'
import { fieldsCalls } from '#server/protocols/hosted-page/fields/calls.ts'
import type { Words } from '#server/protocols/kit/values/params.ts'
import { code, table } from './markdown.ts'
import type { Regions } from './regions.ts'

/** A region per endpoint: `checkout-card-credit`. */
export const checkoutRegions: Regions = {
  'checkout-endpoints': endpointTable,
  ...Object.fromEntries(endpoints.map((endpoint) => [`checkout-${endpoint.name}`, () => memberTable(endpoint)])),
}

function endpointTable(): string {
  return table(
    ['Address', 'Members'],
    [
      ...endpoints.map(({ path, name, params }) => [`[${code(path)}](#${name})`, Object.keys(params).length] as const),
      ...fieldsCalls.flatMap(({ name, method, paths, params }) =>
        paths.map(
          (path) =>
            [
              `[${code(method === 'POST' ? path : `${method} ${path}`)}](hosted-fields.md#${name})`,
              Object.keys(params).length,
            ] as const,
        ),
      ),
    ],
  )
}

export function memberTable({ name: endpoint, params }: Pick<Endpoint, 'name'> & DocumentedMembers): string {
  return table(
    ['Member', 'Must be sent', 'Holds'],
    Object.entries(params).flatMap(([name, { words }]) => rowsOf(endpoint, name, words)),
  )
}

interface DocumentedMembers {
  readonly params: Readonly<Record<string, { readonly words: Words }>>
}

/** These two are the same everywhere, and are checked in other steps than the parameters. */
const elsewhere: Readonly<Record<string, string>> = {
  merchant_key: "the merchant's key or test key",
  hash: 'the [signature](signatures.md)',
}

function rowsOf(endpoint: string, name: string, { sent, holds, parts = {} }: Words): readonly (readonly string[])[] {
  if (sent === '' || holds === '')
    throw new Error(
      `${name} of ${endpoint} does not say what it takes: give its param or its format words (protocols/kit/values/params.ts).`,
    )
  return [
    [code(name), sent, elsewhere[name] ?? holds],
    ...Object.entries(parts).flatMap(([part, words]) => rowsOf(endpoint, `${name}.${part}`, words)),
  ]
}
