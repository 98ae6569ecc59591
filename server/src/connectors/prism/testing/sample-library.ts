/**
 * What the helper process loads in place of the package in tests: the same modules and calls, for a charge at one acquirer. It dies where the order's
 * description says so, so that a test can end the helper in the middle of its work.
 */
import { deserialize, serialize } from 'node:v8'

const encoding = {
  encode: (message: unknown) => ({ finish: () => serialize(message) }),
  decode: (bytes: Uint8Array): Readonly<Record<string, unknown>> => deserialize(bytes),
}

const enumerations: Readonly<Record<string, readonly string[]>> = {
  Environment: ['SANDBOX', 'PRODUCTION'],
  PaymentStatus: ['PAYMENT_STATUS_UNSPECIFIED', 'CHARGED', 'FAILURE'],
}

/** A message type or an enumeration of any name. A value of an enumeration that is not listed is zero. */
export const types: Readonly<Record<string, unknown>> = new Proxy(
  {},
  {
    get: (_target, name: string) => {
      const values = Object.fromEntries((enumerations[name] ?? []).map((value, index) => [value, index]))
      return new Proxy({ ...encoding, ...values }, { get: (known, value) => Reflect.get(known, value) ?? 0 })
    },
  },
)

export const FLOWS = { authorize: { request: 'Request', response: 'Response' } }
export const SINGLE_FLOWS = {}

/** Long numbers stay texts. */
export const util = { Long: { fromString: (text: string) => text, isLong: () => false } }

export class UniffiClient {
  callReq(_flow: string, request: Uint8Array): Uint8Array {
    const { description, merchantTransactionId, amount } = encoding.decode(request)
    dieIf(description, 'die while building')
    const form = new URLSearchParams({
      type: 'sale',
      amount: (Number(Object(amount).minorAmount) / 100).toFixed(2),
      currency: 'EUR',
      orderid: String(merchantTransactionId),
    })
    return serialize({
      method: 'POST',
      url: 'https://secure.nmi.com/api/transact.php',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(String(form)),
    })
  }

  callRes(_flow: string, reply: Uint8Array, request: Uint8Array): Uint8Array {
    dieIf(encoding.decode(request).description, 'die while reading')
    const { body } = encoding.decode(reply)
    const fields = new URLSearchParams(Buffer.from(Object(body)).toString('utf8'))
    const status = fields.get('response') === '1' ? 1 : 2
    return serialize({ body: serialize({ status, connectorTransactionId: fields.get('transactionid') }) })
  }
}

function dieIf(description: unknown, wish: string): void {
  if (description === wish) process.kill(process.pid, 'SIGKILL')
}
