/**
 * Rows of Chapter 40 §19.2 that cannot be tested by sending a token to one instance: a denied serial, a Checkout session, a list of expired
 * keys, a live instance. The token is the sandbox's; the checks get what such an instance would give them.
 */
import { generateKeyPairSync } from 'node:crypto'
import { z } from 'zod'
import { openWalletA } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/tokens/formats/wallet-b.ts'
import { gatewayRecipient } from '#server/wallets/tokens/formats/wallet-b-signature.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import type { OpenedToken } from '#server/wallets/tokens/opened-token.ts'
import { sampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { active, providerTrust, termsB as samplesB } from '#server/wallets/tokens/testing/terms.ts'
import { loadWalletATrust, loadWalletBTrust } from '#server/wallets/tokens/trust.ts'
import type { FaultRow, Version } from '../../cli/wallet/matrix-cells.ts'
import { walletOfVersion } from '../../cli/wallet/matrix-cells.ts'

interface JudgedRow {
  readonly name: string
  readonly expected: string
  readonly actual: string
}

/** Each row in each of its versions, in card flow. */
export async function judgeRows(
  sandboxUrl: string,
  rows: readonly FaultRow[],
  now: Date,
): Promise<readonly JudgedRow[]> {
  const authorities = {
    usual: authority.parse(await askSimulator(`${sandboxUrl}/wallet/authority`)),
    expired: authority.parse(await askSimulator(`${sandboxUrl}/wallet/authority?roots=expired`)),
  }
  const judged: JudgedRow[] = []
  for (const row of rows) {
    for (const version of row.versions) {
      const token = mintedSchema.parse(await askSimulator(`${sandboxUrl}/wallet/tokens`, mintRequest(row, version)))
      const opened = open({ row, version, token, authorities, now })
      const failed = opened.record.checks.find(({ result }) => result === 'failed')?.id ?? 'passed'
      judged.push({
        name: `${row.number} ${row.fault} of ${version}`,
        expected: row.checks[version] ?? '',
        actual: failed,
      })
    }
  }
  return judged
}

const ec = sampleKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const merchantIdentifier = 'merchant.example.campaign'
const gatewayMerchantId = 'campaign'

const mintRequest = ({ fault }: FaultRow, version: Version) => ({
  wallet: walletOfVersion(version),
  version,
  fault,
  amount: '1.99',
  currency: 'USD',
  recipient: {
    merchant_identifier: merchantIdentifier,
    keys: [ec, rsa].map(({ spki }) => ({ state: 'current', spki: spki.toString('base64') })),
    gateway: 'gatehouse',
    gateway_merchant_id: gatewayMerchantId,
    environment: 'TEST',
  },
})

const mintedSchema = z.object({ token: z.string(), facts: z.record(z.string(), z.string().nullable()) })
const authority = z.object({ root_pem: z.string(), wallet_b: z.object({ TEST: z.unknown() }) })

interface Judgement {
  readonly row: FaultRow
  readonly version: Version
  readonly token: z.infer<typeof mintedSchema>
  readonly authorities: Readonly<Record<'usual' | 'expired', z.infer<typeof authority>>>
  readonly now: Date
}

function open(judgement: Judgement): OpenedToken {
  return walletOfVersion(judgement.version) === 'walletapay' ? openA(judgement) : openB(judgement)
}

function openA({ row: { run }, token: { token, facts }, authorities, now }: Judgement): OpenedToken {
  const { root_pem: pem } = authorities.usual
  return openWalletA(token, {
    now,
    lifetimeSeconds: 300,
    trust:
      run === 'live instance'
        ? providerTrust()
        : loadWalletATrust({ instanceMode: 'sandbox', source: 'sandbox authority', pem, sha256: null }),
    known: new KnownCertificates(),
    deniedSerials: new Set(run === 'deny serial' ? [facts['leaf_serial'] ?? ''] : []),
    flow: {
      kind: 'card',
      reason: 'processing key',
      keys: [active(ec), active(rsa)],
      merchantIdentifier,
      order: { currency: 'USD', amountMinor: 199n },
    },
    bindingValue: run === 'checkout' ? 'this session' : null,
  })
}

function openB({ row: { run }, token: { token }, authorities, now }: Judgement): OpenedToken {
  const list = run === 'expired roots' ? authorities.expired : authorities.usual
  return openWalletB(token, {
    now,
    trust:
      run === 'live instance'
        ? samplesB.trust
        : loadWalletBTrust({
            instanceMode: 'sandbox',
            source: 'sandbox authority',
            environment: 'TEST',
            json: JSON.stringify(list.wallet_b.TEST),
            shippedFingerprints: new Set(),
          }),
    known: new KnownIntermediates(),
    recipients: { gateway: gatewayRecipient('gatehouse', gatewayMerchantId), merchant: null },
    flow: { kind: 'card', reason: 'private key', keys: [active(ec)] },
    allowedAuthMethods: run === 'no pan only' ? ['CRYPTOGRAM_3DS'] : null,
  })
}

async function askSimulator(url: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { ...(body && { method: 'POST', headers, body: JSON.stringify(body) }) })
  if (!reply.ok) throw new Error(`The sandbox answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}
