/**
 * Verifies PayPal's webhooks: an RSA signature over the id and time of the transmission, the webhook's id and the CRC-32 of the body.
 *
 * PayPal repeats a transmission for three days and does not say whether with a new time, so that this is its age. A repetition does no harm:
 * the event's id counts once.
 */

import { verify, type X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { minuteMs } from '#domain/time.ts'
import { type NotificationReading, type NotificationRequest, rejectUnverified } from '../notification.ts'
import { WireFault } from '../wire.ts'
import { certificatePath, fetchSigningCertificate } from './certificate.ts'
import type { PaypalWire } from './orders.ts'
import { readEvent } from './webhook-event.ts'

const oldestMs = 3 * 24 * 60 * minuteMs + 60 * minuteMs
const earliestMs = 5 * minuteMs

export async function readNotification(request: NotificationRequest, wire: PaypalWire): Promise<NotificationReading> {
  const { webhook_id, webhook_id_previous } = wire.credentials
  const webhookIds = [webhook_id, webhook_id_previous].filter((id) => id !== undefined)
  if (webhookIds.length === 0) return rejectUnverified('The MID has no Webhook ID.')
  const transmission = readTransmission(request)
  if (typeof transmission === 'string') return rejectUnverified(transmission)
  const path = certificatePath(transmission.certificateUrl, wire.credentials)
  if (path === null) return rejectUnverified('The certificate is not at an address of PayPal.')

  const certificate = await fetchCertificate(path, request.receivedAt, wire)
  if (typeof certificate === 'string') return rejectUnverified(certificate)
  const checksum = crc32(request.body)
  const isSigned = webhookIds.some((id) =>
    hasSignature(`${transmission.id}|${transmission.time}|${id}|${checksum}`, transmission.signature, certificate),
  )
  return isSigned ? readEvent(request.body) : rejectUnverified('The signature is wrong.')
}

async function fetchCertificate(path: string, at: Date, wire: PaypalWire): Promise<X509Certificate | string> {
  try {
    return (await fetchSigningCertificate(path, at, wire)) ?? 'The certificate is not one of PayPal.'
  } catch (fault) {
    if (fault instanceof WireFault) return 'The certificate could not be fetched.'
    throw fault
  }
}

interface Transmission {
  readonly id: string
  readonly time: string
  readonly signature: Buffer
  readonly certificateUrl: string
}

/** Or why it cannot be verified. */
function readTransmission({ headers, receivedAt }: NotificationRequest): Transmission | string {
  const id = headers['paypal-transmission-id'] ?? ''
  const time = headers['paypal-transmission-time'] ?? ''
  const signature = Buffer.from(headers['paypal-transmission-sig'] ?? '', 'base64')
  const certificateUrl = headers['paypal-cert-url'] ?? ''
  if (id === '' || signature.length === 0) return 'The signature is missing.'
  if (headers['paypal-auth-algo'] !== 'SHA256withRSA') return 'The algorithm of the signature is not known.'
  const age = receivedAt.getTime() - Date.parse(time)
  if (!(age <= oldestMs && age >= -earliestMs)) return 'The time of the transmission is too far away.'
  return { id, time, signature, certificateUrl }
}

function hasSignature(text: string, signature: Buffer, { publicKey }: X509Certificate): boolean {
  return publicKey.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', Buffer.from(text), publicKey, signature)
}
