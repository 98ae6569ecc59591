/** A statement on one page of paper. See decisions/statements#printing and decisions/statements#font. */

import { formatAmount } from '#domain/money/money.ts'
import { utcDay } from '#domain/time.ts'
import { pdfFonts, printableTitle } from './pdf-fonts.ts'
import { fileNameOf, linesOf, type ShownStatement } from './statement-files.ts'

const left = 56
const right = 539
const lineHeight = 22

export async function createStatementPdf(
  statement: ShownStatement,
): Promise<{ readonly name: string; readonly content: string }> {
  const { merchantTitle, merchantId, currency, firstDay, lastDay, id, madeAt, reserveMinor, decimals } = statement
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: 'A4',
    margin: left,
    // The time of closing, so that the same statement is always the same file.
    info: { Title: `Statement ${firstDay} to ${lastDay}`, CreationDate: madeAt, ModDate: madeAt },
  })
  const [regular, bold] = [pdfFonts.regular(), pdfFonts.bold()]
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const end = new Promise((resolve) => document.on('end', resolve))
  document.font(bold).fontSize(20).text('Statement', left, 64)
  document.font(regular).fontSize(11).text(printableTitle(merchantTitle, merchantId), left, 96)
  document.text(`${firstDay} to ${lastDay} (UTC), ${currency}`)
  document
    .fillColor('#555555')
    .fontSize(8)
    .text(`Statement ${id}, closed ${utcDay(madeAt)}`, left, document.y + 4)
  document.fillColor('#000000')
  let y = Math.max(170, document.y + lineHeight)
  const lines = linesOf(statement)
  for (const [index, [title, amount]] of lines.entries()) {
    const isBalance = index === 0 || index === lines.length - 1
    if (index > 0)
      document
        .moveTo(left, y - 6)
        .lineTo(right, y - 6)
        .lineWidth(isBalance ? 1 : 0.25)
        .stroke()
    document.font(isBalance ? bold : regular).fontSize(10)
    document.text(title, left, y).text(`${amount} ${currency}`, left, y, { width: right - left, align: 'right' })
    y += lineHeight
  }
  const reserve = `Kept in reserve on the last day: ${formatAmount(reserveMinor, currency, decimals)} ${currency}`
  document
    .font(regular)
    .fontSize(9)
    .fillColor('#555555')
    .text(reserve, left, y + 12)
  document.end()
  await end
  return { name: fileNameOf(statement, 'pdf'), content: Buffer.concat(parts).toString('base64') }
}
