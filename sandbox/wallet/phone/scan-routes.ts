/** The addresses of the scan-code exchange (Chapter 40 §20.3, §20.4). */

import { isObject } from '#domain/json.ts'
import { qrPath } from '#domain/qr/qr.ts'
import { failure, type Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Scan, ScanExchange, ScanOrder } from './scan.ts'

export async function beginScan(scans: ScanExchange, { body }: Call): Promise<Reply> {
  if (!isObject(body)) return failure(400, 'invalid_request', 'The body is not a JSON object.')
  const { shop_name: shopName, domain, phone_url: phoneUrl, ...mint } = body
  const { amount, currency } = mint
  const order = { shopName, domain, amount, currency }
  const missing = Object.entries(order).find(([, value]) => typeof value !== 'string' || value === '')
  if (missing) return failure(400, 'invalid_request', `${missing[0]} is missing.`)
  const scan = scans.begin({ ...texts(order), mint })
  const address = typeof phoneUrl === 'string' ? `${phoneUrl}?code=${scan.code}` : null
  const qr = address === null ? null : qrPath(address)
  return { status: 200, body: { ...scanMembers(scan), id: scan.id, url: address, qr } }
}

export async function showScan(scans: ScanExchange, { parameters: [code = ''] }: Call): Promise<Reply> {
  return answer(scans.find(code))
}

export async function confirmScan(scans: ScanExchange, { parameters: [code = ''], body }: Call): Promise<Reply> {
  const { os_version: osVersion = 18, ...choices } = isObject(body) ? body : {}
  const confirmed = await scans.confirm(code, { osVersion: Number(osVersion), choices })
  if (typeof confirmed === 'string') return failure(400, 'invalid_request', confirmed)
  return answer(confirmed)
}

export async function cancelScan(scans: ScanExchange, { parameters: [code = ''] }: Call): Promise<Reply> {
  return answer(scans.cancel(code))
}

/** Sends every state when it is reached; the last one with the token, if there is one. */
export async function streamScan(scans: ScanExchange, { parameters: [id = ''] }: Call): Promise<Reply> {
  if (!scans.has(id)) return unknownCode
  const events: Reply['events'] = (send) =>
    scans.listen(id, (scan) => send({ ...scanMembers(scan), ...(scan.minted && { minted: scan.minted }) }))
  return { status: 200, body: null, events }
}

const unknownCode = failure(404, 'scan_not_found', 'This code is unknown.')

function answer(scan: Scan | undefined): Reply {
  return scan ? { status: 200, body: scanMembers(scan) } : unknownCode
}

function scanMembers({ code, state, expiresAt, order: { shopName, domain, amount, currency } }: Scan): object {
  return { code, state, expires_at: expiresAt.toISOString(), shop_name: shopName, domain, amount, currency }
}

function texts(order: Readonly<Record<keyof Omit<ScanOrder, 'mint'>, unknown>>): Omit<ScanOrder, 'mint'> {
  const { shopName, domain, amount, currency } = order
  return { shopName: String(shopName), domain: String(domain), amount: String(amount), currency: String(currency) }
}
