/**
 * The API between a frame and the service. Chapter 30 §8.3.
 *
 * The document at `/hosted-fields/{card|expiry|cvv}` has exactly one `<input>` with its `<label>`, and loads `field.css` and `field.js`.
 * Everything else comes to the frame by message: token, texts, style.
 *
 * POST /page/v1/fields, same origin, header `Token`. One call per frame. Answer: HTTP 200, or an error body as §1.4.
 */
import type { FieldName } from './messages.ts'

interface CollectedField {
  readonly field: FieldName
  /** Digits of the number; `MM/YYYY`; digits of the code, which may be empty if the session has a MOTO value. */
  readonly value: string
}

type Sending =
  | { readonly sent: true }
  /** The value is invalid; the field shows it in the payer's language. */
  | { readonly sent: false; readonly refused: 'value' }
  /** The card is not accepted here; the message is the service's. */
  | { readonly sent: false; readonly refused: 'card'; readonly message: string }
  /** A fault that the payer cannot correct; the message is empty if the service was not reached. */
  | { readonly sent: false; readonly refused: 'session'; readonly message: string }

export async function sendField(token: string, collected: CollectedField): Promise<Sending> {
  try {
    const reply = await fetch('/page/v1/fields', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify(collected),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    if (reply.ok) return { sent: true }
    return refusalIn(reply.status, await reply.json())
  } catch {
    return { sent: false, refused: 'session', message: '' }
  }
}

const ANSWERED_WITHIN_MS = 30_000

/** Chapter 30 §1.4: violations come with the code 0; §10: the only refusal that concerns the card itself. */
function refusalIn(status: number, body: unknown): Sending {
  const [code, text]: readonly unknown[] =
    typeof body === 'object' && body !== null
      ? [Reflect.get(body, 'error_code'), Reflect.get(body, 'error_message')]
      : []
  const message = typeof text === 'string' ? text : ''
  if (status === 400 && code === 0) return { sent: false, refused: 'value' }
  return { sent: false, refused: message.startsWith('Bad Request. Brand of card') ? 'card' : 'session', message }
}
