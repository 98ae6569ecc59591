/** Code in a page: escaped, with the reader's values as marked parts, which the page fills in when it knows them. */
import { languages } from '../samples/languages/languages.ts'
import { planOf } from '../samples/program-plan.ts'
import { sampleNamed } from '../samples/samples.ts'
import { placeholders } from './placeholders.ts'

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** `{{key}}` becomes a part that the page's script fills; without a value it shows what to replace. */
export const markFills = (escaped: string): string =>
  escaped.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `<var data-fill="${name}">${placeholders[name] ?? name}</var>`)

export const codeBlock = (code: string, label: string): string =>
  `<div class="code"><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${markFills(escapeHtml(code.trimEnd()))}</code></pre></div>`

/** One block per language; the page's script shows one of them at a time. */
export function sampleExample(id: string): string {
  const sample = sampleNamed(id)
  const plan = planOf(sample)
  const blocks = languages.map(
    ({ id: language, title, write }) =>
      `<section class="language" data-language="${language}" data-title="${title}"><p class="language-name">${title}</p>${codeBlock(write(plan), `${sample.title}, ${title}`)}</section>`,
  )
  return `<div class="example" data-example="${id}">${blocks.join('')}</div>`
}
