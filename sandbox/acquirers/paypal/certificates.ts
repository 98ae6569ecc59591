/** The certificate that signs webhooks, and its authority, created once. The certificate is renewed before it ends. */

import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#domain/time.ts'
import {
  type CertifiedKey,
  issue,
  keep,
  mayIssue,
  maySign,
  nameOf,
  restore,
  type StoredCertified,
} from '../../wallet/certificates/certificate.ts'
import { newRsaPair } from '../../wallet/key-pair.ts'
import { now } from '../kit/clock.ts'

export interface WebhookCertificates {
  readonly authority: CertifiedKey
  readonly signer: CertifiedKey
}

interface StoredCertificates {
  readonly authority: StoredCertified
  readonly signer: StoredCertified
}

const yearMs = 365 * dayMs

export async function openCertificates(folder: string): Promise<WebhookCertificates> {
  const file = join(folder, 'webhook-certificates.json')
  const text = await readFile(file, 'utf8').catch(() => null)
  // Only this program writes the file, whole or not at all.
  const stored: StoredCertificates | null = text === null ? null : JSON.parse(text)
  if (stored && Date.parse(stored.signer.until) > now().getTime() + yearMs / 12)
    return { authority: restore(stored.authority), signer: restore(stored.signer) }

  const created = await createCertificates(stored ? restore(stored.authority) : undefined)
  const content: StoredCertificates = { authority: keep(created.authority), signer: keep(created.signer) }
  await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return created
}

/** `commonName` is PayPal's, since the merchant checks it. */
export async function createCertificates(
  known?: CertifiedKey,
  commonName = 'messageverificationcerts.sandbox.paypal.com',
): Promise<WebhookCertificates> {
  const from = new Date(Math.floor(now().getTime() / 1000) * 1000 - dayMs)
  const authority = known ?? (await createAuthority(from))
  const plan = { subject: nameOf(commonName), from, until: new Date(from.getTime() + yearMs), extensions: maySign }
  return { authority, signer: issue(plan, await newRsaPair(), authority) }
}

async function createAuthority(from: Date): Promise<CertifiedKey> {
  const key = await newRsaPair()
  const subject = nameOf('Stand-in authority of webhooks')
  const until = new Date(from.getTime() + 20 * yearMs)
  return issue({ subject, from, until, extensions: mayIssue }, key, { subject, key })
}
