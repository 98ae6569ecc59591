/**
 * Every check of a live instance, one row each. The start, `doctor`, the panel's Health page and banner, and the documentation read this
 * table. A new check is a row here, and a fact in `facts.ts` if it needs new data.
 */
import type { ProtocolMapping } from '#domain/mapping.ts'
import { addressFault, addressRemedy } from '../network/acquirer-address.ts'
import { unencryptedHost } from './database-url.ts'
import { isOpenPayout, payoutRemedy } from './entry.ts'
import type { LiveFacts } from './facts.ts'
import type { LiveFinding } from './finding.ts'

interface LiveCheck {
  readonly id: string
  readonly severity: LiveFinding['severity']
  /** What is wrong, as the documentation lists it. */
  readonly problem: string
  /** How the problem is prevented, besides the finding. */
  readonly enforced:
    | 'start refused'
    | 'refused when entered, and not used'
    | 'refused when entered and when connecting'
    | 'refused when switched on'
    | 'reported'
  readonly remedy: string
  /** One sentence for each occurrence. */
  readonly findOccurrences: (facts: LiveFacts) => readonly string[]
}

const isOpenToPayers = ({
  protocol,
  sessionUpdate,
  requestSignature,
}: Pick<ProtocolMapping, 'protocol' | 'sessionUpdate' | 'requestSignature'>): boolean =>
  protocol === 'CHECKOUT' && sessionUpdate === 'token' && requestSignature !== 'required'

const sentenceIf = (found: boolean, sentence: string): readonly string[] => (found ? [sentence] : [])

