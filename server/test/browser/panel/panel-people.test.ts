/** Users of the panel: own account, users, roles, approvals, audit log, and the pages about the instance itself. Chapter 50 §8. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { emailSubject } from '#server/panel/access/lock-out.ts'
import { adminContext, makeUser, merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, panelScene, phone } from '../../panel/panel-scene.ts'

// No mail server listens there: mails stay in their table.
const scene = await panelScene({
  REFUND_APPROVAL: 'EUR:5',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'panel@example.com',
})
after(() => scene.close())
const owner = await scene.seat()
const { machine } = adminContext(scene.shop)

/** The code of an authenticator with this secret, now or some seconds later. */
const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret }).generate({ timestamp: machine.now().getTime() + later * 1000 })

test('a second factor is set up with the code on the screen, and required at the next sign-in', async () => {
  const { page, person } = owner
  await owner.open('/account')
  await checkState(page, 'account')
  await page.getByRole('button', { name: 'Set up second factor' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'Code for the authenticator app' }).waitFor()
  await checkPage(page, 'second-factor')
  const secret = await dialog.locator('code').innerText()
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByRole('alert').waitFor()
  await checkState(page, 'second-factor-refused')
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await checkPage(page, 'recovery-codes')
  const recoveryCode = await page.locator('.recovery-codes code').first().innerText()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 left').waitFor()
  await checkState(page, 'account-with-codes')
  await page.getByRole('button', { name: 'Remove second factor' }).waitFor()

  const visitor = await scene.visitor()
  await visitor.goto(`${scene.shop.url}/admin`)
  await visitor.getByLabel('E-mail address').fill(person.email)
  await visitor.getByLabel('Password').fill(person.password)
  await visitor.keyboard.press('Enter')
  await visitor.getByLabel('Code').waitFor()
  await checkState(visitor, 'sign-in-code')
  // A code is valid once, and the next one is accepted early.
  await visitor.getByLabel('Code').fill(codeOf(secret, 30))
  await visitor.keyboard.press('Enter')
  await visitor.getByRole('heading', { level: 1 }).filter({ hasText: 'Dashboard' }).waitFor()

  const withoutPhone = await scene.visitor()
  await withoutPhone.goto(`${scene.shop.url}/admin`)
  await withoutPhone.getByLabel('E-mail address').fill(person.email)
  await withoutPhone.getByLabel('Password').fill(person.password)
  await withoutPhone.keyboard.press('Enter')
  await withoutPhone.getByLabel('Code').fill(recoveryCode)
  await withoutPhone.keyboard.press('Enter')
  await withoutPhone.getByRole('heading', { level: 1 }).filter({ hasText: 'Dashboard' }).waitFor()
})

test('a user is created with a password that is shown once, and can sign in only to change it', async () => {
  const { page } = owner
  await owner.open('/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ada')
  await dialog.getByLabel('E-mail address').fill('not an address')
  await dialog.getByLabel('Role').selectOption('support')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.getByText('Select at least one merchant, or all merchants.').waitFor()
  await dialog.getByLabel('All merchants, including new ones').check()
  await dialog.getByLabel('Send an invitation by e-mail').uncheck()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.getByText('Confirm this, or select merchants instead.').waitFor()
  await dialog.getByLabel('I confirm: this account sees and changes every merchant').check()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.locator('.field.wrong .error').waitFor()
  await checkState(page, 'user-new')
  await dialog.getByLabel('E-mail address').fill('ada@example.com')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  const password = await dialog.locator('dd').nth(1).innerText()
  await checkState(page, 'user-made')
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  await checkState(page, 'users')

  const visitor = await scene.visitor()
  await visitor.goto(`${scene.shop.url}/admin/payments`)
  await visitor.getByLabel('E-mail address').fill('ada@example.com')
  await visitor.getByLabel('Password').fill(password.trim())
  await visitor.keyboard.press('Enter')
  await visitor.getByText('Choose your own to continue.').waitFor()
  await checkState(visitor, 'password-to-change')
  await visitor.getByLabel('Current password').fill(password.trim())
  await visitor.getByLabel('New password', { exact: true }).fill('a long word of her own 7')
  await visitor.getByLabel('Repeat new password').fill('a long word of her own 7')
  await visitor.getByRole('button', { name: 'Change password' }).click()
  await visitor.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
})

test('a service account is created with a key that is shown once', async () => {
  const { page } = owner
  await owner.open('/service-accounts')
  await page.getByRole('button', { name: 'New service account' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('importer')
  await dialog.getByLabel('Role').selectOption('finance')
  await dialog.getByLabel('All merchants, including new ones').check()
  await dialog.getByLabel('I confirm').check()
  await checkState(page, 'service-account-new')
  await dialog.getByRole('button', { name: 'Create service account' }).click()
  const key = (await dialog.locator('dd').first().innerText()).trim()
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await fetch(`${scene.shop.url}/admin/api/payments`, { headers })).status, 200)
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('cell', { name: 'importer', exact: true }).waitFor()
})

