/** Buttons that choose the language of all examples. The choice is kept in the browser, because a reader uses one language. */
const storageKey = 'docs-language'
const firstLanguage = 'curl'

export function addLanguageTabs(): void {
  const examples = [...document.querySelectorAll<HTMLElement>('.example')]
  for (const example of examples) {
    const bar = document.createElement('div')
    bar.className = 'languages'
    bar.setAttribute('role', 'group')
    bar.setAttribute('aria-label', 'Language of the example')
    for (const section of sectionsOf(example)) bar.append(buttonFor(section, examples))
    example.prepend(bar)
  }
  show(examples, storedLanguage())
}

const sectionsOf = (example: HTMLElement): readonly HTMLElement[] => [
  ...example.querySelectorAll<HTMLElement>('.language'),
]

function buttonFor({ dataset }: HTMLElement, examples: readonly HTMLElement[]): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset['choose'] = dataset['language'] ?? ''
  button.textContent = dataset['title'] ?? ''
  button.addEventListener('click', () => {
    const top = button.getBoundingClientRect().top
    show(examples, button.dataset['choose'] ?? firstLanguage)
    // Examples above may have changed their height; the pressed button stays where it is.
    scrollBy(0, button.getBoundingClientRect().top - top)
  })
  return button
}

function show(examples: readonly HTMLElement[], language: string): void {
  for (const example of examples) {
    for (const section of sectionsOf(example)) section.hidden = section.dataset['language'] !== language
    for (const button of example.querySelectorAll<HTMLElement>('[data-choose]'))
      button.setAttribute('aria-pressed', String(button.dataset['choose'] === language))
  }
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Without storage the next page begins with the first language.
  }
}

function storedLanguage(): string {
  try {
    return localStorage.getItem(storageKey) ?? firstLanguage
  } catch {
    return firstLanguage
  }
}
