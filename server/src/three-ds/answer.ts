/**
 * Turns the answer of a 3DS server into an `Authentication`.
 *
 *   transStatus  meaning                                  becomes
 *   Y, A         authenticated, or an attempt is proved   authenticated
 *   C            the payer has to act                     challenge; after one: failed, because it was not finished
 *   N, R         not authenticated, or refused            failed
 *   U, I         undetermined, or for                     not-needed, with the facts: the charge continues without proof, at the
 *                information only                         merchant's risk, as the networks allow
 *
 * An unreadable answer neither confirms nor refuses and is `unavailable`.
 */
import { z } from 'zod'
import type { ThreeDsFacts } from '#domain/payment/facts.ts'
import { secret } from '#domain/secret.ts'
import type { Authentication } from './mpi.ts'

interface Challenge extends Pick<Extract<Authentication, { result: 'challenge' }>, 'url' | 'method' | 'params'> {
  /** Whether the issuer lets its page be shown in a frame. */
  readonly frame: boolean
}

/** The result of a request. `challengeIn` finds where to send the payer; null if the answer does not say. */
export function afterRequest(answer: unknown, challengeIn: (answer: unknown) => Challenge | null): Authentication {
  if (notEnrolled.safeParse(answer).success) return { result: 'not-needed' }
  const said = statement.safeParse(answer).data
  if (!said) return unavailable
  if (said.transStatus !== 'C') return conclude(said, 'Frictionless')

  const challenge = challengeIn(answer)
  if (!challenge) return unavailable
  const { threeDSServerTransID } = said
  const { frame, ...page } = challenge
  return {
    result: 'challenge',
    ...page,
    state: { threeDSServerTransID, ...(frame && framedState) },
    facts: factsOf(said, 'Challenge'),
  }
}

/** Stored with the step, so that a page that is opened again knows it, too. */
const framedState = { frame: 'allowed' }

export function afterChallenge(answer: unknown): Authentication {
  const said = statement.safeParse(answer).data
  return said ? conclude(said, 'Challenge') : unavailable
}

/** An unknown challenge proves nothing. */
export const notBegun: Authentication = { result: 'failed', reason: 'Authentication failed', facts: null }

const unavailable: Authentication = { result: 'unavailable', reason: 'Authentication is not available' }

const notEnrolled = z.object({ enrolled: z.literal(false) })

// Lengths as in `mpi_data`, because both go to the same acquirers. Chapter 10 §7.1.8.
const statement = z.object({
  transStatus: z.enum(['Y', 'A', 'C', 'N', 'R', 'U', 'I']),
  transStatusReason: z.string().max(2).nullish(),
  messageVersion: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+$/),
  threeDSServerTransID: z.guid(),
  dsTransID: z.guid().nullish(),
  acsTransID: z.guid().nullish(),
  xid: z.string().max(64).nullish(),
  eci: z.string().length(2).nullish(),
  authenticationValue: z.string().min(28).max(64).nullish(),
  challengeCancel: z.string().max(2).nullish(),
})
type Statement = z.infer<typeof statement>

type Flow = 'Frictionless' | 'Challenge'

function conclude(said: Statement, flow: Flow): Authentication {
  const facts = factsOf(said, flow)
  switch (said.transStatus) {
    case 'Y':
    case 'A':
      return authenticatedResult(said, facts)
    case 'U':
    case 'I':
      return { result: 'not-needed', facts }
    case 'C':
    case 'N':
    case 'R':
      return { result: 'failed', reason: reasonOf(said), facts }
  }
}

function authenticatedResult(said: Statement, facts: ThreeDsFacts): Authentication {
  const { eci, authenticationValue, dsTransID } = said
  // A success without its proof is worthless to an acquirer.
  if (!eci || !authenticationValue || !dsTransID) return unavailable
  return {
    result: 'authenticated',
    facts,
    data: {
      eci,
      authenticationValue: secret(authenticationValue),
      dsTransId: dsTransID,
      version: said.messageVersion,
      transStatus: said.transStatus,
      xid: said.xid ?? null,
    },
  }
}

const CANCELLED_BY_CARDHOLDER = '01'

const reasonOf = ({ challengeCancel }: Statement): string =>
  challengeCancel === CANCELLED_BY_CARDHOLDER ? 'Cancelled by payer' : 'Authentication failed'

const factsOf = (said: Statement, flow: Flow): ThreeDsFacts => ({
  threeDSServerTransID: said.threeDSServerTransID,
  dsTransID: said.dsTransID ?? null,
  acsTransID: said.acsTransID ?? null,
  xid: said.xid ?? null,
  transStatus: said.transStatus,
  transStatusReason: said.transStatusReason ?? null,
  eci: said.eci ?? null,
  protocolVersion: said.messageVersion,
  authenticationFlow: flow,
})
