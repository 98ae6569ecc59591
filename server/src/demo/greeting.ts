/** The text shown when the service is ready: addresses, demo credentials, and a first payment to paste. */

import { pan10 } from '#domain/card.ts'
import { cardFormulas, sign } from '#domain/signature/signature.ts'
import type { DemoCredentials } from './demo-data.ts'
import { type DemoOwner, panelAddress } from './owner.ts'

const testCard = '4111111111111111'
const email = 'doe@example.com'

export interface Addresses {
  readonly baseUrl: string
  /** The panel's address without its path; null if this process does not serve it. */
  readonly panelUrl: string | null
  readonly sandboxUrl: string | null
  readonly shopUrl: string | null
}

interface DemoAcquirer {
  readonly merchant: string
  readonly key: string
  readonly test_key: string
  readonly password: string
  readonly ledger_url: string
  /** Null where the company reports no disputes. */
  readonly disputes_url: string | null
}

interface Demo {
  readonly merchants: readonly DemoCredentials[]
  /** Merchants of the stand-ins that `--acquirers` started. */
  readonly acquirers: readonly DemoAcquirer[]
  readonly owner: DemoOwner | null
  /** All of this as JSON. */
  readonly file: string
}

export function greeting(addresses: Addresses, { merchants, acquirers, owner, file }: Demo): string {
  const lines = ['', `  Gatehouse is ready: ${addresses.baseUrl}`]
  if (addresses.panelUrl !== null) lines.push(`  Panel:              ${panelOf(addresses.panelUrl, owner)}`)
  if (addresses.sandboxUrl) lines.push(`  Documentation:      ${addresses.baseUrl}/docs`)
  if (addresses.shopUrl) lines.push(`  Demo shop:          ${addresses.shopUrl}`)
  if (addresses.sandboxUrl)
    lines.push(`  Sandbox acquirer:   ${addresses.sandboxUrl}  (its ledger: ${addresses.sandboxUrl}/ledger)`)
  const [first] = merchants
  if (first) {
    lines.push('', '  Demo merchants (key · test key · password):')
    for (const { name, key, test_key, password } of merchants)
      lines.push(`    ${name.padEnd(20)} ${key}  ${test_key}  ${password}`)
    if (acquirers.length > 0)
      lines.push('', '  Merchants of the acquirers’ stand-ins, each with its ledger and its page of disputes:')
    for (const { merchant, key, test_key, password, ledger_url, disputes_url } of acquirers)
      lines.push(
        `    ${merchant.padEnd(20)} ${key}  ${test_key}  ${password}  ${ledger_url}`,
        ...(disputes_url === null ? [] : [`    ${''.padEnd(20)} ${disputes_url}`]),
      )
    lines.push('', `  As JSON: ${file}`, '', '  Try a first payment:', '', firstPayment(addresses.baseUrl, first))
  }
  return `${lines.join('\n')}\n`
}

/** A user who has changed the demo login knows the new one. */
const panelOf = (panelUrl: string, owner: DemoOwner | null): string =>
  owner === null
    ? panelAddress(panelUrl)
    : `${panelAddress(panelUrl)}  (demo login: ${owner.email} · ${owner.password})`

function firstPayment(baseUrl: string, { key, password }: DemoCredentials): string {
  const hash = sign(cardFormulas.start, { email, pan10: pan10(testCard) }, { password, digest: 'md5' })
  return [
    `  curl ${baseUrl}/post \\`,
    `    -d action=SALE -d client_key=${key} \\`,
    '    -d order_id=ORDER-1 -d order_amount=10.00 -d order_currency=EUR -d order_description=Shoes \\',
    `    -d card_number=${testCard} -d card_exp_month=01 -d card_exp_year=2038 -d card_cvv2=000 \\`,
    `    -d payer_first_name=John -d payer_last_name=Doe -d payer_email=${email} -d payer_phone=199999999 \\`,
    '    -d payer_ip=203.0.113.7 -d term_url_3ds=https://shop.example.com/return \\',
    `    -d hash=${hash}`,
    '',
  ].join('\n')
}
