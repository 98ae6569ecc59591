/** Chapter 40 §9, rule 6: EMV data without a connector that supports it, and which numbers are authenticated. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sandbox } from '#server/connectors/sandbox/index.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import { assertRefused } from '../../payments.ts'
import { openShop } from '../../shop.ts'
import { enableWallet, type WalletDevice } from '../../wallets/wallet-device.ts'

// An MPI that needs the payer's browser, and is never reached here.
const shop = await openShop({ MPI_URL: 'http://127.0.0.1:9', MPI_TOKEN: 'token' })
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)

// The sandbox's connector without EMV support; a second connector would need a second acquirer.
const { emv: understood } = sandbox.supports
before(() => Object.assign(sandbox.supports, { emv: false }))
after(() => Object.assign(sandbox.supports, { emv: understood }))

const emv = { data_type: 'EMV' } as const
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function account(mid: object): Promise<WalletDevice> {
  return enableWallet(shop, { wallet: 'walletapay', merchant: await openApmAccount(shop, { mids: [mid] }) })
}

function payAsBrand({ wallet, as: { merchant } }: WalletDevice, token: string) {
  const fields = { brand: wallet, identifier: 'payer@example.com', 'parameters[paymentToken]': token }
  return apm.sale(fields, { merchant })
}

async function flowOf(transId: string): Promise<string> {
  const { rows } = await shop.base.pool.query(
    `select facts -> 'wallet' ->> 'flow' as flow from payments where id = $1`,
    [transId],
  )
  return rows[0].flow
}

for (const protocol of ['S2S CARD', 'S2S APM'] as const) {
  const pay = (device: WalletDevice, token: string) =>
    protocol === 'S2S CARD' ? device.sale(token) : payAsBrand(device, token)

  test(`${protocol}: EMV data is passed on as the original token, byte for byte`, async () => {
    const device = await account({ cardFlow: true, acceptsDecrypted: true })
    const token = await device.mint(emv)
    const { body } = await pay(device, token)
    assert.deepEqual([body.result, body.pan_type], ['SUCCESS', 'DPAN'])
    assert.equal(await flowOf(body.trans_id), 'passed_on')
    const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(body.trans_id)
    assert.deepEqual([sale.wallet.token_sha256, sale.wallet.cryptogram_sent], [sha256(token), undefined])
  })

  test(`${protocol}: on the same MID a cryptogram is sent decrypted`, async () => {
    const device = await account({ cardFlow: true, acceptsDecrypted: true })
    const { body } = await pay(device, await device.mint())
    assert.equal(await flowOf(body.trans_id), 'decrypted')
  })
}

test('a MID without card flow gets it in virtual flow on S2S APM, and not at all on S2S CARD', async () => {
  const device = await account({ cardFlow: false, acceptsDecrypted: false })
  assertRefused(await device.pay(emv), 250002, 'Payment token can not be processed in card flow.')
  const { body } = await payAsBrand(device, await device.mint(emv))
  assert.deepEqual([body.result, body.pan_type], ['SUCCESS', undefined])
  assert.equal(await flowOf(body.trans_id), 'virtual')
})

test('the merchant’s MPI authenticates a funding number, and never a device number', async () => {
  const device = await account({ cardFlow: true, acceptsDecrypted: true })
  await shop.configure("update merchants set mpi_service = 'external' where name = $1", [device.as.merchant])
  for (const [pan_type, status] of [
    ['DPAN', 'SETTLED'],
    ['MPAN', 'SETTLED'],
    ['FPAN', '3DS'],
  ] as const)
    assert.equal((await device.pay({ pan_type })).body.status, status, pan_type)
})
