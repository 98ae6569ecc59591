/** A choice that the browser remembers. If the browser forbids storage, the choice lasts as long as the tab. */
interface StoredChoice<T> {
  read(): T
  write(value: T): void
}

export function storedChoice<T extends string>(name: string, allowed: readonly T[], usual: T): StoredChoice<T> {
  const key = `gatehouse-${name}`
  return {
    read: () => {
      try {
        const found = localStorage.getItem(key)
        return allowed.find((one) => one === found) ?? usual
      } catch {
        return usual
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, value)
      } catch {
        // The choice is in effect in this tab even if it could not be stored.
      }
    },
  }
}
