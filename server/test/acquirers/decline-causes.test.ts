/** What payers read about the declines of each connector's table. Chapter 30 §7.2. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DeclineCause, declineCause } from '#domain/checkout/decline-cause.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'
import { refusals } from '#server/connectors/adyen/declines.ts'
import { declineClassOf, declineReasonOf } from '#server/connectors/checkout/declines.ts'
import { declineOf as declineOfCybersource, declineReasons } from '#server/connectors/cybersource/declines.ts'
import { dialectSchema } from '#server/connectors/iso8583/dialect.ts'
import iso1987 from '#server/connectors/iso8583/dialects/iso1987-ascii.json' with { type: 'json' }
import iso1993 from '#server/connectors/iso8583/dialects/iso1993-binary.json' with { type: 'json' }
import { responseCodes } from '#server/connectors/paypal/declines.ts'
import { declinedIssues } from '#server/connectors/paypal/issues.ts'
import { declineCodes } from '#server/connectors/stripe/declines.ts'

type Row = readonly [code: string, declineClass: DeclineClass, reason: string]

/** Checkout.com sends the words with the code ("API response codes", December 2025). */
// biome-ignore format: a table is read in columns.
const checkoutSummaries: readonly (readonly [code: string, summary: string])[] = [
  [ '20005', 'Declined - Do not honour' ],              [ '20051', 'Insufficient Funds' ],
  [ '20054', 'Expired card' ],                          [ '20059', 'Suspected fraud' ],
  [ '20062', 'Restricted card' ],                       [ '20063', 'Security violation' ],
  [ '20087', 'Bad track data (invalid CVV and/or expiry date)' ],
  [ '20183', 'Suspected fraud' ],                       [ '30004', 'Pick up card (No fraud)' ],
  [ '30007', 'Pick up card - Special conditions' ],     [ '30033', 'Expired card - Pick up' ],
  [ '30034', 'Suspected fraud - Pick up' ],             [ '30035', 'Contact acquirer - Pick up' ],
  [ '30036', 'Restricted card - Pick up' ],             [ '30037', 'Call acquirer security - Pick up' ],
  [ '30038', 'Allowable PIN tries exceeded - Pick up' ], [ '30041', 'Lost card - Pick up' ],
  [ '30043', 'Stolen card - Pick up' ],                 [ '43102', 'Risk - blocked' ],
]

const networkCodes = ['04', '07', '41', '43', '59', '63']

const dialectRows = (dialect: unknown): readonly Row[] =>
  Object.entries(dialectSchema.parse(dialect).codes).flatMap(([code, meaning]) =>
    meaning.outcome === 'declined' ? [[code, meaning.class, meaning.reason] as const] : [],
  )

interface Table {
  readonly rows: readonly Row[]
  /** Codes for a lost or stolen card, a card to be retained, and suspected fraud, by the acquirer's documentation. */
  readonly confidential: string
  readonly funds: string
  readonly expiredCard: string
}

const tables: Readonly<Record<string, Table>> = {
  adyen: {
    rows: refusals.map(([code, reason, declineClass]) => [code, declineClass, reason]),
    confidential: '5 14 20 22 25 31',
    funds: '12',
    expiredCard: '6',
  },
  stripe: {
    rows: declineCodes,
    confidential: `fraudulent highest_risk_level elevated_risk_level rule lost_card stolen_card pickup_card merchant_blacklist
      restricted_card security_violation`,
    funds: 'insufficient_funds',
    expiredCard: 'expired_card',
  },
  checkout: {
    rows: checkoutSummaries.map(([code, summary]) => [code, declineClassOf(code), declineReasonOf(code, summary)]),
    confidential: '20059 20062 20063 20183 30004 30007 30033 30034 30035 30036 30037 30038 30041 30043 43102',
    funds: '20051',
    expiredCard: '20054',
  },
  paypal: {
    rows: [...responseCodes, ...declinedIssues],
    confidential:
      '5150 9500 9510 9520 PPSC 1352 5180 PPAB PAYEE_BLOCKED_TRANSACTION TRANSACTION_BLOCKED_BY_PAYEE COMPLIANCE_VIOLATION',
    funds: '5120',
    expiredCard: '5400 PPEF CARD_EXPIRED',
  },
  cybersource: {
    rows: [
      ...declineReasons.map(([reason, , declineClass, text]) => [reason, declineClass, text] as const),
      ...networkCodes.map((code): Row => {
        const { declineClass, reason } = declineOfCybersource('PROCESSOR_DECLINED', code)
        return [code, declineClass, reason]
      }),
    ],
    confidential: `STOLEN_LOST_CARD BLACKLISTED_CUSTOMER SUSPENDED_ACCOUNT SCORE_EXCEEDS_THRESHOLD DECISION_PROFILE_REVIEW
      DECISION_PROFILE_REJECT CUSTOMER_WATCHLIST_MATCH ADDRESS_COUNTRY_WATCHLIST_MATCH EMAIL_COUNTRY_WATCHLIST_MATCH
      IP_COUNTRY_WATCHLIST_MATCH ${networkCodes.join(' ')}`,
    funds: 'INSUFFICIENT_FUND EXCEEDS_CREDIT_LIMIT',
    expiredCard: 'EXPIRED_CARD',
  },
  'iso8583 of 1987': {
    rows: dialectRows(iso1987),
    confidential: '04 07 34 36 41 43 59 62 63 93',
    funds: '51',
    expiredCard: '33 54',
  },
  'iso8583 of 1993': {
    rows: dialectRows(iso1993),
    confidential: '102 104 105 122 124 129 202 204 205 207 208 209 210',
    funds: '116',
    expiredCard: '101 201',
  },
}

for (const [connector, table] of Object.entries(tables)) {
  describe(connector, () => {
    const causeOf = (code: string): DeclineCause => {
      const row = table.rows.find(([one]) => one === code)
      assert.ok(row, `${connector} has no code ${code}.`)
      return declineCause(row[1], row[2])
    }
    const expectCause = (codes: string, cause: DeclineCause): void => {
      for (const code of codes.split(/\s+/)) assert.equal(causeOf(code), cause, code)
    }

    test('a lost or stolen card and suspected fraud look like any refusal of the issuer', () => {
      expectCause(table.confidential, 'issuer')
      // Includes rows that are added later.
      const secrets = table.rows.filter(
        ([code, declineClass, reason]) =>
          declineClass === 'fraud' || /lost|stolen|fraud|pick.?up|counterfeit/i.test(`${code} ${reason}`),
      )
      assert.ok(secrets.length > 0)
      for (const [code, declineClass, reason] of secrets)
        assert.equal(declineCause(declineClass, reason), 'issuer', code)
    })

    test('a payer without enough money and one with an expired card read so', () => {
      expectCause(table.funds, 'funds')
      expectCause(table.expiredCard, 'expiredCard')
    })

    test('a plain refusal of the issuer reads the same as a confidential one', () => {
      const plain = table.rows.filter(([, , reason]) => /do not hono|^refused$|declined by the issuer/i.test(reason))
      assert.ok(plain.length > 0)
      for (const [code, declineClass, reason] of plain) assert.equal(declineCause(declineClass, reason), 'issuer', code)
    })
  })
}
