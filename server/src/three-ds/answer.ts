/**
 * What a 3DS server said into an `Authentication`.
 *
 *   transStatus  meaning                                  becomes
 *   Y, A         authenticated, or an attempt is proved   authenticated
 *   C            the payer has to act                     challenge; after one: failed, since it was not finished
 *   N, R         not authenticated, or refused            failed
 *   U, I         nobody could tell, or told for           not-needed, with the facts: the charge goes on without proof and at
 *                information only                         the merchant's risk, as the networks let a merchant do
 *
 * What cannot be read says neither yes nor no and is `unavailable`.
 */
import { z } from 'zod'
import type { ThreeDsFacts } from '#domain/payment/facts.ts'
import { secret } from '#domain/secret.ts'
import type { Authentication } from './mpi.ts'

type Challenge = Pick<Extract<Authentication, { result: 'challenge' }>, 'url' | 'method' | 'params'>

/** The answer to a request; `challengeIn` finds where the payer is to be sent, null when the answer does not tell. */
export function afterRequest(answer: unknown, challengeIn: (answer: unknown) => Challenge | null): Authentication {
  if (notEnrolled.safeParse(answer).success) return { result: 'not-needed' }
  const said = statement.safeParse(answer).data
  if (!said) return unavailable
  if (said.transStatus !== 'C') return concluded(said, 'Frictionless')

  const challenge = challengeIn(answer)
  if (!challenge) return unavailable
  const { threeDSServerTransID } = said
  return { result: 'challenge', ...challenge, state: { threeDSServerTransID }, facts: factsOf(said, 'Challenge') }
}

export function afterChallenge(answer: unknown): Authentication {
  const said = statement.safeParse(answer).data
  return said ? concluded(said, 'Challenge') : unavailable
}

/** A challenge that is not known here proves nothing. */
export const notBegun: Authentication = { result: 'failed', reason: 'Authentication failed', facts: null }

const unavailable: Authentication = { result: 'unavailable', reason: 'Authentication is not available' }

const notEnrolled = z.object({ enrolled: z.literal(false) })

// Lengths as `mpi_data` has them, since both go to the same acquirers. Chapter 10 §7.1.8.
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

function concluded(said: Statement, flow: Flow): Authentication {
  const facts = factsOf(said, flow)
  switch (said.transStatus) {
    case 'Y':
    case 'A':
      return authenticated(said, facts)
    case 'U':
    case 'I':
      return { result: 'not-needed', facts }
    case 'C':
    case 'N':
    case 'R':
      return { result: 'failed', reason: reasonOf(said), facts }
  }
}

function authenticated(said: Statement, facts: ThreeDsFacts): Authentication {
  const { eci, authenticationValue, dsTransID } = said
  // A yes without its proof is worth nothing to an acquirer.
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
