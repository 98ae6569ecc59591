/**
 * An expression for a page in a locale with digits of its own, such as ar-EG: the texts that were not written by the locale. These are a Latin
 * digit where only amounts, counts and dates stand, and a day `YYYY-MM-DD` or a hand-made percentage anywhere. What is written as code is exempt.
 */
export const foreignNumbers = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement: parent } = texts.currentNode
    if (parent.closest('code, pre, .mono, input, select, textarea, option, style')) continue
    const isNumber = parent.closest('td.end, .tile-value, time, .money, .share-value') !== null
    if (/\\d{4}-\\d{2}-\\d{2}(?!\\d)|\\d ?%/.test(data) || (isNumber && /\\d/.test(data))) found.push(data.trim())
  }
  return found
})()`
