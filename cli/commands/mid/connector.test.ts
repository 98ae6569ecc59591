// Written from chapter 60 §4: the acquirer's own test cards through every operation, with a protocol.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'
import { openStandIns, type StandIns } from '../../test/stand-ins.ts'

let standIns: StandIns
before(async () => {
  standIns = await openStandIns()
})
after(() => standIns[Symbol.asyncDispose]())

interface Step {
  readonly step: string
  readonly result: string
  readonly outcome: string
  readonly reference: string | null
}

/** As the payer in a browser: approves on the acquirer's page, and follows it back. */
async function approve(line: string): Promise<void> {
  const [, address] = /^Open in a browser on this machine: (.*)$/.exec(line) ?? []
  if (address === undefined) return
  const body = new URLSearchParams({ decision: 'approve' })
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  await fetch(answer.headers.get('location') ?? '')
}

// biome-ignore format: a table is read in columns.
const rows = [
  // connector       what the acquirer does not have
  [ 'adyen',         [] ],
  [ 'stripe',        [] ],
  [ 'checkout',      [] ],
  [ 'paypal',        ['Void'] ],
  [ 'cybersource',   ['3-D Secure'] ],
  [ 'iso8583',       ['3-D Secure'] ],
] as const

for (const [connector, absent] of rows) {
  test(`${connector}: every step passes, what was charged is reversed, and the protocol has no card data`, async () => {
    const mid = await standIns.createMid(connector)
    const onLine = (line: string) => void approve(line)
    const { code, json, out, err } = await standIns.runWith({ onLine }, 'connector', 'try', mid, '--json')
    const steps: readonly Step[] = json?.steps ?? []
    const wrong = steps.filter(({ result }) => result === 'fail')
    assert.deepEqual([code, wrong], [0, []], err)
    const skipped = steps.filter(({ result }) => result === 'skipped').map(({ step }) => step)
    assert.deepEqual(skipped, absent)
    assert.ok(
      steps.every(({ result, reference }) => result === 'skipped' || reference !== null || connector === 'paypal'),
    )
    assert.doesNotMatch(out + err, /\b[0-9]{13,19}\b/)
    assert.equal(await chargedAt(connector), 0n)
  })
}

/** What the stand-in's record still owes the merchant. */
async function chargedAt(connector: string): Promise<bigint> {
  // biome-ignore format: a table is read in columns.
  const signs: Readonly<Record<string, bigint>> = { sale: 1n, capture: 1n, refund: -1n, void: -1n }
  const effects = (await standIns.listLedger(connector)).map((effect) => effect.split(' '))
  return effects.reduce((sum, [kind = '', amount = '0']) => sum + (signs[kind] ?? 0n) * BigInt(amount), 0n)
}

test('without --json the protocol is a table, and a failed step ends the command with 1', async () => {
  const mid = await standIns.createMid('stripe', { secret_key: 'sk_test_wrong' })
  const { code, out } = await standIns.run('connector', 'try', mid, '--skip-3ds')
  assert.equal(code, 1)
  assert.match(out, /^# Trial of Stripe, MID stripe-[0-9]+\n/)
  assert.match(
    out,
    /\n\| Sale \| sale 10\.00 EUR, test card “approved” \| {2}\| not-executed: .* \| approved \| fail \|\n/,
  )
  assert.match(out, /\n\| 3-D Secure \| .* Skipped by --skip-3ds\. .* skipped \|\n/)
})

test('a MID in live mode is refused unless --live comes with a limit and a card, and nothing is sent', async () => {
  const mid = await standIns.createMid('adyen', { base_url: 'https://proxy.example.com' }, 'live')
  const before = await standIns.listLedger('adyen')
  for (const words of [[], ['--live'], ['--live', '--max-amount', '100'], ['--max-amount', '100']]) {
    const { code, err } = await standIns.run('connector', 'try', mid, ...words)
    assert.equal(code, 1, words.join(' '))
    assert.match(err, /live mode.*\n.*Nothing was sent\./)
  }
  assert.deepEqual(await standIns.listLedger('adyen'), before)
})

test('cards of the operator’s own replace the test cards, stay within the limit, and come from a file only', async () => {
  const mid = await standIns.createMid('cybersource')
  const input = JSON.stringify({ approved: { number: '4111111111111111', month: 12, year: 2031, code: '123' } })
  const words = ['connector', 'try', mid, '--json', '--max-amount', '100']
  const { code, json } = await standIns.runWith({ input }, ...words, '--cards', '@-')
  assert.equal(code, 0)
  assert.match(json.steps[0].sent, /^sale 1\.00 EUR/)
  assert.equal(json.steps.find(({ step }: Step) => step === 'Decline').result, 'skipped')
  assert.equal((await standIns.run(...words, '--cards', input)).code, 2)
  const faulty = await standIns.runWith({ input: '{"approved":{"number":"41"}}' }, ...words, '--cards', '@-')
  assert.match(faulty.err, /approved\.number: Give 12 to 19 digits\./)
})

test('stored credentials that no longer fit the connector are named with what to do, and nothing is sent', async () => {
  await using instance = await openTestInstance()
  const credentials = '{"secret_key":"sk_test_1"}'
  await instance.do('mid', 'create', 'old', '--connector', 'stripe', '--side', 'test', '--credentials', credentials)
  await instance.database.pool.query("update mids set connector = 'adyen' where name = 'old'")
  const { code, err } = await instance.run(['connector', 'try', 'old'])
  assert.equal(code, 1)
  assert.match(
    err,
    /^The stored credentials of the MID old do not fit its connector: \w+: .*\nEnter them again with "gatehouse mid update old --credentials"\. Nothing was changed\.$/,
  )
})
