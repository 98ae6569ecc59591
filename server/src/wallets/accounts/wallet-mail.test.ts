/** Chapter 40 §2, step 2, and §6: the recipients of mail about wallets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '#server/mail/mail.ts'
import { platformRecordKey } from '#server/store/wallets/wallet-settings.ts'
import type { WalletAlert } from '../../contracts/wallet-records.ts'
import { walletMail } from './wallet-mail.ts'

const place = { merchantId: 'm-1', mode: 'live', wallet: 'walletapay' } as const
const alert: WalletAlert = {
  ...place,
  kind: 'wallet domain failing',
  subject: 'shop.example',
  text: 'It failed: dns.',
}

function scene(contactEmail: string | null, operator: string | null = 'operator@example.com') {
  const written: Message[] = []
  const mail = walletMail({
    mails: { add: async (message) => void written.push(message) },
    operator,
    merchant: (id) => (id === 'm-1' ? { name: 'acme', title: 'Acme', contactEmail } : null),
  })
  return { mail, written, to: () => written.map(({ to }) => to) }
}

test('an alert goes to the operator with the command that mutes it, and to the merchant’s contact without', async () => {
  const { mail, written, to } = scene('shop@example.com')
  await mail.alert(alert)
  assert.deepEqual(to(), ['operator@example.com', 'shop@example.com'])
  assert.ok(written.every(({ text }) => text.startsWith('It failed: dns.')))
  assert.equal(written[0]?.subject, 'wallet domain failing: Acme, walletapay, live mode')
  assert.match(
    written[0]?.text ?? '',
    /gatehouse wallet alarm mute "wallet domain failing" acme --side live --wallet walletapay --subject "shop\.example"/,
  )
  assert.doesNotMatch(written[1]?.text ?? '', /gatehouse/)
})

test('without a contact or an operator’s address, the other one still gets the mail', async () => {
  const unknown = scene(null)
  await unknown.mail.alert(alert)
  assert.deepEqual(unknown.to(), ['operator@example.com'])
  const alone = scene('shop@example.com', null)
  await alone.mail.alert(alert)
  assert.deepEqual(alone.to(), ['shop@example.com'])
})

test('an alert about the platform’s record goes to the operator only', async () => {
  const { mail, to, written } = scene('shop@example.com')
  await mail.alert({ ...alert, ...platformRecordKey('walletapay') })
  assert.deepEqual(to(), ['operator@example.com'])
  assert.match(written[0]?.text ?? '', /mute "wallet domain failing" --platform/)
})

test('the mail that a wallet is live goes to the merchant’s contact only', async () => {
  const { mail, to, written } = scene('shop@example.com')
  await mail.announceLive(place)
  assert.deepEqual(to(), ['shop@example.com'])
  assert.equal(written[0]?.subject, 'walletapay is live: Acme')
})