test('PCI DSS 8.4: a user who needs a second factor sets it up first and then reaches the requested page', async () => {
  const person = await makeUser(scene.shop, { role: 'support' })
  await scene.shop.base.pool.query('update users set require_second_factor = true where id = $1', [person.id])
  const visitor = await scene.visitor()
  await visitor.goto(`${scene.shop.url}/admin/callbacks`)
  await visitor.getByLabel('E-mail address').fill(person.email)
  await visitor.getByLabel('Password').fill(person.password)
  await visitor.keyboard.press('Enter')
  await visitor.getByText('Your account needs a second factor.').waitFor()
  await checkPage(visitor, 'second-factor-needed')
  await visitor.getByRole('button', { name: 'Set up second factor' }).click()
  const secret = await visitor.getByRole('dialog').locator('code').innerText()
  await visitor.getByRole('dialog').getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await visitor.getByRole('button', { name: 'Enable' }).click()
  await visitor.getByRole('button', { name: /saved/ }).click()
  await visitor.getByRole('heading', { name: 'Callbacks', level: 1 }).waitFor()
})

test('a change of permissions requires fresh authentication, and continues after it', async () => {
  const { page, person, open } = await scene.seat()
  const changed = await makeUser(scene.shop, { role: 'support' })
  await open(`/users/${changed.id}`)
  const { pool } = scene.shop.base
  await pool.query(`update admin_sessions set proven_at = now() - interval '6 minutes' where user_id = $1`, [person.id])
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it is you' })
  await question.waitFor()
  await checkPage(page, 'step-up')
  await question.getByLabel('Password').fill('wrong')
  await question.getByRole('button', { name: 'Confirm', exact: true }).click()
  await question.getByRole('alert').waitFor()
  await question.getByLabel('Password').fill(person.password)
  await question.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('User disabled.').waitFor()
  const { rows } = await pool.query('select status from users where id = $1', [changed.id])
  assert.equal(rows[0].status, 'disabled')
})

test('locked accounts, unused accounts and accounts without a second factor are marked, and can be unlocked', async () => {
  const { page, open } = await scene.seat()
  const { pool } = scene.shop.base
  const locked = await makeUser(scene.shop, {
    role: 'merchant-viewer',
    allMerchants: false,
    merchantIds: [await merchantId(scene.shop, 'demo')],
  })
  const [unused, bare] = [await makeUser(scene.shop), await makeUser(scene.shop)]
  await pool.query(
    `insert into sign_in_failures (subject, failures, last_at, locked_until) values ($1, 10, now(), now() + interval '30 minutes')`,
    [emailSubject(locked.email)],
  )
  await pool.query(`update users set status = 'disabled', disabled_reason = 'unused' where id = $1`, [unused.id])
  await pool.query('update users set require_second_factor = true where id = $1', [bare.id])
  await open('/users')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await row(locked.name).getByText('locked', { exact: true }).waitFor()
  await row(unused.name).getByText('disabled: not used').waitFor()
  await row(bare.name).getByText('setup required').waitFor()
  const [role, merchants] = await Promise.all(
    ['Role', 'Merchants'].map((title) => row(locked.name).locator(`td[data-title=${title}] .cell`).boundingBox()),
  )
  assert.equal(role?.height, merchants?.height, 'a role is not broken into lines')
  await checkState(page, 'users-states')
  await open(`/users/${locked.id}`)
  await checkState(page, 'user-locked')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByText('User unlocked.').waitFor()
  const { rows } = await pool.query('select 1 from sign_in_failures where subject = $1', [emailSubject(locked.email)])
  assert.deepEqual(rows, [])
})

