/**
 * What every connector owes that answers disputes: the requests that go out, in their order; and that neither a silence nor an answer of a stranger is
 * taken for an arrival, or for a refusal once the step that counts was sent. Chapter 60 §5.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import type { AcquirerAccount } from '../connector.ts'
import { connectorById } from '../registry.ts'
import { readFixtures } from '../testing/contract-fixtures.ts'
import { defence, delivery, disputeCase, receipt } from '../testing/dispute-samples.ts'
import { FakeAcquirer, type FakeReply, refusedConnection } from '../testing/fake-acquirer.ts'
import { openApi } from '../testing/openapi.ts'
import { createWires, type Wires } from '../wire.ts'
import {
  answerDispute,
  askAbout,
  type CaseState,
  type DisputeAnswerOutcome,
  type DisputeDefence,
  toUnanswered,
} from './dispute-answer.ts'

const base64 = (bytes: Buffer): string => bytes.toString('base64')

const adyenCase = { disputePspReference: 'DSP-1', merchantAccountCode: 'GatehouseECOM' }
const adyenSuccess: FakeReply = { status: 200, body: { disputeServiceResult: { success: true } } }
const adyenReasons: FakeReply = {
  status: 200,
  body: {
    disputeServiceResult: { success: true },
    defenseReasons: [
      {
        defenseReasonCode: 'GoodsWereAsDescribed',
        satisfied: false,
        defenseDocumentTypes: [
          { defenseDocumentTypeCode: 'GoodsWereAsDescribed', requirementLevel: 'Required', available: false },
          { defenseDocumentTypeCode: 'TIDorInvoice', requirementLevel: 'Required', available: false },
        ],
      },
    ],
  },
}
const stripeDispute = (status: string): FakeReply => ({
  status: 200,
  body: { id: 'DSP-1', object: 'dispute', amount: 1000, currency: 'eur', created: 1, reason: 'fraudulent', status },
})

/** One request: its line, and its JSON, or the names and contents of its parts. */
type Step = readonly [line: string, content: unknown, reply: FakeReply]

interface Sample {
  readonly contest: readonly Step[]
  readonly accept: readonly Step[]
  readonly reason: string | null
  /** How the acquirer refuses the step that counts. */
  readonly refusal: FakeReply
  /** What people read of that: the acquirer's own words, as far as it has any. */
  readonly sentence: string
  readonly ask: Readonly<Record<string, readonly [path: string, reply: FakeReply]>> | null
}

