/** A merchant's day with the TypeScript client; the PHP client's is php/test/story.php. */
import { type Answer, type CardParameters, Gatehouse, RefusedError } from '../typescript/src/index.ts'

const email = 'doe@example.com'
const card = '4111111111111111'
const payment = { email, card }

interface Story {
  readonly story: readonly string[]
  readonly paid: string
}

export async function runStory(options: ConstructorParameters<typeof Gatehouse>[0]): Promise<Story> {
  const gatehouse = new Gatehouse(options)
  const story: string[] = []
  let orders = 0
  const order = () => {
    orders += 1
    return { order_id: `TS-${orders}`, order_amount: '10.00', order_currency: 'EUR', order_description: 'Shoes' }
  }
  const sale = (over: Partial<CardParameters['SALE']> = {}): Promise<Answer> =>
    gatehouse.card('SALE', { ...order(), ...data, ...over })
  const status = async (id = ''): Promise<string> =>
    String((await gatehouse.card('GET_TRANS_STATUS', { trans_id: id }, { payment })).status)

  const paid = await sale({ custom_data: { basket: ['one', 'two'] } })
  story.push(`sale ${paid.result} ${await status(paid.trans_id)}`)
  const refund = await gatehouse.card('CREDITVOID', { trans_id: paid.trans_id ?? '', amount: '4.00' }, { payment })
  story.push(`refund ${refund.result}`)

  const sent = await sale({ card_exp_month: '05' })
  story.push(`3ds ${sent.result}`)
  await approve(sent, options.baseUrl)
  story.push(`3ds then ${await status(sent.trans_id)}`)

  const held = await sale({ auth: 'Y' })
  const captured = await gatehouse.card('CAPTURE', { trans_id: held.trans_id ?? '', amount: '5.00' }, { payment })
  story.push(`capture ${held.status} ${captured.status}`)

  const first = await sale({ recurring_init: 'Y' })
  const chain = { recurring_init_trans_id: first.trans_id ?? '', recurring_token: first.recurring_token ?? '' }
  const charge = { order_id: 'TS-R', order_amount: '8.00', order_description: 'Month 2', ...chain }
  story.push(`recurring ${(await gatehouse.card('RECURRING_SALE', charge, { payment })).result}`)

  const apm = await gatehouse.apm('SALE', { ...order(), brand: 'vcard', identifier: 'success@example.com', ...place })
  const found = await gatehouse.apm('GET_TRANS_STATUS', { trans_id: apm.trans_id ?? '' })
  story.push(`apm ${apm.result} ${found.status}`)

  const session = await gatehouse.checkout('session', {
    operation: 'purchase',
    success_url: 'https://shop.example.com/paid',
    order: { number: 'TS-C', amount: '10.00', currency: 'EUR', description: 'Café' },
  })
  story.push(`checkout ${session.redirect_url === undefined ? 'no page' : 'page'}`)

  await sale({ payer_email: 'nobody' }).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error
    story.push(`refused ${error.http} ${error.violations[0]?.message}`)
  })
  return { story, paid: paid.trans_id ?? '' }
}

const place = { payer_ip: '203.0.113.7', return_url: 'https://shop.example.com/return' }

const data = {
  card_number: card,
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: email,
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}

/** The payer approves at the issuer. */
async function approve({ redirect_params }: Answer, baseUrl: string): Promise<void> {
  const { TermUrl } = Object.fromEntries(Object.entries(redirect_params ?? {}))
  const termUrl = typeof TermUrl === 'string' ? TermUrl : ''
  const address = new URL(new URL(termUrl).pathname, baseUrl)
  await fetch(address, { method: 'POST', body: new URLSearchParams({ PaRes: 'approve' }), redirect: 'manual' })
}