test('a page with unsaved work asks before it is left', async () => {
  const { page, person } = owner
  await owner.open('/users')
  await page.getByRole('link', { name: person.name }).click()
  await page.getByLabel('Name').fill('Somebody else')
  await page.getByRole('link', { name: 'Roles' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  await checkState(page, 'leave-question')
  await question.getByRole('button', { name: 'Stay here' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Somebody else')
  await page.goBack()
  await question.getByRole('button', { name: 'Stay here' }).click()
  assert.match(page.url(), /\/users\//)
  await page.getByRole('link', { name: 'Roles' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.locator('h1:focus', { hasText: 'Roles' }).waitFor()
})

test('a role is created, the audit log shows it, and the log verifies', async () => {
  const { page } = owner
  await owner.open('/roles')
  await checkState(page, 'roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Title').fill('Night shift')
  await drawer.getByLabel('Name', { exact: false }).last().fill('night-shift')
  await drawer.getByText('Search payments and view their details.').click()
  await checkPage(page, 'role')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Night shift' }).waitFor()

  await owner.open('/audit?action=role.save')
  await page.getByText('role night-shift').waitFor()
  await checkState(page, 'audit')
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('cell', { name: 'payments.read' }).first().waitFor()
  await checkPage(page, 'audit-entry')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('The audit log is intact: no entry was changed or removed.').waitFor()
})

test('a request is approved by another user, never by its author', async () => {
  const { shop } = scene
  const { body } = await shop.sale()
  const finance = await scene.seat({ role: 'finance' })
  const path = `/merchants/${await merchantId(shop, 'demo')}/payments/${body.trans_id}/refund`
  assert.equal((await finance.client.post(path, { reason: 'damaged' })).http, 200)
  await finance.open('/approvals?state=waiting')
  await finance.page.getByRole('button', { name: 'View' }).click()
  await finance.page.getByRole('button', { name: 'Withdraw' }).waitFor()
  await checkState(finance.page, 'approval-own')
  assert.equal(await finance.page.getByRole('button', { name: 'Approve' }).count(), 0)

  const { page } = owner
  await owner.open('/approvals?state=waiting')
  await checkState(page, 'approvals')
  await page.getByRole('button', { name: 'View' }).click()
  await checkPage(page, 'approval')
  await page.getByRole('button', { name: 'Approve' }).click()
  const question = page.getByRole('dialog', { name: 'Approve request?' })
  await question.getByLabel('Reason').fill('seen')
  await checkState(page, 'approval-answer')
  await question.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('No requests are waiting for approval.').waitFor()
  assert.equal((await shop.readExecuted(body.trans_id)).length, 2, 'the sale and its refund')
})

test('a person who is no second one reads why, and a user whose rights wait for one has a badge', async () => {
  const { shop } = scene
  const [boss, finance] = [await scene.seat(), await scene.seat({ role: 'finance' })]
  const path = `/merchants/${await merchantId(shop, 'demo')}/payments/${(await shop.sale()).body.trans_id}/refund`
  assert.equal((await finance.client.post(path, { reason: 'damaged' })).http, 200)
  const user = `/users/${finance.person.id}`
  assert.equal((await boss.client.post(`${user}/password`)).http, 200)
  const { page, open } = boss
  await open('/approvals?state=waiting')
  await page.getByText('not until').waitFor()
  await checkState(page, 'approvals-tied')
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByText(`You cannot approve this request. You reset the password of ${finance.person.name} on`).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await checkPage(page, 'approval-tied')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('dialog', { name: 'Refuse request?' }).getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('No requests are waiting for approval.').waitFor()

  await boss.client.send('PATCH', user, { role: 'operator' })
  await open(user)
  await page.getByText('waits for approval').waitFor()
  await checkPage(page, 'user-waits')
  await owner.open('/approvals?state=waiting')
  await owner.page.getByRole('row', { name: 'Give a user rights' }).getByRole('button').click()
  await owner.page.getByText('operator, all merchants').waitFor()
  await owner.page.getByRole('button', { name: 'Refuse' }).click()
  await owner.page.getByRole('dialog', { name: 'Refuse request?' }).getByRole('button', { name: 'Refuse' }).click()
  await owner.page.getByText('No requests are waiting for approval.').waitFor()
})

test('a request to see a password says what the approval allows, in words', async () => {
  const { shop } = scene
  const operator = await scene.seat({ role: 'operator' })
  const path = `/merchants/${await merchantId(shop, 'demo')}/password/reveal`
  assert.equal((await operator.client.post(path, { reason: 'The shop lost it.' })).http, 200)
  const { page } = owner
  await owner.open('/approvals?state=waiting')
  await page.getByRole('row', { name: 'Show a merchant’s password' }).getByRole('button').click()
  await page.getByText('can see the password of this merchant once').waitFor()
  assert.equal(await page.locator('.drawer pre, [role=dialog] pre').count(), 0, 'no raw data')
})

test('on a phone the navigation is a drawer that closes after a choice', async () => {
  const { page } = owner
  await page.setViewportSize(phone)
  await owner.open('/alerts')
  await page.getByRole('button', { name: 'Navigation' }).click()
  await checkState(page, 'navigation')
  await page.setViewportSize(phone)
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Approvals' }).waitFor({ state: 'hidden' })
})

test('a user is invited by mail, chooses the password with the link, and replaces a forgotten one', async () => {
  const { page } = owner
  await owner.open('/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Grace')
  await dialog.getByLabel('E-mail address').fill('grace@example.com')
  await dialog.getByLabel('Role').selectOption('support')
  await dialog.getByLabel('All merchants').check()
  await dialog.getByLabel('I confirm').check()
  assert.equal(await dialog.getByLabel('Send an invitation by e-mail').isChecked(), true)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('An invitation is being sent to grace@example.com.').waitFor()
  await page.getByRole('row', { name: 'Grace' }).getByText('invited').waitFor()
  await checkState(page, 'users-invited')

  const visitor = await scene.visitor()
  await visitor.goto(await mailedLink('grace@example.com'))
  await visitor.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()
  await visitor.getByLabel('Password', { exact: true }).fill('kettle of my own 7')
  await visitor.getByLabel('Password again').fill('kettle of my own 8')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('The passwords differ.').waitFor()
  await checkPage(visitor, 'choose-password')
  await visitor.getByLabel('Password again').fill('kettle of my own 7')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('Your password is set.').waitFor()
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await visitor.getByRole('button', { name: 'Forgot password?' }).click()
  await visitor.getByLabel('E-mail address').fill('grace@example.com')
  await checkPage(visitor, 'forgot-password')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('If grace@example.com has an account').waitFor()
  const link = await mailedLink('grace@example.com')
  await visitor.goto('about:blank')
  await visitor.goto(link)
  await visitor.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await visitor.goto(`${link}0`)
  await visitor.reload()
  await visitor.getByText('This link has expired or was already used.').waitFor()
  await checkState(visitor, 'choose-password-late')
})

test('a person of a merchant signs up with a link, confirms the mail address, and is approved', async () => {
  const { page } = owner
  await owner.open('/users')
  await page.getByRole('button', { name: 'New sign-up link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('Staff of the shop')
  await dialog.getByLabel('Uses').fill('0')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Select at least one merchant.').waitFor()
  await dialog.getByText('Enter 1 to 1000.').waitFor()
  assert.equal(await dialog.getByLabel('Approve each sign-up').isChecked(), true)
  await checkPage(page, 'sign-up-link-new')
  await dialog.getByLabel('Uses').fill('2')
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = (await dialog.locator('dd').first().innerText()).trim()
  await checkState(page, 'sign-up-link-made')
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('row', { name: 'Staff of the shop' }).getByText('0 of 2').waitFor()

  const visitor = await scene.visitor()
  await visitor.goto(address)
  await visitor.getByRole('heading', { name: 'Sign up' }).waitFor()
  await visitor.getByLabel('Name').fill('Joan')
  await visitor.getByLabel('E-mail address').fill('joan@example.com')
  await visitor.getByLabel('Password', { exact: true }).fill('kettle of my own 7')
  await visitor.getByLabel('Password again').fill('kettle of my own 8')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('The passwords differ.').waitFor()
  await checkPage(visitor, 'sign-up')
  await visitor.getByLabel('Password again').fill('kettle of my own 7')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('An e-mail is being sent to joan@example.com.').waitFor()
  const mailed = await mailedLink('joan@example.com')
  await visitor.goto('about:blank')
  await visitor.goto(mailed)
  await visitor.getByRole('heading', { name: 'Welcome, Joan' }).waitFor()
  await checkPage(visitor, 'confirm-sign-up')
  await visitor.getByLabel('Password').fill('kettle of my own 7')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('We will e-mail you when your sign-up is approved.').waitFor()

  await owner.open('/merchants')
  await owner.open('/users')
  const waiting = page.getByRole('table', { name: 'Sign-ups to approve' })
  await waiting.getByRole('row', { name: 'Joan' }).waitFor()
  await checkPage(page, 'users-sign-ups')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Joan can sign in now.').waitFor()
  await page.getByRole('link', { name: 'Joan' }).waitFor()
  await page.getByRole('button', { name: 'Revoke' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Sign-up link revoked.').waitFor()

  await visitor.goto('about:blank')
  await visitor.goto(address)
  await visitor.getByText('This sign-up link cannot be used any more.').waitFor()
  await checkState(visitor, 'sign-up-ended')
  await visitor.getByRole('button', { name: 'Go to sign-in' }).click()
  await visitor.getByLabel('E-mail address').fill('joan@example.com')
  await visitor.getByLabel('Password').fill('kettle of my own 7')
  await visitor.keyboard.press('Enter')
  await visitor.getByRole('heading', { level: 1 }).filter({ hasText: 'Dashboard' }).waitFor()
})

async function mailedLink(email: string): Promise<string> {
  const { rows } = await scene.shop.base.pool.query<{ text: string }>(
    'select text from mails where recipient = $1 order by written_at desc limit 1',
    [email],
  )
  const [link] = /http\S+#\S+/.exec(rows[0]?.text ?? '') ?? []
  assert.ok(link)
  return link
}
