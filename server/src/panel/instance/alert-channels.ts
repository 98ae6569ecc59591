/** Channels to which alerts are sent: created, changed, removed and tried at the panel and on the command line. Chapter 70 §9. */

import { alertKinds } from '#domain/alert/alert-kinds.ts'
import type { ChannelKind } from '#domain/alert/channel-kind.ts'
import { isTimeZone } from '#domain/alert/delivery-time.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { AlertMessage, ChannelRules } from '../../contracts/alert-ports.ts'
import { type AlertChannelRow, alertChannelStore } from '../../store/alerts/alert-channels.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import { invalid, notFound } from '../admin-refused.ts'
import { difference, note, noteAlone } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'

interface ChannelWishes extends ChannelRules {
  readonly name: string
  readonly isEnabled: boolean
}

interface NewChannel extends ChannelWishes {
  readonly kind: ChannelKind
  readonly target: string
}

export const listAlertChannels = ({ pool }: Pick<AdminContext, 'pool'>): Promise<readonly AlertChannelRow[]> =>
  alertChannelStore(pool).list()

/** The secret signs what a webhook receives; it is shown once. */
export async function createAlertChannel(
  context: AdminContext,
  actor: Actor,
  { target, ...wishes }: NewChannel,
): Promise<{ readonly channel: AlertChannelRow; readonly secret: Secret<string> | null }> {
  requireTarget(wishes.kind, target)
  const { ids, vault, clock } = context
  const signing =
    wishes.kind === 'webhook' ? secret(`whsec_${Buffer.from(ids.random(32), 'hex').toString('base64')}`) : null
  const seal = (value: Secret<string>) => vault.seal(PLATFORM_SCOPE, 'alert-channel', value)
  const channel: AlertChannelRow = {
    ...wishes,
    id: ids.next(),
    targetSealed: await seal(secret(target)),
    shownTarget: shownTarget(wishes.kind, target),
    secretSealed: signing && (await seal(signing)),
    createdAt: clock.now(),
    lastSentAt: null,
    lastFault: null,
    lastFaultAt: null,
    waiting: 0,
  }
  await write(context, actor, { action: 'alert-channel.create', before: null, channel })
  return { channel, secret: signing }
}

/** Without `target` the address stays. */
export async function changeAlertChannel(
  context: AdminContext,
  actor: Actor,
  id: string,
  { target, ...wishes }: ChannelWishes & { readonly target?: string | undefined },
): Promise<AlertChannelRow> {
  const before = await findChannel(context, id)
  if (target !== undefined) requireTarget(before.kind, target)
  const moved =
    target === undefined
      ? {}
      : {
          targetSealed: await context.vault.seal(PLATFORM_SCOPE, 'alert-channel', secret(target)),
          shownTarget: shownTarget(before.kind, target),
        }
  const channel = { ...before, ...wishes, ...moved }
  await write(context, actor, { action: 'alert-channel.change', before, channel })
  return channel
}

export async function removeAlertChannel(context: AdminContext, actor: Actor, id: string): Promise<void> {
  const before = await findChannel(context, id)
  await inTransaction(context.pool, async (client) => {
    if (!(await alertChannelStore(client).remove(id))) throw notFound()
    await note(client, context.clock, actor, {
      action: 'alert-channel.remove',
      subject: `alert-channel ${id}`,
      merchantId: null,
      before: showChannel(before),
    })
  })
}

/** Sends a message that says what it is. Returns what went wrong; null if it was accepted, or queued as a mail. */
export async function tryAlertChannel(context: PanelContext, actor: Actor, id: string): Promise<string | null> {
  const { kind, name, targetSealed, secretSealed } = await findChannel(context, id)
  const open = (sealed: Buffer) => context.vault.open(PLATFORM_SCOPE, 'alert-channel', sealed)
  const alert: AlertMessage = {
    id: context.ids.next(),
    kind: 'test',
    merchantId: null,
    paymentId: null,
    text: `This is a test of the channel ${name}. Alerts of Gatehouse arrive here.`,
    raisedAt: context.clock.now(),
  }
  const target = await open(targetSealed)
  await noteAlone(context.pool, context.clock, actor, {
    action: 'alert-channel.test',
    subject: `alert-channel ${id}`,
    merchantId: null,
  })
  if (kind !== 'mail') {
    const channel = { kind, target, secret: secretSealed && (await open(secretSealed)) }
    return context.alertSender.send(channel, { alerts: [alert], panelUrl: context.panelUrl() }, context.clock.now())
  }
  if (!context.sendsMail) return 'This instance sends no e-mail: SMTP_URL is not set.'
  const mail = { to: target.reveal(), subject: `Test of the channel ${name}`, text: `${alert.text}\n` }
  await mailStore(context.pool, context).add(mail)
  return null
}

async function findChannel({ pool }: AdminContext, id: string): Promise<AlertChannelRow> {
  const channel = await alertChannelStore(pool).find(id)
  if (channel === null) throw notFound()
  return channel
}

async function write(
  { pool, clock }: AdminContext,
  actor: Actor,
  { action, before, channel }: { action: string; before: AlertChannelRow | null; channel: AlertChannelRow },
): Promise<void> {
  requireRules(channel)
  await inTransaction(pool, async (client) => {
    const store = alertChannelStore(client)
    if (await store.isNameTaken(channel.id, channel.name)) throw invalid('name', 'Another channel has this name.')
    await store.put(channel)
    // What waits for a channel that was switched off would arrive late and all at once.
    if (!channel.isEnabled) await store.dropMessages(channel.id)
    const change =
      before === null ? { after: showChannel(channel) } : difference(showChannel(before), showChannel(channel))
    await note(client, clock, actor, { action, subject: `alert-channel ${channel.id}`, merchantId: null, ...change })
  })
}

function requireRules({ kinds, quiet, timeZone }: ChannelRules): void {
  const unknown = kinds.filter((kind) => !alertKinds.some((known) => known === kind))
  if (unknown.length > 0) throw invalid('kinds', `Unknown kind of alert: ${unknown.join(', ')}.`)
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'Choose a time zone such as Europe/Berlin.')
  if (quiet !== null && quiet.from === quiet.until)
    throw invalid('quiet', 'The quiet hours must end at a different time from their start.')
}

function requireTarget(kind: ChannelKind, target: string): void {
  if (kind === 'mail') {
    if (!/^[^@\s,;<>]+@[^@\s,;<>]+$/.test(target))
      throw invalid('target', 'Enter one e-mail address such as ops@example.com.')
    return
  }
  const url = URL.parse(target)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalid('target', 'Enter a web address such as https://hooks.example.com/alerts.')
}

/** The path of a chat's address is its password. */
const shownTarget = (kind: ChannelKind, target: string): string =>
  kind === 'mail' ? target : `${URL.parse(target)?.origin ?? ''}/…`

/** Without what is sealed. */
function showChannel({
  name,
  kind,
  shownTarget: target,
  kinds,
  leastSeverity,
  quiet,
  timeZone,
  digestMinutes,
  isEnabled,
}: AlertChannelRow) {
  return { name, kind, target, kinds, leastSeverity, quiet, timeZone, digestMinutes, isEnabled }
}
