/** Routing rules in the panel: from a draft to a payment that follows it, and back. Chapter 50 §4, §8. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'
import { publishRules } from '../../rules.ts'

const merchant = 'demo-routing'
const [north, west] = ['sandbox-north-live', 'sandbox-west-live']

let scene: PanelScene
let writer: Seat
let second: Seat
let ruleSet: string
before(async () => {
  scene = await panelScene()
  writer = await scene.seat({ role: 'operator' })
  second = await scene.seat({ role: 'owner' })
  ruleSet = await merchantId(scene.shop, merchant)
  await publishRules(scene.shop, merchant, { name: 'north first', action: { kind: 'use', mids: [north] } })
})
after(() => scene.close())

const pay = async (amount: string): Promise<string> => {
  const { body } = await scene.shop.sale({ order_amount: amount }, { merchant })
  assert.equal(body.result, 'SUCCESS')
  return body.trans_id
}

const midOf = async (paymentId: string): Promise<string> => {
  const { body } = await writer.client.get(`/payments?paymentId=${paymentId}`)
  return body.payments[0].midName
}

test('a user without rules is told what they are for, and begins with an example', async () => {
  const { page, open } = writer
  await open('/routing')
  await page.getByText('No rules yet.').waitFor()
  await checkState(page, 'routing-empty')
  await page.getByRole('button', { name: 'Insert example' }).click()
  await page.getByRole('listitem', { name: 'Rule 1: large amounts' }).getByText('If the amount is 500.00 EUR').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Discard unsaved changes' }).click()
  await page.getByText('No rules yet.').waitFor()
})

test('a rule is validated while it is typed, moved by keyboard, and saved as a draft', async () => {
  const { page, open } = writer
  await open(`/routing?set=${ruleSet}`)
  await page.getByRole('button', { name: 'New rule' }).click()
  const drawer = page.getByRole('dialog', { name: 'New rule' })
  await drawer.getByLabel('Name', { exact: true }).fill('large amounts')
  await drawer.getByText('Enter at least one MID.').waitFor()
  await drawer.getByLabel('Condition 1').last().selectOption('amount')
  await drawer.getByLabel('From').fill('a lot')
  await drawer.getByText('Enter a valid amount in this currency.').waitFor()
  await drawer.getByRole('button', { name: 'Add to draft' }).click()
  await drawer.locator('[aria-invalid=true]').first().waitFor()
  await checkState(page, 'routing-rule-faults')
  await drawer.getByLabel('From').fill('50')
  await drawer.getByLabel('Add to MIDs').selectOption(west)
  await drawer.getByText(`If the amount is 50.00 EUR or more, then use ${west}, then the others.`).waitFor()
  await drawer.getByText('Enter at least one MID.').waitFor({ state: 'detached' })
  await checkPage(page, 'routing-rule')
  await drawer.getByRole('button', { name: 'Add to draft' }).click()
  await drawer.waitFor({ state: 'detached' })

  const up = page.getByRole('button', { name: 'Move large amounts up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listitem', { name: 'Rule 1: large amounts' }).waitFor()
  await page.waitForFunction('document.activeElement?.title === "Move large amounts down"')
  await page.getByLabel('Note').fill('Large amounts go west.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved as revision 1.').waitFor()
  await page.getByText('Saved. The draft has no effect until it is published.').waitFor()
})

test('the limit of a velocity is typed as payments or as money, with the decimals of its currency', async () => {
  const { page, open, client } = writer
  await open('/routing')
  await page.getByRole('button', { name: 'New rule' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'New rule' })
  await drawer.getByLabel('Name', { exact: true }).fill('too much at once')
  await drawer.getByLabel('Condition 1').last().selectOption('velocity')
  await drawer.getByText('asked for more than 5 payments in 60 minutes').waitFor()
  await drawer.getByLabel('Currency').fill('JPY')
  await drawer.getByLabel('More than').fill('52100.5')
  await drawer.getByText('Enter a valid amount in this currency.').waitFor()
  await checkState(page, 'routing-velocity')
  await drawer.getByLabel('More than').fill('52100')
  await drawer.getByText('asked for more than 52,100 JPY').waitFor()
  await drawer.getByLabel('Currency').fill('kwd')
  await drawer.getByLabel('More than').fill('1.250')
  await drawer.getByText('asked for more than 1.250 KWD').waitFor()
  await drawer.getByLabel('Action').selectOption('require-3ds')
  await drawer.getByRole('button', { name: 'Add to draft' }).click()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved as revision 1.').waitFor()
  const [{ conditions }] = (await client.get('/routing/sets/global')).body.draft.rules
  assert.deepEqual([conditions[0].moreThan, conditions[0].currency], ['1250', 'KWD'])
  await page.getByRole('button', { name: 'Edit' }).click()
  assert.equal(await page.getByRole('dialog').getByLabel('More than').inputValue(), '1.250')
  await page.keyboard.press('Escape')
})

test('a simulated payment and the replay of recent payments show what the draft would change', async () => {
  const { page, open } = writer
  await pay('10.00')
  await pay('60.00')
  await open(`/routing?set=${ruleSet}`)
  await page.getByLabel('Amount', { exact: true }).fill('60.00')
  await page.getByText('More about the payment').click()
  await page.getByRole('button', { name: 'Simulate' }).click()
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByText(`${west} goes first.`).waitFor()
  await decision.getByText('"large amounts" of the merchant\'s rules, version 2, matches.').waitFor()
  await checkState(page, 'routing')
  await page.getByLabel('Rules', { exact: true }).selectOption('published')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await decision.getByText(`${north} goes first.`).waitFor()

  await page.getByRole('tab', { name: 'Replay' }).click()
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('1 of 2 payments would have a different result.').waitFor()
  await page.getByText(`${north} → ${west}`).waitFor()
  await page.getByRole('table', { name: 'Totals by action' }).getByText('Another MID').waitFor()
  await page.getByLabel('Risk lists').selectOption('now')
  await checkPage(page, 'routing-replay')
})

test('what another user saved first is neither lost nor hidden', async () => {
  const { page, open } = writer
  await open(`/routing?set=${ruleSet}`)
  const { body } = await second.client.get(`/routing/sets/${ruleSet}`)
  const { rules, revision } = body.draft
  await second.client.send('PUT', `/routing/sets/${ruleSet}/draft`, { rules, revision, note: 'Mine.' })
  await page.getByRole('button', { name: 'More for north first' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Your changes are not saved yet.').waitFor()
  await checkState(page, 'routing-conflict')
  await page.getByRole('button', { name: 'Compare' }).click()
  const compared = page.getByRole('dialog', { name: 'Differences between theirs and yours' })
  await compared.getByText('changed', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Overwrite with mine' }).click()
  await page.getByText('Draft saved as revision 3.').waitFor()
})

test('a second person publishes it, and the next payment follows it and says so', async () => {
  const { page } = writer
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('West is cheaper.')
  await checkState(page, 'routing-publish')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('These rules have been waiting for approval').waitFor()
  await checkState(page, 'routing-waiting')

  await second.open('/approvals')
  await second.page.getByRole('button', { name: 'View' }).click()
  await second.page.getByText('added', { exact: true }).waitFor()
  await checkPage(second.page, 'routing-approval')
  await second.page.getByRole('button', { name: 'Approve' }).click()
  await second.page.getByRole('dialog', { name: 'Approve request?' }).getByRole('button', { name: 'Approve' }).click()
  await second.page.getByText('The request is done.').waitFor()

  const paymentId = await pay('75.00')
  assert.equal(await midOf(paymentId), west)
  await writer.open(`/routing?set=${ruleSet}&panel=explain`)
  await page.getByLabel('Transaction').fill(paymentId)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('"large amounts" of the merchant\'s rules, version 2, matches.').waitFor()
  await checkPage(page, 'routing-explain')
})

test('versions are compared, and rolling back takes effect at once', async () => {
  const { page } = writer
  await page.getByRole('tab', { name: 'History' }).click()
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await versions.first().getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('dialog').getByText('added', { exact: true }).waitFor()
  await checkPage(page, 'routing-compare')
  await page.keyboard.press('Escape')
  await versions.nth(1).getByRole('button', { name: 'Roll back' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('West declines too much.')
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Rolled back to version 1. The current version is 3.').waitFor()
  await versions.nth(2).waitFor()
  await checkPage(page, 'routing-history')
  assert.equal(await midOf(await pay('75.00')), north)
})

test('a user who may only read sees the rules and can simulate, but cannot change them', async () => {
  const { page, open } = await scene.seat({ role: 'auditor' })
  await open(`/routing?set=${ruleSet}`)
  await page.getByRole('listitem', { name: 'Rule 1: north first' }).waitFor()
  await page.getByRole('button', { name: 'Simulate' }).waitFor()
  for (const name of ['New rule', 'Edit', 'Save draft'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
})
