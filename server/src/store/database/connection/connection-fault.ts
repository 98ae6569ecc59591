/** Why the database cannot be used, in words for the operator. */
import { errorCode } from '#domain/error-code.ts'
import { StartupError } from '../../../process/startup-error.ts'
import type { Pool } from '../pool.ts'

interface Cause {
  /** Of the system, of TLS or of PostgreSQL. */
  readonly codes: readonly string[]
  readonly sentence: string
  readonly remedy: string
}

const causes: readonly Cause[] = [
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    sentence: 'The name of the database server cannot be resolved',
    remedy: 'Check the host in DATABASE_URL, and the name servers of this machine.',
  },
  {
    codes: ['ECONNREFUSED', 'ENOENT'],
    sentence: 'No database server listens at this address',
    remedy:
      'Start PostgreSQL, or correct host and port in DATABASE_URL. Without DATABASE_URL the embedded server is used.',
  },
  {
    codes: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    sentence: 'The database server does not answer',
    remedy: 'Check host and port in DATABASE_URL, and the firewalls on the way.',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    sentence: 'The certificate of the database server is not valid at this time',
    remedy: 'Renew the certificate and reload PostgreSQL, and check the clock of this machine.',
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    sentence: 'The certificate of the database server comes from an authority that is not known here',
    remedy: 'Name the authority in DATABASE_URL: sslrootcert=/path/to/ca.pem.',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    sentence: 'The certificate of the database server has another name',
    remedy: 'Use the name of the certificate as host in DATABASE_URL.',
  },
  {
    codes: ['28P01', '28000'],
    sentence: 'The database server does not admit this user',
    remedy: 'Check user and password in DATABASE_URL, and pg_hba.conf of the server.',
  },
  {
    codes: ['3D000'],
    sentence: 'The database does not exist',
    remedy: 'Create it (createdb), or correct its name in DATABASE_URL.',
  },
  {
    codes: ['53300'],
    sentence: 'The database server has no free connection',
    remedy: 'Raise max_connections of the server, or lower DATABASE_POOL of the processes.',
  },
  {
    codes: ['57P03'],
    sentence: 'The database server is starting or stopping',
    remedy: 'Try again when it accepts connections.',
  },
]

const other: Omit<Cause, 'codes'> = {
  sentence: 'The database cannot be reached',
  remedy:
    'Check that PostgreSQL is running and that DATABASE_URL is correct; without DATABASE_URL the embedded server is used.',
}

export function connectionFault(error: unknown): StartupError {
  const { sentence, remedy } = causes.find(({ codes }) => codes.some((code) => codesOf(error).includes(code))) ?? other
  return new StartupError(`${sentence}: ${wordsOf(error).replace(/\.$/, '')}.`, remedy, { cause: error })
}

/** A host with several addresses fails with one error for each. */
const partsOf = (error: unknown): readonly unknown[] => [
  error,
  ...(error instanceof AggregateError ? error.errors : []),
]

const codesOf = (error: unknown): readonly string[] => partsOf(error).map(codeOf)

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = errorCode(error)
  // The driver's own time-outs have no code.
  return code === '' && error.message.includes('timeout') ? 'ETIMEDOUT' : code
}

function wordsOf(error: unknown): string {
  const [first] = partsOf(error).flatMap((one) => (one instanceof Error && one.message !== '' ? [one.message] : []))
  return first ?? (error instanceof Error ? error.name : String(error))
}

/** Throws a StartupError if no connection can be opened. */
export async function requireConnection(pool: Pool): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw connectionFault(error)
  })
  client.release()
}
