/** An acquirer's answer in JSON, as the wire would hand it to a connector. */
import { type WireReply, wireReply } from '../reply.ts'

export const jsonReply = (status: number, value: unknown): WireReply =>
  wireReply({
    status,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(value)),
  })
