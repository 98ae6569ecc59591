/**
 * A merchant's own form in place of the page. Chapter 30 §9.4.
 *
 * A template knows two values and one function; block tags are dropped and nothing else is evaluated, so that whatever a merchant
 * uploaded stays text. What may run on it was hashed when it was approved.
 */

import { formatAmount } from '#domain/money/money.ts'
import { sessionAmount } from '../../../payments/sessions/session-amount.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { html } from '../../payer-pages/html.ts'
import { isPlainHttp } from '../../payer-pages/page.ts'
import { pageEmbedders } from '../embedders.ts'
import type { HostedPageParts } from '../parts.ts'
import type { ApprovedForm } from './approved-form.ts'
import { type FormPolicy, formHeaders } from './form-policy.ts'

/** Null where the session asks for none, or for none that may be shown: then the payer sees the standard page. */
export function shownForm(
  { forms }: Pick<HostedPageParts, 'forms'>,
  { session }: SessionContext,
): Promise<ApprovedForm | null> {
  const { formId } = session.request
  const isAsked = formId !== null && session.operation === 'purchase'
  return isAsked ? forms.approved(session.merchantId, formId) : Promise.resolve(null)
}

export function formPage(
  { publicUrl }: Pick<HostedPageParts, 'publicUrl'>,
  context: SessionContext,
  form: ApprovedForm,
  where: Pick<FormPolicy, 'origin' | 'wallets'>,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const headers = formHeaders({
    ...where,
    form,
    embedders: pageEmbedders(context),
    plainHttp: isPlainHttp(publicUrl()),
  })
  return { headers, body: filledTemplate(form, context) }
}

const asset = /\{\{\s*asset\(\s*(['"])([^'"]*)\1\s*(?:,\s*(['"])forms\3\s*)?\)\s*\}\}/g
const value = /\{\{\s*(\w+)\s*\}\}/g
const block = /\{%.*?%\}/gs

function filledTemplate({ id, template }: ApprovedForm, context: SessionContext): string {
  const values: Readonly<Record<string, string>> = {
    amount: amountOf(context),
    currency: context.session.request.order.currency,
  }
  return withoutBlocks(template)
    .replace(asset, (_, __, path: string) => escapeText(`/forms/${id}/${withoutForm(path)}`))
    .replace(value, (tag, name: string) => (Object.hasOwn(values, name) ? escapeText(values[name] ?? '') : tag))
}

/** Only as far as a block ends at all: to look for an end behind every beginning of the rest would take for ever. */
function withoutBlocks(template: string): string {
  const end = template.lastIndexOf('%}') + 2
  return end < 2 ? template : template.slice(0, end).replace(block, '') + template.slice(end)
}

function amountOf({ session: { request }, merchant, crypto }: SessionContext): string {
  const { amountMinor, amountDecimals, openAmount } = sessionAmount(request, merchant, crypto)
  return openAmount ? '' : formatAmount(amountMinor, request.order.currency, amountDecimals)
}

/** The first part of a path names the form itself. */
const withoutForm = (path: string): string => path.replace(/^\/+/, '').split('/').slice(1).join('/')

const escapeText = (text: string): string => html`${text}`.markup
