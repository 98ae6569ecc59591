/** A longer one, such as a key or an address, may be broken, and so may what is written as code. */
const longestWord = 24

/** An expression for a page: the words of tables that the browser broke inside, because a column is too narrow. */
export const brokenWords = `(() => {
  const broken = []
  const range = document.createRange()
  for (const cell of document.querySelectorAll('.table :is(th, td)')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      if (node.parentElement.closest('code, .mono')) continue
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        if (word.length > ${longestWord}) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(word)
      }
    }
  }
  return broken
})()`
