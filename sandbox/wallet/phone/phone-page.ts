/**
 * Answers the requests to the virtual phone (Chapter 40 §20.4), on whose sheet a payer confirms, for testers without a phone that has the wallet.
 *
 * It is a form, so it works without scripts and under any address at which a gateway shows it. The script only validates earlier, and
 * cancels when the window is closed.
 */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import { simulatorCards } from '../cards.ts'
import { faultRows } from '../mint/faults.ts'
import { versionsOf } from '../mint/mint-request.ts'
import { type Choice, type Sheet, sheetPage, wordsPage } from './phone-sheet.ts'
import { isOpen, type Scan, type ScanExchange } from './scan.ts'

export async function showPhone(scans: ScanExchange, { query }: Call): Promise<Reply> {
  const scan = scans.open(query.get('code') ?? '')
  return scan && isOpen(scan) ? sheetPage(200, sheetOf(scan), null) : showEnded(scan)
}

export async function answerPhone(scans: ScanExchange, { body }: Call): Promise<Reply> {
  const { code = '', decision, os_version: osVersion, ...choices } = fieldsOf(body)
  const before = scans.find(code)
  if (before === undefined || !isOpen(before)) return showEnded(before)
  if (decision !== 'confirm') return showEnded(scans.cancel(code))
  const confirmed = await scans.confirm(code, { osVersion: Number(osVersion), choices })
  if (typeof confirmed === 'string') return sheetPage(400, sheetOf(before), confirmed)
  return showEnded(confirmed)
}

/** Explains how a code ended that is no longer open. */
function showEnded(scan: Scan | undefined): Reply {
  if (!scan) return wordsPage(404, 'Unknown code', 'This code is unknown. Get a new code on the shop’s page.')
  switch (scan.state) {
    case 'confirmed':
      return wordsPage(200, 'Confirmed', 'The payment is confirmed. Continue on the shop’s page.')
    case 'cancelled':
      return wordsPage(200, 'Cancelled', 'The payment was cancelled. Nothing was paid.')
    case 'expired':
      return wordsPage(
        410,
        'Expired',
        'This code has expired; codes are valid for five minutes. Get a new code on the shop’s page.',
      )
    case 'waiting':
    case 'opened':
      return sheetPage(200, sheetOf(scan), null)
  }
}

function sheetOf({ code, order }: Scan): Sheet {
  const wallet = order.mint['wallet'] === 'walletbpay' ? 'walletbpay' : 'walletapay'
  const version = versionsOf[wallet].find((one) => one === order.mint['version']) ?? versionsOf[wallet][0]
  const faults = faultRows.filter(({ versions }) => versions.includes(version))
  return {
    code,
    rows: [
      ['Shop', order.shopName],
      ['Website', order.domain],
      ['Amount', `${order.amount} ${order.currency}`],
    ],
    cards: simulatorCards.map(({ name, network, dpan, outcome }) => [
      name,
      `${network} •••• ${dpan.slice(-4)}: ${outcome}`,
    ]),
    numbers: wallet === 'walletapay' ? [...numbers, ['MPAN', 'Merchant token']] : numbers,
    behaviours: [
      ['none', 'Valid token'],
      ...faults.map(({ fault, mutation }): Choice => [fault, `${fault}: ${mutation}`]),
    ],
  }
}

const numbers: readonly Choice[] = [
  ['DPAN', 'Device number'],
  ['FPAN', 'Card number'],
]

function fieldsOf(body: unknown): Readonly<Partial<Record<string, string>>> {
  if (!isObject(body)) return {}
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))
}
