/** The addresses of the wallet simulator, one row each (Chapter 40 §20.3). A sandbox gateway exposes them under `/simulator`. */
import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../kit/reply.ts'
import type { Call, Routes } from '../kit/routes.ts'
import { standIn } from './browser-stand-ins.ts'
import { cardExpiry, simulatorCards } from './cards.ts'
import type { RotatedPart } from './certificates/authority.ts'
import { pem } from './certificates/certificate.ts'
import { readCertificateRequest } from './certificates/merchant-certificate.ts'
import { faultRows, runs } from './mint/faults.ts'
import { answerPhone, showPhone } from './phone/phone-page.ts'
import { beginScan, cancelScan, confirmScan, showScan, streamScan } from './phone/scan-routes.ts'
import type { Wallet } from './wallet.ts'
import { environments, keyListOf } from './wallet-b-keys.ts'

// biome-ignore format: a table is read in columns.
export const walletRoutes = (wallet: Wallet): Routes => [
  // address                            answers
  [ 'POST /wallet/tokens',              (call) => mintToken(wallet, call) ],
  [ 'GET /wallet/tokens/:id',           async ({ parameters: [id = ''] }) => wallet.findMinted(id) ],
  [ 'GET /wallet/cards',                showCards ],
  [ 'GET /wallet/faults',               showFaults ],
  [ 'GET /wallet/authority',            (call) => showAuthority(wallet, call) ],
  [ 'POST /wallet/authority/rotate',    (call) => rotate(wallet, call) ],
  [ 'POST /wallet/certificates',        (call) => issueCertificate(wallet, call) ],
  [ 'POST /wallet/registrations',       (call) => registerMerchant(wallet, call) ],
  [ 'POST /wallet/scan',                (call) => beginScan(wallet.scans, call) ],
  [ 'GET /wallet/scan/:code',           (call) => showScan(wallet.scans, call) ],
  [ 'POST /wallet/scan/:code/confirm',  (call) => confirmScan(wallet.scans, call) ],
  [ 'POST /wallet/scan/:code/cancel',   (call) => cancelScan(wallet.scans, call) ],
  [ 'GET /wallet/scan/:id/events',      (call) => streamScan(wallet.scans, call) ],
  [ 'GET /wallet/phone',                (call) => showPhone(wallet.scans, call) ],
  [ 'POST /wallet/phone',               (call) => answerPhone(wallet.scans, call) ],
  [ 'GET /wallet/stand-in.js',          standIn ],
]

async function mintToken(wallet: Wallet, { body }: Call): Promise<Reply> {
  const answer = await wallet.mint(body)
  return typeof answer === 'string' ? invalid(answer) : { status: 200, body: answer }
}

async function showCards(): Promise<Reply> {
  const expiry = `${cardExpiry.month}/${cardExpiry.year}`
  return { status: 200, body: { cards: simulatorCards.map((card) => ({ ...card, expiry })) } }
}

async function showFaults(): Promise<Reply> {
  const faults = faultRows.map(({ number, fault, versions, mutation, checks, card, virtual, run }) => ({
    number,
    fault,
    versions,
    mutation,
    checks,
    card,
    virtual,
    run,
    to_do: runs[run],
  }))
  return { status: 200, body: { faults } }
}

/** With `?roots=expired`, the lists as they are when no root key is valid any more. */
async function showAuthority({ authority, sessions }: Wallet, { query }: Call): Promise<Reply> {
  const [{ root }, keys, session] = await Promise.all([authority.chain(), authority.walletB(), sessions.address()])
  const expiresAt = query.get('roots') === 'expired' ? new Date(0) : keys.expiresAt
  const lists = environments.map((environment) => [environment, keyListOf(keys[environment], expiresAt)])
  return {
    status: 200,
    body: {
      root_pem: pem(root),
      wallet_b: Object.fromEntries(lists),
      session: { url: session.url, ca_pem: session.caPem },
    },
  }
}

const rotatableParts: readonly RotatedPart[] = ['leaf', 'intermediate', 'wallet-b-intermediate']

async function rotate({ authority }: Wallet, { body }: Call): Promise<Reply> {
  const { what, overlap_seconds: overlap = 0 } = fieldsOf(body)
  const known = rotatableParts.find((one) => one === what)
  if (known === undefined) return invalid(`what: Use ${rotatableParts.join(', ')}.`)
  if (!Number.isInteger(overlap) || Number(overlap) < 0)
    return invalid('overlap_seconds: Must be a whole number of seconds.')
  await authority.rotate(known, Number(overlap))
  return { status: 200, body: { rotated: known } }
}

async function issueCertificate({ authority }: Wallet, { body }: Call): Promise<Reply> {
  const request = readCertificateRequest(body)
  if (typeof request === 'string') return invalid(request)
  return { status: 200, body: { certificate_pem: await authority.issueToMerchant(request) } }
}

/** From now on sessions are issued for these domains only. */
async function registerMerchant(wallet: Wallet, { body }: Call): Promise<Reply> {
  const { merchant_identifier: merchantIdentifier, domains } = fieldsOf(body)
  if (typeof merchantIdentifier !== 'string' || merchantIdentifier === '') {
    return invalid('merchant_identifier: This value should not be blank.')
  }
  if (!Array.isArray(domains) || domains.length > MAX_DOMAINS)
    return invalid(`domains: Must be a list of at most ${MAX_DOMAINS} domains.`)
  await wallet.register(merchantIdentifier, domains.map(String))
  return { status: 200, body: { merchant_identifier: merchantIdentifier, domains } }
}

/** A platform registers the domains of all its merchants under one identifier. */
const MAX_DOMAINS = 10_000

const invalid = (message: string): Reply => failure(400, 'invalid_request', message)

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> => (isObject(body) ? body : {})