const samples: Readonly<Record<string, Sample>> = {
  adyen: {
    reason: 'GoodsWereAsDescribed',
    contest: [
      ['POST /ca/services/DisputeService/v30/retrieveApplicableDefenseReasons', adyenCase, adyenReasons],
      [
        'POST /ca/services/DisputeService/v30/supplyDefenseDocument',
        {
          ...adyenCase,
          defenseDocuments: [
            {
              defenseDocumentTypeCode: 'GoodsWereAsDescribed',
              contentType: 'image/jpg',
              content: base64(delivery.bytes),
            },
            { defenseDocumentTypeCode: 'TIDorInvoice', contentType: 'application/pdf', content: base64(receipt.bytes) },
          ],
        },
        adyenSuccess,
      ],
      [
        'POST /ca/services/DisputeService/v30/defendDispute',
        { ...adyenCase, defenseReasonCode: 'GoodsWereAsDescribed' },
        adyenSuccess,
      ],
    ],
    accept: [['POST /ca/services/DisputeService/v30/acceptDispute', adyenCase, adyenSuccess]],
    refusal: { status: 200, body: { disputeServiceResult: { success: false, errorMessage: 'Not defendable' } } },
    sentence: 'Not defendable.',
    ask: null,
  },
  stripe: {
    reason: null,
    contest: [
      [
        'POST /v1/files',
        ['purpose: dispute_evidence', partOf('file', delivery)],
        { status: 200, body: { id: 'file_1', object: 'file' } },
      ],
      [
        'POST /v1/files',
        ['purpose: dispute_evidence', partOf('file', receipt)],
        { status: 200, body: { id: 'file_2', object: 'file' } },
      ],
      [
        'POST /v1/disputes/DSP-1',
        'evidence[shipping_documentation]=file_1&evidence[receipt]=file_2&submit=true',
        stripeDispute('under_review'),
      ],
    ],
    accept: [['POST /v1/disputes/DSP-1/close', '', stripeDispute('lost')]],
    refusal: {
      status: 400,
      body: {
        error: {
          type: 'invalid_request_error',
          code: 'dispute_evidence_page_limit_exceeded',
          message: `This dispute's evidence has 20 pages, & the card network allows "19" (95%).\nTry again with fewer.`,
        },
      },
    },
    sentence: `This dispute's evidence has 20 pages, & the card network allows "19" (95%). Try again with fewer.`,
    ask: {
      open: ['/v1/disputes/DSP-1', stripeDispute('needs_response')],
      answered: ['/v1/disputes/DSP-1', stripeDispute('under_review')],
      decided: ['/v1/disputes/DSP-1', stripeDispute('won')],
    },
  },
  checkout: {
    reason: null,
    contest: [
      ['POST /files', ['purpose: dispute_evidence', partOf('file', delivery)], { status: 200, body: { id: 'file_1' } }],
      ['POST /files', ['purpose: dispute_evidence', partOf('file', receipt)], { status: 200, body: { id: 'file_2' } }],
      [
        'PUT /disputes/DSP-1/evidence',
        { proof_of_delivery_or_service_file: 'file_1', invoice_or_receipt_file: 'file_2' },
        { status: 204 },
      ],
      ['POST /disputes/DSP-1/evidence', '', { status: 204 }],
    ],
    accept: [['POST /disputes/DSP-1/accept', '', { status: 204 }]],
    refusal: { status: 422, body: { error_type: 'request_invalid', error_codes: ['evidence_required'] } },
    sentence: 'request_invalid, evidence_required.',
    ask: {
      open: ['/disputes/DSP-1', { status: 200, body: { id: 'DSP-1', status: 'evidence_required' } }],
      answered: ['/disputes/DSP-1', { status: 200, body: { id: 'DSP-1', status: 'evidence_under_review' } }],
      decided: ['/disputes/DSP-1', { status: 200, body: { id: 'DSP-1', status: 'expired' } }],
    },
  },
  paypal: {
    reason: null,
    contest: [
      [
        'POST /v1/customer/disputes/DSP-1/provide-evidence',
        [
          `input: ${JSON.stringify({
            evidences: [
              {
                evidence_type: 'DELIVERY_RECEIPT',
                documents: [{ name: '1-signed-note-.jpg' }],
                notes: 'Proof of delivery or service.',
              },
              {
                evidence_type: 'PROOF_OF_RECEIPT_COPY',
                documents: [{ name: '2-receipt.pdf' }],
                notes: 'Receipt or invoice.',
              },
            ],
          })}`,
          partOf('file1', { ...delivery, name: '1-signed-note-.jpg' }),
          partOf('file2', { ...receipt, name: '2-receipt.pdf' }),
        ],
        { status: 200, body: { links: [] } },
      ],
    ],
    accept: [
      [
        'POST /v1/customer/disputes/DSP-1/accept-claim',
        ['input: {"note":"The seller accepts the claim.","accept_claim_type":"REFUND"}'],
        { status: 200, body: { links: [] } },
      ],
    ],
    refusal: {
      status: 422,
      body: {
        name: 'UNPROCESSABLE_ENTITY',
        details: [{ issue: 'ACTION_NOT_ALLOWED', description: 'The files are larger than PayPal takes' }],
        message: 'The request is not executed.',
        debug_id: '0',
      },
    },
    sentence: 'The files are larger than PayPal takes.',
    ask: {
      open: [
        '/v1/customer/disputes/DSP-1',
        { status: 200, body: { dispute_id: 'DSP-1', status: 'WAITING_FOR_SELLER_RESPONSE' } },
      ],
      answered: ['/v1/customer/disputes/DSP-1', { status: 200, body: { dispute_id: 'DSP-1', status: 'UNDER_REVIEW' } }],
      decided: ['/v1/customer/disputes/DSP-1', { status: 200, body: { dispute_id: 'DSP-1', status: 'RESOLVED' } }],
    },
  },
}

