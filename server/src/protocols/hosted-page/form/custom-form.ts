/**
 * A merchant's own form in place of the hosted page. Chapter 30 §9.4.
 *
 * A template supports two values and one function; block tags are dropped and nothing else is evaluated, so that uploaded markup cannot run
 * on the server. The browser runs only scripts whose hashes were recorded at the approval.
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

/** Null if the session requests no form, or one that may not be shown: the payer then sees the standard page. */
export function findShownForm(
  { forms }: Pick<HostedPageParts, 'forms'>,
  { session }: SessionContext,
): Promise<ApprovedForm | null> {
  const { formId } = session.request
  const isAsked = formId !== null && session.operation === 'purchase'
  return isAsked ? forms.findApproved(session.merchantId, formId) : Promise.resolve(null)
}

export function customFormPage(
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

/** Stops at the first block without an end: searching an end for every further beginning would take quadratic time. */
function withoutBlocks(template: string): string {
  const end = template.lastIndexOf('%}') + 2
  return end < 2 ? template : template.slice(0, end).replace(block, '') + template.slice(end)
}

function amountOf({ session: { request }, merchant, crypto }: SessionContext): string {
  const { amountMinor, amountDecimals, openAmount } = sessionAmount(request, merchant, crypto)
  return openAmount ? '' : formatAmount(amountMinor, request.order.currency, amountDecimals)
}

/** The first segment of the path is the form's id. */
const withoutForm = (path: string): string => path.replace(/^\/+/, '').split('/').slice(1).join('/')

const escapeText = (text: string): string => html`${text}`.markup
