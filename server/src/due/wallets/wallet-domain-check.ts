/**
 * Fetches a domain's association file as the wallet provider would: over HTTPS with a verified certificate, without redirects, within ten
 * seconds, and never inside our own network. Chapter 40 §8, "Check".
 */

import { Agent, type Dispatcher } from 'undici'
import { errorCode } from '#domain/error-code.ts'
import { limits } from '#domain/limits.ts'
import { AddressRefusedError, type AddressRules, addressGuard } from '../../network/address-guard.ts'
import type { DomainFault } from '../../wallets/accounts/domain-plan.ts'
import { sameFile } from '../../wallets/accounts/domain-plan.ts'

export interface DomainCheckOptions {
  readonly addresses: AddressRules
  /** The trusted authorities; the system's by default. */
  readonly caPem?: string
  readonly port?: number
  readonly timeoutMs?: number
}

export interface DomainChecker {
  /** Null if the domain serves exactly these bytes. */
  check(domain: string, expected: Buffer): Promise<DomainFault | null>
  close(): Promise<void>
}

const path = '/.well-known/apple-developer-merchantid-domain-association'
/** The longest file plus the one line break that is accepted. */
const mostBytes = limits.wallet.fileBytes + 2

export function domainChecker(options: DomainCheckOptions): DomainChecker {
  const { addresses, caPem, port = 443, timeoutMs = limits.wallet.domainWaitMs } = options
  const guard = addressGuard(addresses, timeoutMs)
  const dispatcher = new Agent({
    connect: {
      lookup: guard.lookup,
      timeout: timeoutMs,
      minVersion: 'TLSv1.2',
      ...(caPem === undefined ? {} : { ca: caPem }),
    },
    allowH2: false,
    // A new connection for every check, so that it sees what the domain serves now, including its certificate.
    pipelining: 0,
  })
  return {
    async check(domain, expected) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        // An IP address is connected to without a look-up, so the guard must check the text.
        const { origin, pathname } = guard.parse(`https://${domain}:${port}${path}`)
        const reply = await dispatcher.request({ origin, path: pathname, method: 'GET', signal })
        return await findReplyFault(reply, expected)
      } catch (error) {
        return signal.aborted ? 'timeout' : faultOfError(error)
      }
    },
    async close() {
      if (!dispatcher.closed) await dispatcher.close()
    },
  }
}

async function findReplyFault(
  { statusCode, body }: Dispatcher.ResponseData,
  expected: Buffer,
): Promise<DomainFault | null> {
  if (statusCode !== 200) {
    await body.dump()
    return statusCode >= 300 && statusCode < 400 ? 'redirect' : `status:${statusCode}`
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // Leaving the loop closes the connection, so that an endless answer is not read on.
    if (size > mostBytes) return 'body'
    chunks.push(chunk)
  }
  return sameFile(Buffer.concat(chunks), expected) ? null : 'body'
}

// biome-ignore format: a table is read in columns.
const faults: readonly (readonly [codes: RegExp, fault: DomainFault])[] = [
  [ /^(ENOTFOUND|EAI_\w+|ENODATA)$/,                                               'dns'     ],
  [ /^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/, 'timeout' ],
  [ /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/,            'tls'     ],
]

function faultOfError(error: unknown): DomainFault {
  // A name that resolves into our own network is unreachable for the wallet provider.
  if (error instanceof AddressRefusedError) return 'dns'
  const code = errorCode(error)
  return faults.find(([codes]) => codes.test(code))?.[1] ?? 'connect'
}