function partOf(field: string, { name, type, bytes }: DisputeDefence['documents'][number]): string {
  return `${field} ${name.replaceAll('"', '%22')} ${type}: ${base64(bytes)}`
}

/** Proxies, outages and half answers. */
const strangers: readonly FakeReply[] = [
  { status: 500 },
  { status: 502, text: '<html>Bad gateway</html>' },
  { status: 404, text: '<html>Not found</html>' },
  { status: 200, text: '<html>Welcome</html>' },
  { status: 200, body: {} },
]

for (const [id, sample] of Object.entries(samples)) describe(`disputes at ${id}`, () => judge(id, sample))

function judge(id: string, { contest, accept, reason, refusal, sentence, ask }: Sample): void {
  const connector = connectorById(id) ?? assert.fail(id)
  const fake = new FakeAcquirer()
  const opened: Wires[] = []
  let open: (settings: Omit<Parameters<typeof createWires>[0], 'clock'>) => AcquirerAccount
  before(async () => {
    await fake.listen()
    const reading = await readFixtures(connector.credentials, new URL(`../${id}/fixtures/`, import.meta.url))
    assert.ok(reading.ok)
    const { base_url: _replaced, ...credentials } = Object(reading.fixtures.credentials)
    if (reading.fixtures.token) fake.issueTokens(reading.fixtures.token.path, reading.fixtures.token.reply)
    open = (settings) => {
      const wires = createWires({ clock: { now: () => new Date('2026-03-01T12:00:00Z') }, ...settings })
      opened.push(wires)
      return connector.open(credentials, wires, 'test')
    }
  })
  after(async () => {
    await Promise.all(opened.map((wires) => wires.close()))
    fake.close()
  })

  const contract = (settings: Parameters<typeof open>[0] = { connect: () => fake.connect }) =>
    open(settings).disputes ?? assert.fail('The connector answers disputes.')
  const raise = (fault: unknown): never => {
    throw fault
  }
  const outcomeOf = (call: () => Promise<DisputeAnswerOutcome>) => answerDispute(call, raise)
  const answers = [
    ['contest', contest, (to = contract()) => outcomeOf(() => to.contest({ ...defence, reason }))],
    ['accept', accept, (to = contract()) => outcomeOf(() => to.accept(disputeCase))],
  ] as const

  for (const [name, steps, run] of answers) {
    test(`${name} sends what the acquirer documents, and is taken`, async () => {
      fake.answerInTurn(steps.map(([, , reply]) => reply))
      assert.deepEqual(await run(), { result: 'accepted' })
      const sent = await Promise.all(fake.sent.map(async (one) => [`${one.method} ${one.path}`, await contentOf(one)]))
      assert.deepEqual(
        sent,
        steps.map(([line, content]) => [line, content]),
      )
    })

    test(`${name}: a refusal of the last step is one, and its words are shown`, async () => {
      fake.answerInTurn([...steps.slice(0, -1).map(([, , reply]) => reply), refusal])
      assert.deepEqual(await run(), { result: 'refused', reason: `The acquirer refused the answer: ${sentence}` })
    })

    test(`${name}: files that are too large for the acquirer are refused at every step, and not sent again`, async () => {
      const replies = steps.map(([, , reply]) => reply)
      for (const index of replies.keys()) {
        // The reasons of Adyen are asked for without files.
        if (id === 'adyen' && name === 'contest' && index === 0) continue
        fake.answerInTurn([...replies.slice(0, index), { status: 413, text: '<html>Request Entity Too Large</html>' }])
        const outcome = await run()
        assert.equal(outcome.result, 'refused', `${index}`)
        assert.match('reason' in outcome ? outcome.reason : '', /too large. Use smaller files/)
      }
    })

    test(`${name}: an answer of a stranger to the last step leaves it unknown, and one before it sends nothing that counts`, async () => {
      const replies = steps.map(([, , reply]) => reply)
      for (const stranger of strangers) {
        for (const index of replies.keys()) {
          fake.answerInTurn([...replies.slice(0, index), stranger])
          const { result } = await run()
          assert.equal(
            result,
            index === replies.length - 1 ? 'unknown' : 'not-sent',
            `${index} ${JSON.stringify(stranger)}`,
          )
          assert.equal(fake.requests, index + 1)
        }
      }
    })

    test(`${name}: without a connection it was not sent`, async () => {
      assert.equal((await run(contract({ connect: () => refusedConnection }))).result, 'not-sent')
    })
  }

  test('the acquirer is asked where it can be, and a stranger’s answer says nothing', async () => {
    const { ask: question } = contract()
    assert.equal(question !== undefined, ask !== null)
    if (!question || !ask) return
    const askNow = (): Promise<CaseState> => askAbout(() => question('DSP-1'), raise)
    for (const [caseState, [path, reply]] of Object.entries(ask)) {
      fake.answer(reply)
      assert.equal(await askNow(), caseState)
      assert.equal(`${fake.last().method} ${fake.last().path}`, `GET ${path}`)
    }
    for (const stranger of strangers) {
      fake.answer(stranger)
      assert.equal(await askNow(), null)
    }
  })
}

