/** What an acquirer with a host of ISO 8583 gives its merchant, and which dialect the host speaks. */
import { z } from 'zod'
import { readValue } from '../../contracts/value-faults.ts'
import { field } from '../credentials.ts'
import { type Dialect, dialectSchema } from './dialect.ts'
import iso1987 from './dialects/iso1987-ascii.json' with { type: 'json' }
import iso1993 from './dialects/iso1993-binary.json' with { type: 'json' }

const printable = (longest: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
    .max(longest)
const digits = (longest: number) =>
  z
    .string()
    .regex(/^[0-9]+$/)
    .max(longest)

const fields = z.object({
  host: field(
    z
      .string()
      .regex(/^[A-Za-z0-9.:-]+$/)
      .max(253),
    {
      title: 'Host',
      help: 'Name or address of the acquirer’s host, from its connection sheet.',
    },
  ),
  port: field(z.int().min(1).max(65_535), { title: 'Port', help: 'TCP port of the host.' }),
  encryption: field(z.enum(['tls', 'plain']), {
    title: 'Encryption',
    help: 'A live instance takes "plain" only to a tunnel on the same machine.',
  }),
  client_certificate: field(z.string().startsWith('-----BEGIN CERTIFICATE-----').optional(), {
    title: 'Client certificate',
    help: 'PEM, if the host wants one.',
    multiline: true,
  }),
  client_key: field(z.string().startsWith('-----BEGIN ').optional(), {
    title: 'Key of the client certificate',
    help: 'PEM, without a password.',
    secret: true,
    multiline: true,
  }),
  authority: field(z.string().startsWith('-----BEGIN CERTIFICATE-----').optional(), {
    title: 'Certificate authority',
    help: 'PEM of the authority that signed the host’s certificate, if it is not a public one.',
    multiline: true,
  }),
  acquirer_id: field(digits(11), { title: 'Acquiring institution ID', help: 'Field 32.' }),
  forwarder_id: field(digits(11).optional(), {
    title: 'Forwarding institution ID',
    help: 'Field 33, if the host wants it.',
  }),
  terminal_id: field(printable(8), { title: 'Terminal ID', help: 'TID, field 41.' }),
  acceptor_id: field(printable(15), { title: 'Card acceptor ID', help: 'Merchant number, field 42.' }),
  mcc: field(z.string().regex(/^[0-9]{4}$/), { title: 'Merchant category code', help: 'Four digits.' }),
  city: field(printable(13), { title: 'City', help: 'Of the card acceptor, as the acquirer registered it.' }),
  country: field(z.string().regex(/^[A-Z]{2}$/), { title: 'Country', help: 'Two letters.' }),
  dialect: field(z.enum(['iso1987-ascii', 'iso1993-binary', 'own']), {
    title: 'Dialect',
    help: 'The dialect that the host speaks. "own" takes it from the next field.',
  }),
  own_dialect: field(
    z
      .string()
      .max(100_000)
      .superRefine((text, context) => {
        const fault = ownDialectFault(text)
        if (fault !== null) context.addIssue({ code: 'custom', message: fault })
      })
      .optional(),
    {
      title: 'Own dialect',
      help: 'JSON; begin with one of the dialects that come with the connector.',
      multiline: true,
    },
  ),
  executes_within_seconds: field(z.int().min(0).max(3600).optional(), {
    title: 'Longest time to execution',
    help: 'Seconds within which the host executes a request or never does; 60 unless the acquirer says another.',
  }),
})

export const credentialsSchema = fields
  .refine(({ dialect, own_dialect: own }) => (dialect === 'own') === (own !== undefined), {
    path: ['own_dialect'],
    error: 'Enter the JSON of the dialect if the dialect is "own", and only then.',
  })
  .refine(
    ({ client_certificate: certificate, client_key: key }) => (certificate === undefined) === (key === undefined),
    {
      path: ['client_key'],
      error: 'A client certificate needs its key, and a key its certificate.',
    },
  )

export type Iso8583Credentials = z.infer<typeof credentialsSchema>

const shipped = {
  'iso1987-ascii': dialectSchema.parse(iso1987),
  'iso1993-binary': dialectSchema.parse(iso1993),
} as const

/** Throws if `own` is chosen and not entered. */
export function dialectOf({ dialect, own_dialect: own }: Iso8583Credentials): Dialect {
  if (dialect !== 'own') return shipped[dialect]
  if (own === undefined) throw new Error('The MID has no dialect: enter its JSON.')
  return dialectSchema.parse(JSON.parse(own))
}

function ownDialectFault(text: string): string | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'It is not JSON.'
  }
  const reading = readValue(dialectSchema, json)
  if (reading.ok) return null
  return reading.faults.map(({ path, text: fault }) => (path ? `${path}: ${fault}` : fault)).join(' ')
}
