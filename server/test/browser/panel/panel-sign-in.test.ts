/** Signing in to the panel, and access control. Chapter 50 §8. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oidcSettings, startIdentityHost } from '../../oidc/identity-host.ts'
import { makeUser } from '../../panel/admin.ts'
import { checkPage, checkState, panelScene } from '../../panel/panel-scene.ts'

const host = await startIdentityHost({
  ann: { email: 'ann@acme.example', name: 'Ann Smith', groups: ['help'] },
  eve: { email: 'eve@acme.example', name: 'Eve', groups: [] },
})
const scene = await panelScene(oidcSettings(host, 'help=support'))
after(async () => {
  await scene.close()
  await host.stop()
})
const { shop } = scene

test('a visitor signs in and reaches the requested page', async () => {
  const person = await makeUser(shop)
  const page = await scene.visitor()
  await page.goto(`${shop.url}/admin/approvals?state=waiting`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await checkPage(page, 'sign-in')
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The e-mail address, the password or the code is wrong.').waitFor()
  await checkState(page, 'sign-in-refused')
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/admin/approvals?state=waiting')
  assert.match(await page.title(), /^Approvals/)

  await page.getByRole('button', { name: person.name }).click()
  await checkState(page, 'user-menu')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
})

test('a page without permission says so, and is not in the navigation', async () => {
  const { page, open } = await scene.seat({ role: 'support' })
  await open('/audit')
  await page.getByRole('heading', { name: 'No permission' }).waitFor()
  await checkState(page, 'no-permission')
  const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
  assert.ok(names.some((name) => name.includes('Transactions')) && !names.some((name) => name.includes('Audit')))
  await open('/no/such/page')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await checkState(page, 'not-found')
})

test('a session that ends meanwhile leads to the sign-in page', async () => {
  const { page, open, client } = await scene.seat()
  await open('/account')
  await client.send('DELETE', '/session')
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.match(page.url(), /sign-in\?next=%2Fapprovals/)
})

test('PCI DSS 8.2.8: the panel warns a minute before an idle session ends, extends it on request, and returns after a new sign-in', async () => {
  const { page, open, person } = await scene.seat()
  await page.clock.install()
  await open('/approvals?state=done')
  const seenAgo = (seconds: number) =>
    shop.base.pool.query('update admin_sessions set seen_at = now() - make_interval(secs => $2) where user_id = $1', [
      person.id,
      seconds,
    ])
  const warning = page.getByRole('dialog', { name: 'Are you still there?' })

  await seenAgo(14 * 60 + 10)
  await page.clock.fastForward(14 * 60_000 + 10_000)
  await warning.waitFor()
  await checkPage(page, 'idle-warning')
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await warning.waitFor({ state: 'detached' })

  await seenAgo(16 * 60)
  await page.clock.fastForward(15 * 60_000)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  assert.match(page.url(), /\/approvals\?state=done$/)
})

test('a passkey created in the browser signs in without a password', async () => {
  const person = await makeUser(shop)
  const page = await scene.visitor()
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // Passkeys need a host name; an IP address is not accepted.
  await page.goto(`${shop.url.replace('127.0.0.1', 'localhost')}/admin/account`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My phone')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('cell', { name: 'My phone' }).waitFor()
  await checkState(page, 'account-passkey')

  await page.getByRole('button', { name: person.name }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
})

test('a user of the identity provider signs in there, and one without a group is told so', async () => {
  const page = await scene.visitor()
  await page.goto(`${shop.url}/admin/callbacks`)
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('link', { name: 'ann' }).click()
  await page.getByRole('heading', { name: 'Callbacks', level: 1 }).waitFor()
  await page.goto(`${shop.url}/admin/account`)
  await page.getByText('Password and second factor are managed there.').waitFor()
  await checkState(page, 'account-single-sign-on')

  const other = await scene.visitor()
  await other.goto(`${shop.url}/admin`)
  await other.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await other.getByRole('link', { name: 'eve' }).click()
  await other.getByRole('alert').filter({ hasText: 'None of your groups' }).waitFor()
  await checkState(other, 'sign-in-no-group')
})
