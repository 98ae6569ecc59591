/** The search box: loads the index when it is first used, and then works without the network. */
import { type SearchEntry, type SearchResult, search } from './search.ts'

export function addSearchBox(): void {
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLUListElement>('#results')
  const state = document.querySelector('#search-state')
  const address = document.documentElement.dataset['search']
  if (!input || !list || !state || address === undefined) return
  let index: Promise<readonly SearchEntry[]> | null = null
  const load = (): Promise<readonly SearchEntry[]> => {
    index ??= fetch(address).then((reply) => reply.json())
    return index
  }

  const update = async (): Promise<void> => {
    const query = input.value
    const results = query.trim() === '' ? [] : search(await load(), query)
    if (query !== input.value) return
    list.replaceChildren(...results.map(itemOf))
    list.hidden = results.length === 0
    state.textContent = query.trim() === '' ? '' : countText(results.length)
  }
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void update())
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.form?.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    input.value = ''
    void update()
    input.focus()
  })
}

const countText = (count: number): string => (count === 0 ? 'Nothing found' : `${count} found`)

function itemOf({ slug, anchor, title, heading, excerpt }: SearchResult): HTMLLIElement {
  const { root = '', suffix = '', home = '' } = document.documentElement.dataset
  const link = document.createElement('a')
  link.href = `${slug === '' ? home : `${root}${slug}${suffix}`}${anchor === '' ? '' : `#${anchor}`}`
  const name = document.createElement('strong')
  name.textContent = heading === title ? title : `${title}: ${heading}`
  const text = document.createElement('span')
  text.textContent = excerpt
  link.append(name, text)
  const item = document.createElement('li')
  item.append(link)
  return item
}
