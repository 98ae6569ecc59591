/** A choice that the browser remembers. If the browser forbids storage, the choice lasts as long as the tab. */
interface StoredChoice<T> {
  read(): T
  write(value: T): void
}

export function storedChoice<T extends string>(name: string, allowed: readonly T[], usual: T): StoredChoice<T> {
  const text = storedText(name)
  return {
    read: () => {
      const found = text.read()
      return allowed.find((one) => one === found) ?? usual
    },
    write: text.write,
  }
}

/** Several of the allowed words; `usual` until a choice was made. */
export function storedWords(
  name: string,
  allowed: readonly string[],
  usual: readonly string[],
): StoredChoice<readonly string[]> {
  const text = storedText(name)
  return {
    read: () =>
      text
        .read()
        ?.split('\n')
        .filter((word) => allowed.includes(word)) ?? usual,
    write: (words) => text.write(words.join('\n')),
  }
}

function storedText(name: string) {
  const key = `gatehouse-${name}`
  return {
    read: (): string | null => {
      try {
        return localStorage.getItem(key)
      } catch {
        return null
      }
    },
    write: (value: string): void => {
      try {
        localStorage.setItem(key, value)
      } catch {
        // The choice is in effect in this tab even if it could not be stored.
      }
    },
  }
}
