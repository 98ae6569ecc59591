/** Searches a long list. */
import type { Option } from './select-input.tsx'

/** Every typed word must begin a word of the option, ignoring accents. */
export function searchOptions(options: readonly Option[], typed: string): readonly Option[] {
  const words = foldText(typed).split(/\s+/).filter(Boolean)
  return options.filter(({ value, text }) => {
    const parts = foldText(`${text} ${value}`).split(/[^\p{L}\p{Nd}]+/u)
    return words.every((word) => parts.some((part) => part.startsWith(word.replace(/^[+(]+/, ''))))
  })
}

const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
