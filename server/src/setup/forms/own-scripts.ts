/**
 * The SDK's script by its absolute address, as the SDK's published examples load it. Chapter 30 §9.4.
 *
 * A form may be served under a host of its own, whose policy allows only scripts of that host. Therefore the stored template names the
 * script by its path alone, and the reviewer sees the template as browsers get it.
 */
import { tagsIn } from './form-review.ts'

export function withOwnScripts(template: string, baseUrl: string): string {
  const host = baseUrl.replace(/^https?:/, '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const own = new RegExp(`(\\ssrc\\s*=\\s*["']?\\s*)(?:https?:)?${host}(?=/sdk/)`, 'i')
  let end = 0
  const parts: string[] = []
  for (const { name, at, markup } of tagsIn(template)) {
    if (name !== 'script') continue
    parts.push(template.slice(end, at), markup.replace(own, '$1'))
    end = at + markup.length
  }
  return [...parts, template.slice(end)].join('')
}
