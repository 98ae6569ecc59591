/**
 * The API between a frame and the service. Chapter 30 §8.3.
 *
 * The document at `/hosted-fields/{card|expiry|cvv}` has exactly one `<input>` with its `<label>`, and loads `field.css` and `field.js`.
 * Everything else comes to the frame by message: token, texts, style.
 *
 * POST /page/v1/collection, then POST /page/v1/fields once per frame; same origin, header `Token`. Answer: HTTP 200, or an error body as
 * §1.4.
 */
import type { FieldName } from './messages.ts'

interface CollectedField {
  readonly field: FieldName
  /** Digits of the number; `MM/YYYY`; digits of the code, which may be empty if the session has a MOTO value. */
  readonly value: string
  /** Absent for a page that does not name its collections. */
  readonly collection?: string
  /** The collection has all its values with this one. */
  readonly last?: boolean
}

/** A fault that the payer cannot correct: the session is invalid or over, it is paid, it is being paid, the service was not reached. */
export type SessionFault = 'over' | 'complete' | 'busy' | 'notSent'

export type Refusal =
  /** The value is invalid. */
  | { readonly sent: false; readonly refused: 'value' }
  /** Cards of this network are not accepted here. */
  | { readonly sent: false; readonly refused: 'network' }
  | { readonly sent: false; readonly refused: 'session'; readonly fault: SessionFault }

type Sending = { readonly sent: true; readonly codeOptional: boolean } | Refusal

export const sendField = (token: string, collected: CollectedField): Promise<Sending> =>
  post('/page/v1/fields', token, collected)

/** The answer says whether the security code may stay empty. */
export const beginCollection = (token: string, collection?: string): Promise<Sending> =>
  post('/page/v1/collection', token, collection === undefined ? {} : { collection })

async function post(path: string, token: string, body: object): Promise<Sending> {
  try {
    const reply = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    const answer: unknown = await reply.json()
    if (reply.ok) return { sent: true, codeOptional: memberOf(answer, 'code_optional') === true }
    return refusalIn(reply.status, answer)
  } catch {
    return { sent: false, refused: 'session', fault: 'notSent' }
  }
}

const ANSWERED_WITHIN_MS = 30_000

/** Chapter 30 §1.4: violations come with the code 0; §10: the only refusal that concerns the card itself. */
function refusalIn(status: number, body: unknown): Refusal {
  const [code, message] = [memberOf(body, 'error_code'), memberOf(body, 'error_message')]
  if (status === 400 && code === 0) return { sent: false, refused: 'value' }
  if (message === 'Bad Request. Brand of card does not support.') return { sent: false, refused: 'network' }
  return { sent: false, refused: 'session', fault: faultIn(status, message) }
}

function faultIn(status: number, message: unknown): SessionFault {
  if (status === 401 || status === 403) return 'over'
  if (status === 409) return 'busy'
  return message === 'Session is complete.' ? 'complete' : 'notSent'
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
