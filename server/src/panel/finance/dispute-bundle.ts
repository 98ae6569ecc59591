/** All that an acquirer without an API for disputes needs: a cover sheet with the facts, and the evidence. Chapter 60 §5. */

import { evidenceKindTitles } from '#domain/dispute/evidence.ts'
import { formatAmount } from '#domain/money/money.ts'
import { utcDay } from '#domain/time.ts'
import type { PanelContext } from '../panel-context.ts'
import { type DisputeContext, readEvidence, requireDispute } from './disputes.ts'
import { pdfFonts, printable } from './pdf-fonts.ts'
import { packZip } from './zip.ts'

type Dispute = Awaited<ReturnType<typeof requireDispute>>

/** As a ZIP archive in base64. */
export async function createDisputeBundle(
  context: DisputeContext & Pick<PanelContext, 'vault'>,
  merchantId: string,
  id: string,
): Promise<{ readonly name: string; readonly content: string }> {
  const dispute = await requireDispute(context, merchantId, id)
  const title = context.configuration.merchant(merchantId)?.name ?? merchantId
  const at = context.clock.now()
  const files = [{ name: 'cover.pdf', bytes: await coverSheet(dispute, title, at) }]
  for (const [index, { id: fileId, name }] of dispute.files.entries()) {
    const { content } = await readEvidence(context, merchantId, id, fileId)
    // The number keeps two files of one name apart.
    files.push({ name: `${index + 1}-${name.replaceAll(/[/\\:]/g, '-')}`, bytes: Buffer.from(content, 'base64') })
  }
  const name = `dispute-${dispute.reference.replaceAll(/[^\w.-]/g, '-')}.zip`
  return { name, content: (await packZip(files, at)).toString('base64') }
}

const left = 56
const textAt = 220

async function coverSheet(dispute: Dispute, merchant: string, at: Date): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: 'A4',
    margin: left,
    info: { Title: `Dispute ${dispute.reference}`, CreationDate: at },
  })
  const [regular, bold] = [pdfFonts.regular(), pdfFonts.bold()]
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const end = new Promise((resolve) => document.on('end', resolve))
  document
    .font(bold)
    .fontSize(20)
    .text(printable(`Dispute ${dispute.reference}`), left, 64)
  document.fontSize(10)
  let y = 110
  const line = (label: string, text: string): void => {
    document.font(bold).text(label, left, y)
    document.font(regular).text(printable(text), textAt, y, { width: 320 })
    y = Math.max(y + 20, document.y + 6)
  }
  for (const [label, text] of factsOf(dispute, merchant)) if (text !== null) line(label, text)
  y += 16
  document.font(bold).fontSize(13).text('Evidence', left, y)
  document.fontSize(10)
  y += 26
  for (const [index, { name, kind }] of dispute.files.entries()) line(`${index + 1}  ${evidenceKindTitles[kind]}`, name)
  document.end()
  await end
  return Buffer.concat(parts)
}

function factsOf(dispute: Dispute, merchant: string): readonly (readonly [string, string | null])[] {
  const { amountMinor, currency, amountDecimals, openedAt } = dispute
  return [
    ['Merchant', merchant],
    ['MID', dispute.midName ?? dispute.midId],
    ['Reference of the acquirer', dispute.caseReference],
    ['Payment', dispute.paymentId],
    ['Amount', `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`],
    ['Network', dispute.network],
    ['Reason', dispute.reasonCode],
    ['Opened', utcDay(openedAt)],
    ['Answer due', dispute.dueOn],
  ]
}