/** JSON, the text of a form, or one line per part. */
async function contentOf({ headers, bytes, body }: FakeAcquirer['sent'][number]): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return JSON.parse(body)
  if (!type.startsWith('multipart/form-data')) return decodeURIComponent(body)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const lines: string[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
    else
      lines.push(
        `${name} ${value.name.replaceAll('"', '%22')} ${value.type}: ${base64(Buffer.from(await value.arrayBuffer()))}`,
      )
  }
  return lines
}

test('an acquirer is quoted on one line, up to a length, without card numbers, markup and characters that do not print', () => {
  const quoted = (words: string) => {
    const outcome = toUnanswered({ status: 400 }, words)
    return 'reason' in outcome ? outcome.reason.replace('The acquirer refused the answer: ', '') : outcome.result
  }
  assert.equal(quoted('  Too long:\n  “a.pdf” has 20 pages '), 'Too long: “a.pdf” has 20 pages.')
  assert.equal(quoted('Is it open?'), 'Is it open?')
  assert.equal(quoted('The card 4111 1111 1111 1111 is known.'), 'The card 411111******1111 is known.')
  for (const other of ['', '<b>No</b>', 'a\u202eb', 'a\u0000b']) assert.equal(quoted(other), 'no reason.')
  assert.equal(quoted('a'.repeat(600)), `${'a'.repeat(500)}…`)
})

const adyenDocument = openApi('adyen-disputes-v30.json')
const paypalDocument = openApi('paypal-customer_disputes_v1.json')
const skip = (adyenDocument === null || paypalDocument === null) && 'the OpenAPI documents are not beside the project'

test('requests to Adyen and the evidence for PayPal are valid by their OpenAPI documents', { skip }, () => {
  const { adyen, paypal } = samples
  for (const [line, body] of [...(adyen?.contest ?? []), ...(adyen?.accept ?? [])]) {
    const path = line.replace('POST /ca/services/DisputeService/v30', '')
    assert.deepEqual(adyenDocument?.requestFaults('POST', path, body), [], line)
  }
  const [input = ''] = z.array(z.string()).parse(paypal?.contest[0]?.[1])
  const { evidences } = JSON.parse(input.replace(/^input: /, ''))
  assert.equal(evidences.length, 2)
  for (const evidence of evidences) assert.deepEqual(paypalDocument?.schemaFaults('evidence', evidence), [])
  assert.notDeepEqual(paypalDocument?.schemaFaults('evidence', { evidence_type: 'UNHEARD_OF' }), [])
})