export const liveChecks: readonly LiveCheck[] = [
  {
    id: 'sandbox-connector',
    severity: 'red',
    problem: 'A live MID uses the sandbox connector, which moves no money.',
    enforced: 'refused when entered, and not used',
    remedy:
      'Disable it with "gatehouse mid disable NAME" and create a MID with your acquirer’s connector. Until then no payment is sent to it.',
    findOccurrences: ({ mids }) =>
      mids
        .filter(({ connector, mode }) => connector === 'sandbox' && mode === 'live')
        .map(({ name }) => `The live MID "${name}" uses the sandbox connector, which moves no money.`),
  },
  {
    id: 'acquirer-address',
    severity: 'red',
    problem: 'The address of an acquirer is plain http or private.',
    enforced: 'refused when entered and when connecting',
    remedy: addressRemedy,
    findOccurrences: ({ mids, config }) =>
      mids.flatMap(({ name, addresses }) =>
        addresses.flatMap((address) => {
          const fault = addressFault(address, config.privateAcquirers)
          return fault === null ? [] : [`The address of the acquirer of MID "${name}" must not be used. ${fault}`]
        }),
      ),
  },
  {
    id: 'mpi-address',
    severity: 'red',
    problem: 'MPI_URL is plain http or private.',
    enforced: 'start refused',
    remedy:
      'Use the https address of the 3DS server. To allow a private connection, add it to ALLOW_PRIVATE_ACQUIRERS.',
    findOccurrences: ({ config }) => {
      const fault = config.mpi === null ? null : addressFault(config.mpi.url, config.privateAcquirers)
      return fault === null ? [] : [`The address of MPI_URL must not be used. ${fault}`]
    },
  },
  {
    id: 'base-url',
    severity: 'red',
    problem: 'BASE_URL is missing or plain http.',
    enforced: 'start refused',
    remedy: 'Set BASE_URL to the public https address that payers and merchants use.',
    findOccurrences: ({ config }) => [
      ...sentenceIf(
        config.baseUrl === null,
        'BASE_URL is not set, so payers would be sent to an address of this machine.',
      ),
      ...sentenceIf(
        config.baseUrl?.startsWith('http:') ?? false,
        'BASE_URL is plain http, so card numbers would be sent unencrypted.',
      ),
    ],
  },
  {
    id: 'database-tls',
    severity: 'red',
    problem: 'DATABASE_URL or DATABASE_READ_URL is on another machine without TLS.',
    enforced: 'start refused',
    remedy:
      'Add sslmode=verify-full (or require) to the address. If the network itself is encrypted, set ALLOW_PLAIN_DATABASE=true.',
    findOccurrences: ({ config }) => {
      if (config.allowPlainDatabase) return []
      return [config.databaseUrl, config.databaseReadUrl].flatMap((url) => {
        const host = url === null ? null : unencryptedHost(url)
        return sentenceIf(host !== null, `The connection to the database on ${host} is not encrypted.`)
      })
    },
  },
  {
    id: 'database-proxy',
    severity: 'amber',
    problem:
      'DATABASE_URL is an address of this machine, but a proxy there leads to a database on another one without TLS.',
    enforced: 'reported',
    remedy:
      'Add sslmode=verify-full to the address: a proxy that passes bytes on, as HAProxy does, needs nothing. If the network itself is encrypted, set ALLOW_PLAIN_DATABASE=true.',
    findOccurrences: ({ config, server }) =>
      sentenceIf(
        server.plain_client !== '' &&
          !config.allowPlainDatabase &&
          config.databaseUrl !== null &&
          unencryptedHost(config.databaseUrl) === null,
        `The connection to the database arrives there unencrypted from another machine, ${server.plain_client}.`,
      ),
  },
  {
    id: 'database-fsync',
    severity: 'red',
    problem: 'The server runs with fsync or full_page_writes off.',
    enforced: 'start refused',
    remedy:
      'Set fsync = on and full_page_writes = on in postgresql.conf and restart the server. Earlier damage is not repaired by this.',
    findOccurrences: ({ server }) => [
      ...sentenceIf(
        server.fsync === 'off',
        'PostgreSQL runs with fsync = off: a crash of its machine loses payments or the whole database.',
      ),
      ...sentenceIf(
        server.full_page_writes === 'off',
        'PostgreSQL runs with full_page_writes = off: a crash of its machine can damage data permanently.',
      ),
    ],
  },
  {
    id: 'database-commit',
    severity: 'red',
    problem: 'The server acknowledges commits before they are safe (synchronous_commit).',
    enforced: 'reported',
    remedy:
      'Set synchronous_commit = on for the server and this database. Until then the service sets it for its own connections.',
    findOccurrences: ({ server }) => [
      ...sentenceIf(
        server.synchronous_commit === 'off',
        'PostgreSQL runs with synchronous_commit = off: a crash loses payments that were already confirmed.',
      ),
      ...sentenceIf(
        server.synchronous_commit === 'local' && server.synchronous_standby_names !== '',
        'PostgreSQL runs with synchronous_commit = local although it has synchronous standbys: a failover loses payments that were already confirmed.',
      ),
    ],
  },
  {
    id: 'open-payouts',
    severity: 'amber',
    problem: 'A merchant may pay out with the hash alone, from any address.',
    enforced: 'refused when switched on',
    remedy: payoutRemedy,
    findOccurrences: ({ mappings }) =>
      mappings
        .filter(({ merchant, mapping }) => isOpenPayout(mapping, merchant))
        .map(
          ({ merchant, mapping }) =>
            `The merchant "${merchant.name}" may pay out on ${mapping.protocol} with the hash alone, from any address.`,
        ),
  },
  {
    id: 'open-session-updates',
    severity: 'amber',
    problem: 'A payer may change the amount of hosted fields with the token in the page.',
    enforced: 'reported',
    remedy:
      'Set sessionUpdate to listed-or-signed in the merchant’s CHECKOUT mapping, and enter the merchant’s allowed addresses or have the merchant sign updates. Until then the merchant must use client_token in the page.',
    findOccurrences: ({ mappings }) =>
      mappings
        .filter(({ merchant, mapping }) => isOpenToPayers(mapping) && merchant.allowedIps.length === 0)
        .map(
          ({ merchant }) =>
            `A payer who has the token of a session of hosted fields of the merchant "${merchant.name}" may change its amount.`,
        ),
  },
  {
    id: 'embedded-database',
    severity: 'red',
    problem: 'The embedded database is used, which has no backups.',
    enforced: 'reported',
    remedy: 'Set DATABASE_URL to a PostgreSQL with backups and point-in-time recovery.',
    findOccurrences: ({ config }) =>
      sentenceIf(config.databaseUrl === null, 'This live instance uses the embedded database, which has no backups.'),
  },
]

/** A sandbox is not checked. */
export function liveFindings(facts: LiveFacts, checks: readonly LiveCheck[] = liveChecks): readonly LiveFinding[] {
  if (facts.config.instanceMode !== 'live') return []
  return checks.flatMap(({ id, severity, remedy, findOccurrences }) =>
    findOccurrences(facts).map((sentence) => ({ id, severity, sentence, remedy })),
  )
}
