/** The documentation in the browser: one language at a time, copying, the search, and the reader's own values in the examples. */
import { addLanguageTabs } from './language-tabs.ts'
import { fillReader } from './reader.ts'
import { addSearchBox } from './search-box.ts'

document.documentElement.classList.add('script')
addLanguageTabs()
addCopyButtons()
addSearchBox()
void fillReader()

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const text = block.querySelector('code')?.textContent ?? ''
      button.textContent = await navigator.clipboard.writeText(`${text}\n`).then(
        () => 'Copied',
        () => 'Select and copy',
      )
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
    block.append(button)
  }
}
